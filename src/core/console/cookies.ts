import { SESSION_SECONDS } from "../sessions/Sessions.ts"

const NAME = "sightline_session"

/** Reads the token of the session from a `Cookie` header. */
export const sessionIn = (header: string | undefined): string | undefined =>
  header
    ?.split(";")
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${NAME}=`))
    ?.slice(NAME.length + 1)

/** `token` empty: the browser deletes the cookie. */
export const sessionCookie = (token: string, at: { readonly path: string; readonly isSecure: boolean }): string =>
  [
    `${NAME}=${token}`,
    `Path=${at.path === "" ? "/" : at.path}`,
    `Max-Age=${token === "" ? 0 : SESSION_SECONDS}`,
    "HttpOnly",
    "SameSite=Strict",
    ...(at.isSecure ? ["Secure"] : []),
  ].join("; ")
