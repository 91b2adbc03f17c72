import type { SqlError } from "effect/sql/SqlError"

/** The driver reads the first bytes of a server of another kind, such as an HTTP server, as a length. */
const OTHER_PROTOCOL = /^(?:Message length \d+ exceeds|Invalid message length)/

/** The driver's reason why a server cannot be used. */
export const describeFailure = ({ reason, message }: SqlError): string => {
  const said = reason.cause instanceof Error ? reason.cause.message : message
  return OTHER_PROTOCOL.test(said) ? "what answers there is no PostgreSQL server" : said
}
