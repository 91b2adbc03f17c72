import * as Redacted from "effect/Redacted"

/** A secret that a host passes. `Redacted` keeps it out of logs. */
export type Secret = string | Redacted.Redacted

export const redact = (secret: Secret | undefined) => (typeof secret === "string" ? Redacted.make(secret) : secret)

export const reveal = (secret: Secret) => (typeof secret === "string" ? secret : Redacted.value(secret))
