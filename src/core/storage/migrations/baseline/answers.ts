import { isolate } from "../support.ts"
import { linkIndex } from "./indexed.ts"

/** The queries of reports that answers cite, each once, so that a link carries a hash in place of its query. */
export const ANSWERS = [
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
  linkIndex("cited_reports"),
  // Not forced: retention deletes expired rows across organizations, as the tables' owner.
  ...isolate(["cited_reports"], { force: false }),
]
