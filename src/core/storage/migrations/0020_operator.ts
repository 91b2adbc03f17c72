import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { statements } from "./support.ts"

/** What the operator sees of all organizations, and erasures whose files are not removed yet. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* statements(sql, [...LIST, ...ERASURES])
})

/** `list_organizations(after, most)`: by id, across organizations. */
const LIST = [
  `create function list_organizations(p_after text, p_most int)
    returns table (id text, name text, plan text, created_at timestamptz)
    language sql stable security definer set search_path = sightline, pg_temp as $$
      select o.id, o.name, o.plan, o.created_at from organizations o
      where o.id > p_after order by o.id limit p_most $$`,
  `revoke all on function list_organizations(text, int) from public`,
  `grant execute on function list_organizations(text, int) to sightline_app`,
]

/** Belongs to no organization, for it outlives the one that it names; the row goes with the last file. */
const ERASURES = [
  `create table pending_erasures (
    organization text primary key,
    erased_at timestamptz(3) not null default now()
  )`,
  `grant select, insert, delete on pending_erasures to sightline_app`,
]
