import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { isolate, statements } from "./support.ts"

/** The names that deals refer to: stages, owners, competitors, reasons, clients, features, CRM properties, metrics, answers, segments. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* statements(sql, TABLES)
  yield* isolate(sql, NAMES)
})

const named = (table: string, columns = "") => [
  `create table ${table} (
    org_id text not null references organizations on delete cascade,
    id text not null,
    name text not null,
    ${columns}
    primary key (org_id, id)
  )`,
  `create index on ${table} (org_id, lower(name))`,
]

/** CRM identifiers are unique in their organization. */
export const crmIdIndexes = (table: string) => [
  `create unique index on ${table} (org_id, crm_one_id) where crm_one_id is not null`,
  `create unique index on ${table} (org_id, crm_two_id) where crm_two_id is not null`,
]

const TABLES = [
  ...named("stages", "category text not null check (category in ('open', 'won', 'lost')), position int not null,"),
  ...named("owners", "email text,"),
  ...named("competitors", "website_url text,"),
  ...named("reasons", "category text,"),
  ...named(
    "clients",
    "crm_one_id text, crm_two_id text, industry text, website_url text, crm_properties jsonb not null default '{}',",
  ),
  ...crmIdIndexes("clients"),
  `create index on clients (org_id, industry)`,
  ...named("features", "description text, product text, product_area text,"),
  `create index on features (org_id, product)`,
  `create index on features (org_id, product_area)`,
  `create table crm_properties (
    org_id text not null references organizations on delete cascade,
    crm text not null check (crm in ('crm_one', 'crm_two')),
    object text not null check (object in ('deal', 'account')),
    id text not null,
    label text,
    data_type text not null check (data_type in ('text', 'number', 'date', 'boolean')),
    primary key (org_id, crm, object, id)
  )`,
  ...named("metrics"),
  ...named("answers"),
  ...named("segments", "filters jsonb not null default '{}',"),
]

const NAMES = [
  "stages",
  "owners",
  "competitors",
  "reasons",
  "clients",
  "features",
  "crm_properties",
  "metrics",
  "answers",
  "segments",
]
