import assert from "node:assert/strict"
import { section } from "../Check.ts"
import { type Client, invalidFields, type Query } from "../Client.ts"
import { DEAL_IDS } from "../dataset.ts"

const FABRIKAM = ["d07", "d08", "d09", "d10", "d11", "d12"]

/** Asserts the matching deals, in any order, and their count. */
const finds = async (api: Client, query: Query, expected: ReadonlyArray<string>) => {
  assert.deepEqual([...(await api.ids(query))].sort(), expected, JSON.stringify(query))
}

const each = (cases: ReadonlyArray<readonly [Query, ReadonlyArray<string>]>) => async (api: Client) => {
  for (const [query, expected] of cases) await finds(api, query, expected)
}

const rest = (...without: ReadonlyArray<string>) => DEAL_IDS.filter((id) => !without.includes(id))

/** Filters, on the data set. */
export const dealFilters = section("GET /deals", ["data"], {
  "rule 1: arrays and objects are JSON, booleans are plain": async (api) => {
    await finds(api, { analyzed: "true" }, ["d01", "d02", "d04"])
    await finds(api, { analyzed: "true", verified: "false" }, ["d02", "d04"])
    await finds(api, { verified: "true" }, ["d01"])
  },
  "filters join by AND": each([
    [{ owner_ids: ["o_ada", "o_bob"], amount: { min: 50_000 } }, ["d02", "d04"]],
    [{ owner_ids: ["o_ada"], region: ["AMER"] }, []],
  ]),
  "status accepts ids and names of stages, ignoring case": each([
    [{ status: ["Closed Won"] }, ["d01", "d05"]],
    [{ status: ["closed won"] }, ["d01", "d05"]],
    [{ status: ["s_won", "PROPOSAL"] }, ["d01", "d04", "d05"]],
  ]),
  "owner_ids accepts ids and names of owners, ignoring case": each([
    [{ owner_ids: ["o_ada"] }, ["d01", "d02"]],
    [{ owner_ids: ["O_ADA"] }, ["d01", "d02"]],
  ]),
  "an unknown stage, owner, competitor, driver, feature or segment is refused with the nearest name": async (api) => {
    for (const [query, field, meant] of [
      [{ status: ["Closed Wom"] }, "status", "Closed Won"],
      [{ owner_ids: ["o_adda"] }, "owner_ids", "o_ada"],
      [{ collaborators: ["o_bobb"] }, "collaborators", "o_bob"],
      [{ competitors: ["Acmee"] }, "competitors", "Acme"],
      [{ primary_competitors: ["Globx"] }, "primary_competitors", "Globex"],
      [{ driver_ids: ["r_prise"] }, "driver_ids", "r_price"],
      [{ feature_ids: ["f_ssoo"] }, "feature_ids", "f_sso"],
      [{ segment_ids: ["seg_bigg"] }, "segment_ids", "seg_big"],
    ] as const) {
      const error = await api.bad("/deals", query, { key: api.target.key })
      assert.deepEqual(invalidFields(error), [field])
      assert.equal(error.details?.invalid_fields?.[0]?.did_you_mean, meant)
    }
  },
  "close_date has from and to, both inclusive; null matches nothing": each([
    [{ close_date: { from: "2026-01-31", to: "2026-03-31" } }, ["d01", "d02", "d04"]],
    [{ close_date: { from: "2026-05-06" } }, ["d05"]],
    [{ close_date: { to: "2026-01-30" } }, ["d06"]],
  ]),
  "amount has min and max, both inclusive; null matches nothing": each([
    [{ amount: { min: 50_000 } }, ["d02", "d04"]],
    [{ amount: { min: 50_000, max: 50_000 } }, ["d02"]],
    [{ amount: { max: 0 } }, ["d05", "d06"]],
    [{ amount: { min: 12_000.5, max: 12_000.5 } }, ["d01"]],
  ]),
  "searchQuery searches deal names fuzzily, the best match first": async (api) => {
    const found = await api.ids({ searchQuery: "northwnd renewal" })
    assert.equal(found[0], "d01")
    assert.ok(!found.includes("d07"))
    await finds(api, { searchQuery: "fabrikam" }, FABRIKAM)
    await finds(api, { searchQuery: "FABRIKAM" }, FABRIKAM)
    assert.equal((await api.ids({ searchQuery: "100%" }))[0], "d05")
    await finds(api, { searchQuery: "Überblick" }, ["d03"])
    assert.deepEqual(await api.ids({ searchQuery: "northwind", sort: "name", sort_order: "asc" }), ["d02", "d01"])
  },
  "rule 4: deals by identifier": each([
    [{ deal_ids: ["d01", "d03", "none"] }, ["d01", "d03"]],
    [{ crm_one_ids: ["006A", "006B"] }, ["d01", "d02"]],
    [{ crm_two_ids: ["9004"] }, ["d04"]],
    [{ crm_two_ids: ["006A"] }, []],
  ]),
  "rule 4: deals by attribute": each([
    [{ deal_type: ["NEW"] }, ["d04", "d05"]],
    [{ region: ["emea", "APAC", "Nowhere"] }, ["d01", "d02", "d05"]],
    [{ industry: ["software"] }, ["d01", "d02"]],
    [{ product_labels: ["Insights"] }, ["d01", "d04"]],
    [{ collaborators: ["o_ada", "o_cyd"] }, ["d01", "d04"]],
    [{ created_at: { from: "2026-01-02", to: "2026-01-03" } }, ["d02", "d03"]],
    [{ created_at: { from: "2026-01-02T10:00:00.000Z", to: "2026-01-02T10:00:00.000Z" } }, ["d02"]],
    [{ updated_at: { from: "2026-02-02T01:00:00+01:00" } }, ["d02", "d03"]],
  ]),
  "rule 4: deals by competitor, by identifier or name, in any case": each([
    [{ competitors: ["ACME"] }, ["d01", "d02"]],
    [{ competitors: ["k_globex"] }, ["d01", "d03"]],
    [{ primary_competitors: ["acme"] }, ["d01"]],
    [{ primary_competitors: ["Globex"] }, ["d03"]],
  ]),
  "rule 4: deals by driver, feature and segment": each([
    [{ driver_ids: ["r_price"] }, ["d01", "d02"]],
    [{ driver_ids: ["r_fit"] }, ["d01"]],
    [{ feature_ids: ["f_sso"] }, ["d01", "d02", "d03"]],
    [{ feature_ids: ["f_api", "f_board"] }, ["d01", "d04", "d05"]],
    [{ segment_ids: ["seg_big"] }, ["d02", "d04"]],
  ]),
  "rule 4: deals by ranges of each win-loss score": each([
    [{ wl_product_fit_score: { min: 4 } }, ["d01", "d04"]],
    [{ wl_product_fit_score: { min: 3, max: 4 } }, ["d01", "d02"]],
    [{ wl_relationship_score: { max: 2.5 } }, ["d01", "d02"]],
    [{ wl_sales_execution_score: { min: 5, max: 5 } }, ["d01"]],
    [{ wl_price_sensitivity_score: { min: 2, max: 2 } }, ["d01"]],
    [{ wl_competitive_intensity_score: { min: 3, max: 3 } }, ["d01"]],
    [{ wl_customer_fit_score: { min: 4, max: 4 } }, ["d01"]],
    [{ wl_messaging_fit_score: { min: 5 } }, ["d01"]],
    [{ wl_messaging_accuracy_score: { min: 1, max: 1 } }, ["d01"]],
  ]),
  "rule 6: is and is not, on properties of each type": each([
    [{ crm_filters: [{ property: "forecast", operator: "is", value: "commit" }] }, ["d01"]],
    [{ crm_filters: [{ property: "forecast", operator: "is not", value: "commit" }] }, rest("d01")],
    [{ crm_filters: [{ property: "arr", operator: "is", value: 50_000 }] }, ["d02"]],
    [{ crm_filters: [{ property: "renewal", operator: "is", value: "2026-06-30" }] }, ["d04"]],
    [{ crm_filters: [{ property: "strategic", operator: "is", value: true }] }, ["d01"]],
    [{ crm_filters: [{ property: "strategic", operator: "is not", value: true }] }, rest("d01")],
  ]),
  "rule 6: the comparisons, on numbers": each([
    [{ crm_filters: [{ property: "arr", operator: "is greater than", value: 12_000 }] }, ["d02"]],
    [{ crm_filters: [{ property: "arr", operator: "is greater than or equal to", value: 12_000 }] }, ["d01", "d02"]],
    [{ crm_filters: [{ property: "arr", operator: "is less than", value: 50_000 }] }, ["d01"]],
    [{ crm_filters: [{ property: "arr", operator: "is less than or equal to", value: 50_000 }] }, ["d01", "d02"]],
  ]),
  "rule 6: is before and is after, on dates": each([
    [{ crm_filters: [{ property: "renewal", operator: "is before", value: "2027-01-31" }] }, ["d04"]],
    [{ crm_filters: [{ property: "renewal", operator: "is after", value: "2026-06-30" }] }, ["d01"]],
  ]),
  "rule 6: contains and does not contain, on text": each([
    [{ crm_filters: [{ property: "forecast", operator: "contains", value: "CASE" }] }, ["d02"]],
    [{ crm_filters: [{ property: "forecast", operator: "does not contain", value: "case" }] }, rest("d02")],
  ]),
  "rule 6: several conditions join by AND; crm narrows to one of the two": each([
    [
      {
        crm_filters: [
          { property: "forecast", operator: "contains", value: "c" },
          { property: "arr", operator: "is greater than", value: 20_000, crm: "crm_one" },
        ],
      },
      ["d02"],
    ],
  ]),
  "rule 5 of deals: conditions on accounts have a key of their own": each([
    [{ crm_account_filters: [{ property: "tier", operator: "is", value: "gold" }] }, ["d01", "d02"]],
    [{ crm_account_filters: [{ property: "employees", operator: "is greater than", value: 100 }] }, ["d01", "d02"]],
    [{ crm_account_filters: [{ property: "tier", operator: "is not", value: "gold" }] }, rest("d01", "d02")],
  ]),
  "account properties with a column of their own need map_to, and are not found without": each([
    [
      { crm_account_filters: [{ property: { map_to: "industry" }, operator: "is", value: "software" }] },
      ["d01", "d02"],
    ],
    [{ crm_account_filters: [{ property: { map_to: "name" }, operator: "contains", value: "süd" }] }, ["d03"]],
    [
      {
        crm_account_filters: [
          { property: { map_to: "website_url" }, operator: "contains", value: "northwind.example" },
        ],
      },
      ["d01", "d02"],
    ],
    [{ crm_account_filters: [{ property: "industry", operator: "is", value: "software" }] }, []],
  ]),
  "a CRM property that is not synced is refused by name": async (api) => {
    const { key } = api.target
    const error = await api.bad("/deals", { crm_filters: [{ property: "nope", operator: "is", value: "x" }] }, { key })
    assert.match(error.message, /crm_filters\[0\]\.property .*'nope'/)
    const account = [{ property: "tier", operator: "is", value: "gold" }]
    assert.match((await api.bad("/deals", { crm_filters: account }, { key })).message, /'tier'/)
    const operator = [{ property: "arr", operator: "contains", value: "1" }]
    assert.match((await api.bad("/deals", { crm_filters: operator }, { key })).message, /operator must suit a number/)
  },
  "array filters take a modifier: is not": each([
    [{ owner_ids: ["o_ada", "o_cyd"], owner_filter_type: "is not" }, ["d03", "d04", "d05"]],
    [{ collaborators: ["o_ada"], collaborator_filter_type: "is not" }, rest("d04")],
    [{ competitors: ["Acme"], competitors_filter_type: "is not" }, rest("d01", "d02")],
    [{ primary_competitors: ["Acme"], primary_competitor_filter_type: "is not" }, rest("d01")],
    [{ product_labels: ["Platform"], product_filter_type: "is not" }, rest("d01", "d02")],
    [{ status: ["Discovery", "Proposal"], status_filter_type: "is not" }, ["d01", "d03", "d05"]],
    [{ deal_type: ["New"], deal_type_filter_type: "is not" }, rest("d04", "d05")],
    [{ region: ["AMER"], region_filter_type: "is not" }, ["d01", "d02", "d03", "d05", "d06"]],
    [{ industry: ["software"], industry_filter_type: "is not" }, rest("d01", "d02")],
  ]),
  "array filters take a modifier: is all of, is any of": each([
    [{ competitors: ["Acme", "Globex"], competitors_filter_type: "is all of" }, ["d01"]],
    [{ product_labels: ["Platform", "Insights"], product_filter_type: "is all of" }, ["d01"]],
    [{ collaborators: ["o_bob", "o_cyd"], collaborator_filter_type: "is all of" }, ["d01"]],
    [{ owner_ids: ["o_ada", "o_bob"], owner_filter_type: "is all of" }, []],
    [{ owner_ids: ["o_ada"], owner_filter_type: "is any of" }, ["d01", "d02"]],
  ]),
  "array filters take a modifier: is empty, is not empty": each([
    [{ owner_filter_type: "is empty" }, ["d05"]],
    [{ competitors_filter_type: "is empty" }, rest("d01", "d02", "d03")],
    [{ competitors_filter_type: "is not empty" }, ["d01", "d02", "d03"]],
    [{ primary_competitor_filter_type: "is not empty" }, ["d01", "d03"]],
    [{ product_filter_type: "is not empty" }, ["d01", "d02", "d04"]],
    [{ collaborator_filter_type: "is not empty" }, ["d01", "d04"]],
    [{ region_filter_type: "is empty" }, ["d03", "d06"]],
    [{ deal_type_filter_type: "is not empty" }, ["d01", "d02", "d04", "d05"]],
    [{ industry_filter_type: "is not empty" }, ["d01", "d02", "d03"]],
    [{ status_filter_type: "is empty" }, []],
  ]),
})

