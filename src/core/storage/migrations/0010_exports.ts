import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { isolate, statements } from "./support.ts"

/** Bulk exports of deals. How far one is stands in its job. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* statements(sql, TABLES)
  // Not forced: the look-out for what has expired looks across organizations, as the tables' owner.
  yield* isolate(sql, ["exports"], { force: false })
  yield* statements(sql, [...EXPIRED, ...REVISION])
})

const TABLES = [
  `create table exports (
    org_id text not null references organizations on delete cascade,
    id text not null,
    job_id text not null,
    columns jsonb not null,
    filters jsonb not null,
    csv_safe boolean not null,
    file text,
    sha256 text,
    file_size float8,
    row_count int,
    created_at timestamptz(3) not null default now(),
    completed_at timestamptz(3),
    primary key (org_id, id),
    foreign key (org_id, job_id) references jobs
  )`,
  `create index on exports (created_at)`,
]

/**
 * `expired_exports(download, record, most)`: those whose file is kept for longer than `download` or whose record for longer
 * than `record`, which is then `whole`. `epoch`: how often one was begun.
 */
const EXPIRED = [
  `create function expired_exports(p_download interval, p_record interval, p_most int)
    returns table (org_id text, id text, job_id text, epoch int, whole boolean)
    language sql stable security definer set search_path = sightline, pg_temp as $$
      select e.org_id, e.id, e.job_id, j.epoch, e.created_at < now() - p_record
      from exports e join jobs j on j.org_id = e.org_id and j.id = e.job_id
      where e.created_at < now() - p_record or (e.file is not null and e.completed_at < now() - p_download)
      order by e.created_at limit p_most $$`,
  `revoke all on function expired_exports(interval, interval, int) from public`,
  `grant execute on function expired_exports(interval, interval, int) to sightline_app`,
]

/** What a deal shows comes from these. */
const SHOWN = [
  "deals",
  "deal_collaborators",
  "deal_product_labels",
  "deal_competitors",
  "deal_drivers",
  "associations",
  "stages",
  "owners",
  "competitors",
  "reasons",
  "clients",
  "features",
]

/**
 * `deals_revision` moves with every statement that changes what deals show, also with one that is rolled back. On an
 * engine of one connection two equal readings say that nothing changed between them: an export reads its pages by it.
 */
const REVISION = [
  `create sequence deals_revision`,
  `grant select on deals_revision to sightline_app`,
  `create function deals_changed() returns trigger language plpgsql security definer set search_path = sightline, pg_temp
    as $$ begin perform nextval('deals_revision'); return null; end $$`,
  ...SHOWN.map(
    (table) => `create trigger changed after insert or update or delete or truncate on ${table}
      for each statement execute function deals_changed()`,
  ),
]
