import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { crmIdIndexes } from "./0002_workspace.ts"
import { EXTENSIONS, isolate, statements } from "./support.ts"

/** Deals, the rows that belong to them, and their JSON in the API's default reply. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* statements(sql, [EXTENSIONS])
  yield* statements(sql, [...TABLES, ...INDEXES])
  // Not forced on the owner: the search by name runs as the owner, because only then can it use its index.
  yield* isolate(sql, ["deals"], { force: false })
  yield* isolate(sql, [
    "deal_json",
    "deal_collaborators",
    "deal_product_labels",
    "deal_competitors",
    "deal_drivers",
    "associations",
  ])
})

const METRICS = [
  "product_fit",
  "sales_execution",
  "relationship",
  "price_sensitivity",
  "competitive_intensity",
  "customer_fit",
  "messaging_fit",
  "messaging_accuracy",
]

/** Checked at the end of the transaction: an organization that is erased loses its names before its links. */
const LAST = "deferrable initially deferred"

const link = (name: string, columns: string, key: string) =>
  `create table ${name} (
    org_id text not null,
    deal_id text not null,
    ${columns},
    primary key (org_id, deal_id, ${key}),
    foreign key (org_id, deal_id) references deals on delete cascade
  )`

const TABLES = [
  // float8, not numeric: JSON numbers are doubles, and comparing numeric is not leakproof, so
  // row-level security would prevent the use of an index on it.
  `create table deals (
    org_id text not null references organizations on delete cascade,
    id text not null,
    crm_one_id text,
    crm_two_id text,
    name text not null,
    amount float8,
    status_id text,
    previous_status_id text,
    close_date date,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    owner_id text,
    client_id text,
    type text,
    region text,
    deal_analyzed boolean not null default false,
    analysis_verified boolean not null default false,
    ${METRICS.map((metric) => `wl_${metric}_score float8 check (wl_${metric}_score between 1 and 5)`).join(",\n    ")},
    ${METRICS.map((metric) => `wl_${metric}_explanation text`).join(",\n    ")},
    summary jsonb,
    crm_properties jsonb not null default '{}',
    custom_metrics jsonb not null default '{}',
    custom_answers jsonb not null default '{}',
    primary key (org_id, id),
    foreign key (org_id, status_id) references stages,
    foreign key (org_id, previous_status_id) references stages,
    foreign key (org_id, owner_id) references owners,
    foreign key (org_id, client_id) references clients
  )`,
  // A cache. A read renders a row that is absent or of another version of the columns.
  `create table deal_json (
    org_id text not null,
    deal_id text not null,
    version int not null,
    body text not null,
    primary key (org_id, deal_id),
    foreign key (org_id, deal_id) references deals on delete cascade
  )`,
  link(
    "deal_collaborators",
    `owner_id text not null, foreign key (org_id, owner_id) references owners ${LAST}`,
    "owner_id",
  ),
  link("deal_product_labels", "label text not null", "label"),
  link(
    "deal_competitors",
    `competitor_id text not null, is_primary boolean not null, is_incumbent boolean not null,
     foreign key (org_id, competitor_id) references competitors ${LAST}`,
    "competitor_id",
  ),
  link(
    "deal_drivers",
    `position int not null, reason_id text not null, positive boolean, summary text,
     foreign key (org_id, reason_id) references reasons ${LAST}`,
    "position",
  ),
  `create table associations (
    org_id text not null references organizations on delete cascade,
    id text not null,
    deal_id text not null,
    feature_id text not null,
    created_at timestamptz(3) not null,
    influence_summary text,
    sentiment boolean,
    tags text[] not null default '{}',
    primary key (org_id, id),
    foreign key (org_id, deal_id) references deals on delete cascade,
    foreign key (org_id, feature_id) references features
  )`,
]

/** Columns a caller may sort by; `(org_id, column, id)` serves both orders and the cursor. Text sorts by code point, the same everywhere. */
const SORTED = [
  "created_at",
  "updated_at",
  "close_date",
  "amount",
  "name",
  ...METRICS.map((metric) => `wl_${metric}_score`),
]
const ID = `id collate "C"`

const INDEXES = [
  ...crmIdIndexes("deals"),
  ...SORTED.map(
    (column) =>
      `create index deals_by_${column} on deals (org_id, ${column === "name" ? 'name collate "C"' : column}, ${ID})`,
  ),
  ...["status_id", "owner_id", "client_id", "type", "region"].map(
    (column) => `create index deals_by_${column} on deals (org_id, ${column}, created_at, ${ID})`,
  ),
  `create index deals_unanalyzed on deals (org_id, deal_analyzed, analysis_verified, created_at, ${ID})`,
  `create index deals_by_name_trigram on deals using gin (org_id, name gin_trgm_ops)`,
  `create index on deal_collaborators (org_id, owner_id, deal_id)`,
  `create index on deal_product_labels (org_id, label, deal_id)`,
  `create index on deal_competitors (org_id, competitor_id, deal_id)`,
  `create index on deal_drivers (org_id, reason_id, deal_id)`,
  `create index on associations (org_id, deal_id)`,
  `create index on associations (org_id, feature_id, deal_id)`,
  `create index on associations (org_id, created_at desc, id collate "C")`,
]
