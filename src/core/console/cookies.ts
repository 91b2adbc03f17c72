import { SESSION_SECONDS } from "../sessions/Sessions.ts"

const SESSION = "sightline_session"
export const OPENID_COOKIE = "sightline_openid"

/** A sign-in at the provider, and the choice of an organization, take at most ten minutes each. */
export const OPENID_SECONDS = 600

const valueIn = (header: string | undefined, name: string): string | undefined =>
  header
    ?.split(";")
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1)

/** Reads the token of the session from a `Cookie` header. */
export const sessionIn = (header: string | undefined): string | undefined => valueIn(header, SESSION)

/** Reads the sealed state of a sign-in at the provider from a `Cookie` header. */
export const openIdIn = (header: string | undefined): string | undefined => valueIn(header, OPENID_COOKIE)

interface Place {
  readonly path: string
  readonly isSecure: boolean
}

const cookie = (name: string, value: string, seconds: number, sameSite: "Strict" | "Lax", { path, isSecure }: Place) =>
  [
    `${name}=${value}`,
    `Path=${path === "" ? "/" : path}`,
    `Max-Age=${value === "" ? 0 : seconds}`,
    "HttpOnly",
    `SameSite=${sameSite}`,
    ...(isSecure ? ["Secure"] : []),
  ].join("; ")

/** `token` empty: the browser deletes the cookie. */
export const sessionCookie = (token: string, at: Place): string => cookie(SESSION, token, SESSION_SECONDS, "Strict", at)

/** Lax: the browser sends it when the provider, another site, sends it back. Empty: the browser deletes the cookie. */
export const openIdCookie = (sealed: string, at: Place): string =>
  cookie(OPENID_COOKIE, sealed, OPENID_SECONDS, "Lax", at)
