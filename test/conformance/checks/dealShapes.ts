import assert from "node:assert/strict"
import * as Schema from "effect/Schema"
import { Deal } from "../../../src/core/deals/contract.ts"
import { section } from "../Check.ts"

export const SCORES = [
  "wl_product_fit_score",
  "wl_sales_execution_score",
  "wl_relationship_score",
  "wl_price_sensitivity_score",
  "wl_competitive_intensity_score",
  "wl_customer_fit_score",
  "wl_messaging_fit_score",
  "wl_messaging_accuracy_score",
]

/** The fields of the specification's table, and all eight scores. */
const DEFAULT = [
  "id",
  "name",
  "amount",
  "status_id",
  "previous_status_id",
  "close_date",
  "created_at",
  "owner_id",
  "crm_one_id",
  "crm_two_id",
  "deal_analyzed",
  "analysis_verified",
  "type",
  "region",
  "deal_competitor_associations",
  "drivers",
  ...SCORES,
]

const STANDARD = [
  ...DEFAULT,
  "updated_at",
  "deal_status",
  "owner_name",
  "client_name",
  "industry",
  "website_url",
  "product_labels",
  "collaborators",
  "segments",
  "primary_competitor",
  "competitors",
  "features",
  "summary",
  "scorecard",
  ...SCORES.map((score) => score.replace(/_score$/, "_explanation")),
]

const INTERNAL = [
  "fts",
  "joined_fts",
  "keywords",
  "sync_run_id",
  "client_id",
  "org_sharing_enabled",
  "processing_in_progress",
]

type Row = Readonly<Record<string, any>>

const decode = Schema.decodeUnknownSync(Schema.Array(Deal), { onExcessProperty: "error" })

/** Checks that hold for the deals of any workspace. */
export const dealShapes = section("GET /deals", ["deals"], {
  "a deal decodes by the contract's schema, by default and with every column": async (api) => {
    decode(await api.get("/deals", { page_size: 100 }))
    decode(await api.get("/deals", { page_size: 100, columns: "*" }))
  },
  "the default columns are exactly the table's fields and the eight scores": async (api) => {
    const deals: ReadonlyArray<Row> = await api.get("/deals", { page_size: 5 })
    for (const deal of deals) assert.deepEqual(Object.keys(deal).sort(), [...DEFAULT].sort())
  },
  "rule 1 and 3: * answers every standard column, the flattened arrays among them, and no internal one": async (
    api,
  ) => {
    const deals: ReadonlyArray<Row> = await api.get("/deals", { page_size: 5, columns: "*" })
    for (const deal of deals) {
      assert.deepEqual(Object.keys(deal).sort(), [...STANDARD].sort())
      for (const name of ["competitors", "features", "drivers"]) assert.ok(Array.isArray(deal[name]))
    }
  },
  "rule 3: internal columns are silently omitted": async (api) => {
    const [deal] = await api.get("/deals", { page_size: 1, columns: ["name", ...INTERNAL].join(",") })
    assert.deepEqual(Object.keys(deal).sort(), ["id", "name"])
    for (const internal of INTERNAL) {
      const [only] = await api.get("/deals", { page_size: 1, columns: internal })
      assert.deepEqual(Object.keys(only), ["id"])
    }
  },
  "columns restricts the fields; id is always included": async (api) => {
    const [deal] = await api.get("/deals", { page_size: 1, columns: "amount, name,amount" })
    assert.deepEqual(Object.keys(deal).sort(), ["amount", "id", "name"])
  },
  "proposal_due is accepted as a column and used in the reply": async (api) => {
    const [deal] = await api.get("/deals", { page_size: 1, columns: "proposal_due,close_date" })
    assert.deepEqual(Object.keys(deal).sort(), ["close_date", "id", "proposal_due"])
    assert.equal(deal.proposal_due, deal.close_date)
  },
  "scores lie between 1 and 5 or are null; dates are days": async (api) => {
    const deals: ReadonlyArray<Row> = await api.get("/deals", { page_size: 100 })
    for (const deal of deals) {
      for (const name of SCORES) assert.ok(deal[name] === null || (deal[name] >= 1 && deal[name] <= 5))
      if (deal["close_date"] !== null) assert.match(deal["close_date"], /^\d{4}-\d\d-\d\d$/)
      assert.match(deal["created_at"], /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    }
  },
  "the scorecard has all eight metrics, each a score and an explanation": async (api) => {
    const [deal] = await api.get("/deals", { page_size: 1, columns: "*" })
    assert.deepEqual(
      Object.keys(deal.scorecard),
      SCORES.map((name) => name.slice(3, -6)),
    )
    for (const name of SCORES) {
      assert.deepEqual(deal.scorecard[name.slice(3, -6)], {
        score: deal[name],
        explanation: deal[name.replace(/_score$/, "_explanation")],
      })
    }
  },
  "count=true answers only the count": async (api) => {
    assert.deepEqual(Object.keys(await api.get("/deals", { count: true })), ["count"])
    assert.ok(Array.isArray(await api.get("/deals", { count: false, page_size: 1 })))
  },
  "created_at desc is the default sort": async (api) => {
    const deals: ReadonlyArray<Row> = await api.get("/deals", { columns: "created_at", page_size: 100 })
    for (const [index, { created_at }] of deals.slice(1).entries()) {
      assert.ok(deals[index]!["created_at"] >= created_at)
    }
  },
  "GET /deals/{id} answers one deal, every standard column or those asked for": async (api) => {
    const [{ id }] = await api.get("/deals", { page_size: 1, columns: "id" })
    const [listed] = await api.get("/deals", { deal_ids: [id], columns: "*" })
    assert.deepEqual(await api.get(`/deals/${encodeURIComponent(id)}`), listed)
    const narrow = await api.get(`/deals/${encodeURIComponent(id)}`, { columns: "name,fts" })
    assert.deepEqual(narrow, { id, name: listed.name })
  },
})
