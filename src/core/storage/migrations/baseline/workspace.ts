import { isolate } from "../support.ts"

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

/** Other names that texts use for the same thing. */
const ALIASES = "aliases text[] not null default '{}',"

const NAMES = {
  stages: "category text not null check (category in ('open', 'won', 'lost')), position int not null,",
  owners: "email text,",
  competitors: `website_url text, ${ALIASES}`,
  reasons: `category text, ${ALIASES}`,
  clients: `crm_one_id text, crm_two_id text, industry text, lower_industry text generated always as (lower(industry)) stored,
    website_url text, crm_properties jsonb not null default '{}',`,
  features: `description text, product text, product_area text, ${ALIASES}`,
  metrics: "",
  answers: "",
  segments: "filters jsonb not null default '{}',",
}

/** The names that deals refer to: stages, owners, competitors, reasons, clients, features, CRM properties, metrics, answers, segments. */
export const WORKSPACE = [
  ...Object.entries(NAMES).flatMap(([table, columns]) => named(table, columns)),
  ...crmIdIndexes("clients"),
  `create index on clients (org_id, industry)`,
  `create index clients_by_lower_industry on clients (org_id, lower_industry)`,
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
  ...isolate([...Object.keys(NAMES), "crm_properties"]),

  // Records of an import that wait for the end of their file. Unlogged: after a crash, the caller imports the file again.
  `create unlogged table import_pages (
    org_id text not null references organizations on delete cascade,
    run_id text not null,
    type text not null,
    n int not null,
    body text not null,
    created_at timestamptz(3) not null default now(),
    primary key (org_id, run_id, type, n)
  )`,
  `alter table import_pages alter column body set storage external`,
  // Not forced: retention deletes the leftovers of crashed imports across organizations, as the table's owner.
  ...isolate(["import_pages"], { force: false }),
]
