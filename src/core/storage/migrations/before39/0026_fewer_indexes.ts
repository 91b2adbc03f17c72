import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { statements } from "./support.ts"

/** Index maintenance dominated imports. These indexes serve the same queries with fewer entries for each deal. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* statements(sql, [...SCORES, ...TYPES_AND_REGIONS])
})

const SCORE_COLUMNS = [
  "product_fit",
  "sales_execution",
  "relationship",
  "price_sensitivity",
  "competitive_intensity",
  "customer_fit",
  "messaging_fit",
  "messaging_accuracy",
].map((metric) => `wl_${metric}_score`)

const ID = `id collate "C"`

/** Few deals have scores. One index has the deals that lack a score, which end each order by score. */
const SCORES = [
  ...SCORE_COLUMNS.flatMap((column) => [
    `drop index deals_by_${column}`,
    `create index deals_by_${column} on deals (org_id, ${column}, ${ID}) where ${column} is not null`,
  ]),
  `create index deals_without_score on deals (org_id, ${ID})
    where ${SCORE_COLUMNS.map((column) => `${column} is null`).join(" or ")}`,
]

/** Filters compare the lower case. The overview and questions read the values as written from the same index. */
const TYPES_AND_REGIONS = ["type", "region"].flatMap((column) => [
  `drop index deals_by_${column}, deals_by_lower_${column}`,
  `create index deals_by_lower_${column} on deals (org_id, lower_${column}, created_at, ${ID}) include (${column})`,
])
