/** The `code` of an error of Node or of a database's driver, such as `ENOENT` or a SQLSTATE. Empty: it has none. */
export const errorCode = (error: unknown): string =>
  typeof error === "object" && error !== null && "code" in error ? String(error.code) : ""
