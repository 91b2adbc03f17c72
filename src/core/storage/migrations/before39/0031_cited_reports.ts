import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { isolate, statements } from "./support.ts"

/** The queries of reports that answers cite, each once, so that a link carries a hash in place of its query. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* statements(sql, [
    // `id` is the SHA-256 of `query`. The last link to it expires at `expires_at`.
    `create table cited_reports (
      org_id text not null references organizations on delete cascade,
      id text not null,
      query text not null,
      expires_at timestamptz(3) not null,
      primary key (org_id, id)
    )`,
    `create index on cited_reports (expires_at)`,
    `create index on cited_reports (org_id, expires_at)`,
    `create index cited_reports_by_link on cited_reports (org_id, link_hash(id))`,
  ])
  // Not forced: retention deletes expired rows across organizations, as the tables' owner.
  yield* isolate(sql, ["cited_reports"], { force: false })
})