/** Older names, on the data set. */
export const olderNames = section("GET /deals", ["data"], {
  "rule 3: deal_analyzed takes a JSON array of the text true": each([
    [{ deal_analyzed: ["true"] }, ["d01", "d02", "d04"]],
    [{ deal_analyzed: ["true", "false"] }, [...DEAL_IDS]],
    [{ deal_analyzed: "true" }, ["d01", "d02", "d04"]],
    [{ analysis_verified: ["true"] }, ["d01"]],
  ]),
  "rule 3: the other older names mean the same as the new ones": each([
    [{ competitor_ids: ["k_acme"] }, ["d01", "d02"]],
    [{ product_ids: ["Insights"] }, ["d01", "d04"]],
    [{ proposal_due: { from: "2026-12-01" } }, ["d05"]],
    [{ type: ["New"] }, ["d04", "d05"]],
    [{ type: ["New"], deal_type_filter_type: "is not" }, rest("d04", "d05")],
  ]),
  "an older and a newer name may agree but not differ": async (api) => {
    await finds(api, { type: ["New"], deal_type: ["New"] }, ["d04", "d05"])
    await finds(api, { deal_analyzed: ["true"], analyzed: "true" }, ["d01", "d02", "d04"])
    for (const [query, name] of [
      [{ type: ["New"], deal_type: ["Renewal"] }, "type"],
      [{ deal_analyzed: ["true"], analyzed: "false" }, "deal_analyzed"],
      [{ proposal_due: { from: "2026-01-01" }, close_date: { from: "2026-01-02" } }, "proposal_due"],
      [{ competitor_ids: ["a"], competitors: ["b"] }, "competitor_ids"],
    ] as const) {
      assert.ok((await api.bad("/deals", query)).message.includes(name))
    }
  },
})
