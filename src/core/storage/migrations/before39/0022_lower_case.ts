import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { statements } from "./support.ts"

/**
 * Values of open sets in lower case, for filters that ignore case. They are columns, not expressions of an index: `lower`
 * is not leakproof, so row-level security would prevent the use of such an index.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient
  for (const [table, columns] of Object.entries(LOWERED)) {
    const added = columns.map(
      (column) => `add column lower_${column} text generated always as (lower(${column})) stored`,
    )
    yield* statements(sql, [`alter table ${table} ${added.join(", ")}`])
  }
  yield* statements(sql, INDEXES)
})

const LOWERED = {
  deals: ["id", "crm_one_id", "crm_two_id", "type", "region"],
  deal_product_labels: ["label"],
  clients: ["industry"],
}

const INDEXES = [
  ...["type", "region"].map(
    (column) => `create index deals_by_lower_${column} on deals (org_id, lower_${column}, created_at, id collate "C")`,
  ),
  `create index deals_by_lower_id on deals (org_id, lower_id)`,
  ...["crm_one_id", "crm_two_id"].map(
    (column) =>
      `create index deals_by_lower_${column} on deals (org_id, lower_${column}) where lower_${column} is not null`,
  ),
  `create index deal_product_labels_by_lower_label on deal_product_labels (org_id, lower_label, deal_id)`,
  `create index clients_by_lower_industry on clients (org_id, lower_industry)`,
]
