import * as PgClient from "@effect/sql-pg/PgClient"
import * as Redacted from "effect/Redacted"

/** One connection for a test's own statements. Waits long for it, because an embedded database may block the process meanwhile. */
export const oneConnection = (
  url: string | Redacted.Redacted,
  options?: Pick<PgClient.PgClientConfig, "maxMessageSize">,
) =>
  PgClient.layer({
    ...options,
    url: Redacted.isRedacted(url) ? url : Redacted.make(url),
    maxConnections: 1,
    connectTimeout: "2 minutes",
  })
