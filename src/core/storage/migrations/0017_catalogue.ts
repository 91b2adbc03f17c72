import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { statements } from "./support.ts"

/** The settings of a workspace, and changes of deals whose names come from elsewhere. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* statements(sql, [
    ...SETTINGS,
    ...Object.entries(SHOWN).flatMap(([table, shown]) => recordRenames(table, shown)),
  ])
})

const SETTINGS = [
  `alter table organizations
    add column currency text check (currency ~ '^[A-Z]{3}$'),
    add column fiscal_start int not null default 1 check (fiscal_start between 1 and 12),
    add column our_names text[] not null default '{}',
    add column our_domains text[] not null default '{}'`,
  // A deal's record shows its amount with the currency.
  `create function mark_currency() returns trigger
    language plpgsql security definer set search_path = sightline, pg_temp as $$
    begin
      insert into stale_deal_records (org_id, deal_id)
        select d.org_id, d.id from deals d where d.org_id = new.id and d.amount is not null on conflict do nothing;
      return null;
    end $$`,
  `create trigger mark_currency after update of currency on organizations
    for each row when (new.currency is distinct from old.currency) execute function mark_currency()`,
]

interface Shown {
  /** The columns of the table that a deal or an association shows. */
  readonly columns: string
  /** `type, org_id, id` of what shows a row of the table, given as `id` in `renamed`. */
  readonly in: ReadonlyArray<string>
}

const deals = (column: string) =>
  `select 'deal', d.org_id, d.id from renamed r join deals d on d.org_id = r.org_id and d.${column} = r.id`
const links = (table: string, column: string) =>
  `select 'deal', l.org_id, l.deal_id from renamed r join ${table} l on l.org_id = r.org_id and l.${column} = r.id`

const SHOWN: Readonly<Record<string, Shown>> = {
  stages: { columns: "name, category", in: [deals("status_id")] },
  owners: { columns: "name", in: [deals("owner_id"), links("deal_collaborators", "owner_id")] },
  clients: { columns: "name, industry, website_url", in: [deals("client_id")] },
  competitors: { columns: "name", in: [links("deal_competitors", "competitor_id")] },
  reasons: { columns: "name, category", in: [links("deal_drivers", "reason_id")] },
  features: {
    columns: "name, product, product_area",
    in: [
      links("associations", "feature_id"),
      `select 'association', a.org_id, a.id from renamed r join associations a on a.org_id = r.org_id and a.feature_id = r.id`,
    ],
  },
}

/** A renamed stage counts as a change of each deal that shows its name: in the feed, and so to webhooks. */
const recordRenames = (table: string, shown: Shown) => {
  const row = (alias: string) => `(${shown.columns.replace(/\w+/g, (column) => `${alias}.${column}`)})`
  return [
    `create function record_renamed_${table}() returns trigger language plpgsql
      set search_path = sightline, pg_temp as $$
    begin
      with renamed as (
        select w.org_id, w.id from written w join former f on f.org_id = w.org_id and f.id = w.id
        where ${row("w")} is distinct from ${row("f")}
      ), showing(type, org_id, id) as (${shown.in.join(" union ")})
      update changes c set xact = pg_current_xact_id(), changed_at = now() from showing s
        where c.org_id = s.org_id and c.type = s.type and c.id = s.id and not c.deleted
          and c.xact <> pg_current_xact_id();
      return null;
    end $$`,
    `create trigger record_renamed after update on ${table}
      referencing old table as former new table as written
      for each statement execute function record_renamed_${table}()`,
  ]
}
