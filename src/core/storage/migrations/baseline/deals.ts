import { isolate } from "../support.ts"
import { linkIndex } from "./indexed.ts"
import { crmIdIndexes } from "./workspace.ts"

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
const SCORES = METRICS.map((metric) => `wl_${metric}_score`)

/** Filters that ignore case compare these columns. An index on `lower(…)` would not do: it is not leakproof, so row-level security prevents its use. */
const LOWER = ["id", "crm_one_id", "crm_two_id", "type", "region"].map(
  (column) => `lower_${column} text generated always as (lower(${column})) stored`,
)

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
  // row-level security would prevent the use of an index on it. The summary is json, which keeps the order of its sections.
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
    ${SCORES.map((column) => `${column} float8 check (${column} between 1 and 5)`).join(",\n    ")},
    ${METRICS.map((metric) => `wl_${metric}_explanation text`).join(",\n    ")},
    summary json,
    crm_properties jsonb not null default '{}',
    custom_metrics jsonb not null default '{}',
    custom_answers jsonb not null default '{}',
    ${LOWER.join(",\n    ")},
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
  // Every change of a deal's stage. Has no foreign key to stages, which may have been deleted since.
  `create table deal_stage_changes (
    org_id text not null,
    deal_id text not null,
    n bigint not null,
    changed_at timestamptz(3) not null,
    status_id text,
    previous_status_id text,
    primary key (org_id, deal_id, n),
    foreign key (org_id, deal_id) references deals on delete cascade
  )`,
  link(
    "deal_collaborators",
    `owner_id text not null, foreign key (org_id, owner_id) references owners ${LAST}`,
    "owner_id",
  ),
  link(
    "deal_product_labels",
    "label text not null, lower_label text generated always as (lower(label)) stored",
    "label",
  ),
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
]

/** Text sorts by code point, the same everywhere. */
const ID = `id collate "C"`

/** Columns a caller may sort by; `(org_id, column, id)` serves both orders and the cursor. */
const SORTED = ["created_at", "updated_at", "close_date", "amount", "name"]

const INDEXES = [
  ...crmIdIndexes("deals"),
  ...SORTED.map(
    (column) =>
      `create index deals_by_${column} on deals (org_id, ${column === "name" ? 'name collate "C"' : column}, ${ID})`,
  ),
  // Few deals have scores. One index has the deals that lack a score, which end each order by score.
  ...SCORES.map(
    (column) => `create index deals_by_${column} on deals (org_id, ${column}, ${ID}) where ${column} is not null`,
  ),
  `create index deals_without_score on deals (org_id, ${ID})
    where ${SCORES.map((column) => `${column} is null`).join(" or ")}`,
  ...["status_id", "owner_id", "client_id"].map(
    (column) => `create index deals_by_${column} on deals (org_id, ${column}, created_at, ${ID})`,
  ),
  // Filters compare the lower case. The overview and questions read the values as written from the same index.
  ...["type", "region"].map(
    (column) =>
      `create index deals_by_lower_${column} on deals (org_id, lower_${column}, created_at, ${ID}) include (${column})`,
  ),
  `create index deals_by_lower_id on deals (org_id, lower_id)`,
  ...["crm_one_id", "crm_two_id"].map(
    (column) =>
      `create index deals_by_lower_${column} on deals (org_id, lower_${column}) where lower_${column} is not null`,
  ),
  `create index deals_unanalyzed on deals (org_id, deal_analyzed, analysis_verified, created_at, ${ID})`,
  `create index deals_by_name_trigram on deals using gin (org_id, fold_name(name) gin_trgm_ops)`,
  linkIndex("deals"),
  `create index on deal_collaborators (org_id, owner_id, deal_id)`,
  `create index on deal_product_labels (org_id, label, deal_id)`,
  `create index deal_product_labels_by_lower_label on deal_product_labels (org_id, lower_label, deal_id)`,
  `create index on deal_competitors (org_id, competitor_id, deal_id)`,
  `create index on deal_drivers (org_id, reason_id, deal_id)`,
]

/** Deals, the rows that belong to them, and their JSON in the API's default reply. */
export const DEALS = [
  ...TABLES,
  ...INDEXES,
  // Not forced on the owner: the search by name runs as the owner, because only then can it use its index.
  ...isolate(["deals"], { force: false }),
  ...isolate([
    "deal_json",
    "deal_stage_changes",
    "deal_collaborators",
    "deal_product_labels",
    "deal_competitors",
    "deal_drivers",
  ]),
]
