/** The parsed address, if the value is one of http or https. */
export const parseHttpUrl = (value: unknown): URL | undefined => {
  const url = typeof value === "string" && URL.canParse(value) ? new URL(value) : undefined
  return url?.protocol === "http:" || url?.protocol === "https:" ? url : undefined
}

/** Whether the value is an origin as browsers send it: scheme, host and port alone. */
export const isOrigin = (value: unknown): boolean => parseHttpUrl(value)?.origin === value
