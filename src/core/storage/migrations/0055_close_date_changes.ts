import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { isolate, statements } from "./support.ts"

/** The close dates that deals had before, and since when an organization keeps them. */
export default Effect.flatMap(SqlClient, (sql) =>
  statements(sql, [
    `alter table organizations add column close_dates_since timestamptz(3) not null default now()`,
    `create table deal_close_date_changes (
      org_id text not null,
      deal_id text not null,
      n bigint not null,
      changed_at timestamptz(3) not null,
      close_date date not null,
      primary key (org_id, deal_id, n),
      foreign key (org_id, deal_id) references deals on delete cascade
    )`,
    `create index deal_close_date_changes_by_date on deal_close_date_changes (org_id, close_date) include (deal_id)`,
    ...isolate(["deal_close_date_changes"]),
  ]),
)
