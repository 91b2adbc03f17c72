import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { statements } from "./support.ts"

/** Who erased an organization, and sign-ins that no organization's log has: the operator's, and those of the console. */
export default Effect.flatMap(SqlClient, (sql) =>
  statements(sql, [
    `alter table erasures add column id text not null default gen_random_uuid()::text`,
    `alter table erasures add column actor jsonb`,
    `alter table erasures add column request_id text`,
    `alter table erasures add column address text`,
    // A row for each address and minute. Append-only: only `forget_refused_sign_ins` deletes.
    `create table refused_sign_ins (
      id text primary key default gen_random_uuid()::text,
      at timestamptz(3) not null default clock_timestamp(),
      place text not null,
      reason text not null,
      attempts int not null,
      request_id text,
      address text
    )`,
    `create index on refused_sign_ins (at)`,
    `grant select, insert on refused_sign_ins to sightline_app`,
  ]),
)
