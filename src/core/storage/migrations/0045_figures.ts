import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { linkIndex } from "./baseline/indexed.ts"
import { isolate, statements } from "./support.ts"

/**
 * The figures that answers cite, who may see the deals behind them, and the views of their pages. `cited_reports` keeps the queries of
 * links from before, until they expire.
 */
export default Effect.flatMap(SqlClient, (sql) =>
  statements(sql, [
    // `id` is a hash of the other columns. `key_id` is null if no key or identity asked; on Citus, keys are elsewhere.
    `create table figures (
      org_id text not null references organizations on delete cascade,
      id text not null,
      key_id text,
      query text not null,
      answered text not null,
      created_at timestamptz(3) not null default now(),
      expires_at timestamptz(3) not null,
      primary key (org_id, id)
    )`,
    `create index on figures (expires_at)`,
    `create index on figures (org_id, created_at)`,
    linkIndex("figures"),
    // Not forced: retention deletes expired rows across organizations, as the tables' owner.
    ...isolate(["figures"], { force: false }),
    "alter table organizations add column links text not null default 'figures'",
    // Citus adds no column together with a check.
    "alter table organizations add constraint organizations_links_check check (links in ('deals', 'figures'))",
    // A month of its own: a request resets the others.
    `alter table organization_usage
      add column link_month int not null default 0,
      add column link_views int not null default 0`,
  ]),
)
