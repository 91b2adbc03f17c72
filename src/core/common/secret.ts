import * as Redacted from "effect/Redacted"

/** A secret that a host passes. `Redacted` keeps it out of logs. */
export type Secret = string | Redacted.Redacted

export const redact = <S extends Secret | undefined>(secret: S): Redacted.Redacted | Exclude<S, string> =>
  typeof secret === "string" ? Redacted.make(secret) : (secret as Exclude<S, string>)

export const reveal = (secret: Secret) => (typeof secret === "string" ? secret : Redacted.value(secret))

/** Hides the user and the password of each address. A password may have an `@`, and Redis needs no user. */
export const hideUserInfo = (text: string): string => text.replaceAll(/:\/\/[^/\s"']*@/g, "://…@")
