import assert from "node:assert/strict"
import { section } from "../Check.ts"
import { RECORDS, STORY } from "../dataset.ts"

/** Values, on the data set. */
export const dealValues = section("Deal", ["data"], {
  "each field has the value that was imported": async (api) => {
    const [deal] = await api.get("/deals", { deal_ids: ["d01"] })
    assert.deepEqual(deal, {
      id: "d01",
      name: "Northwind renewal",
      amount: 12_000.5,
      status_id: "s_won",
      previous_status_id: "s_prop",
      close_date: "2026-01-31",
      created_at: "2026-01-01T00:00:00.000Z",
      owner_id: "o_ada",
      crm_one_id: "006A",
      crm_two_id: "9001",
      deal_analyzed: true,
      analysis_verified: true,
      type: "Renewal",
      region: "EMEA",
      deal_competitor_associations: [
        { competitor_id: "k_acme", competitor_name: "Acme", is_primary: true, is_incumbent: false },
        { competitor_id: "k_globex", competitor_name: "Globex", is_primary: false, is_incumbent: true },
      ],
      drivers: [
        { reason_id: "r_fit", name: "Fit", category: null, positive: true, summary: "Fitted at once" },
        { reason_id: "r_price", name: "Price", category: "commercial", positive: false, summary: null },
      ],
      wl_product_fit_score: 4,
      wl_sales_execution_score: 5,
      wl_relationship_score: 1,
      wl_price_sensitivity_score: 2,
      wl_competitive_intensity_score: 3,
      wl_customer_fit_score: 4,
      wl_messaging_fit_score: 5,
      wl_messaging_accuracy_score: 1,
    })
  },
  "omitted fields are null, an empty array or false": async (api) => {
    const deal = await api.get("/deals/d03")
    for (const name of ["amount", "close_date", "type", "region", "crm_one_id", "previous_status_id", "summary"]) {
      assert.equal(deal[name], null, name)
    }
    for (const name of ["drivers", "product_labels", "collaborators", "segments"])
      assert.deepEqual(deal[name], [], name)
    assert.equal(deal.deal_analyzed, false)
    assert.equal(deal.wl_product_fit_score, null)
    assert.deepEqual(deal.scorecard.relationship, { score: null, explanation: null })
  },
  "names, amounts and quotes are returned unchanged": async (api) => {
    for (const { id, name, amount } of RECORDS.filter(({ type }) => type === "deal")) {
      assert.deepEqual(await api.get(`/deals/${id}`, { columns: "name,amount" }), { id, name, amount })
    }
  },
  "columns outside the default have the imported values": async (api) => {
    const columns =
      "updated_at,deal_status,owner_name,client_name,industry,website_url,product_labels,collaborators,segments"
    assert.deepEqual(await api.get("/deals/d01", { columns }), {
      id: "d01",
      updated_at: "2026-02-01T08:00:00.000Z",
      deal_status: "Closed Won",
      owner_name: "Ada Byron",
      client_name: "Northwind",
      industry: "software",
      website_url: "https://northwind.example",
      product_labels: ["Insights", "Platform"],
      collaborators: [
        { id: "o_bob", name: "Bob Noyce" },
        { id: "o_cyd", name: "Cyd Ruiz" },
      ],
      segments: [],
    })
    const { segments } = await api.get("/deals/d02", { columns: "segments" })
    assert.deepEqual(segments, [{ id: "seg_big", name: "Big deals" }])
  },
  "rule 1: competitors, features and drivers are flattened arrays": async (api) => {
    const deal = await api.get("/deals/d01", { columns: "competitors,features,primary_competitor" })
    assert.deepEqual(deal.competitors, [
      { id: "k_acme", name: "Acme", is_primary: true, is_incumbent: false },
      { id: "k_globex", name: "Globex", is_primary: false, is_incumbent: true },
    ])
    assert.deepEqual(deal.primary_competitor, { id: "k_acme", name: "Acme" })
    assert.deepEqual(deal.features, [
      {
        feature_id: "f_sso",
        name: "Single sign-on",
        product: "Platform",
        product_area: "Security",
        sentiment: true,
        influence_summary: "Asked for SSO",
        tags: ["security", "must-have"],
      },
      {
        feature_id: "f_api",
        name: "Bulk API",
        product: "Platform",
        product_area: "Integration",
        sentiment: true,
        influence_summary: "Bulk loads",
        tags: ["integration"],
      },
    ])
    assert.equal((await api.get("/deals/d02", { columns: "primary_competitor" })).primary_competitor, null)
  },
  "rule 2: summary is the full structured story": async (api) => {
    assert.deepEqual((await api.get("/deals/d01", { columns: "summary" })).summary, STORY)
  },
  "rule 2: summary is null for a deal not yet analyzed": async (api) => {
    assert.equal((await api.get("/deals/d05", { columns: "summary" })).summary, null)
  },
  "rule 2: an older plain-text summary comes back as a string": async (api) => {
    assert.equal((await api.get("/deals/d02", { columns: "summary" })).summary, "An older summary in plain text")
  },
  "rule 4: crm_{property_id} answers a deal's CRM property under the selector": async (api) => {
    const columns = "crm_forecast,crm_arr,crm_renewal,crm_strategic"
    assert.deepEqual(await api.get("/deals/d01", { columns }), {
      id: "d01",
      crm_forecast: "commit",
      crm_arr: 12_000,
      crm_renewal: "2027-01-31",
      crm_strategic: true,
    })
  },
  "rule 4: crm_crm_one_account_ and crm_crm_two_account_ answer an account's CRM property": async (api) => {
    const columns = "crm_crm_one_account_tier,crm_crm_two_account_employees"
    assert.deepEqual(await api.get("/deals/d01", { columns }), {
      id: "d01",
      crm_crm_one_account_tier: "gold",
      crm_crm_two_account_employees: 120,
    })
  },
  "rule 4: custom metrics and answers ignore case and spaces, and the reply uses the requested name": async (api) => {
    assert.deepEqual(
      await api.get("/deals/d01", {
        columns:
          "custom_metric_score_champion STRENGTH,custom_metric_explanation_ChampionStrength,custom_answer_why now,custom_answer_WHYNOW",
      }),
      {
        id: "d01",
        "custom_metric_score_champion STRENGTH": 4,
        custom_metric_explanation_ChampionStrength: "Their CTO",
        "custom_answer_why now": "The budget ends",
        custom_answer_WHYNOW: "The budget ends",
      },
    )
  },
  "rule 4: a dynamic column without a value is null": async (api) => {
    const selectors = [
      "crm_forecast",
      "crm_crm_one_account_tier",
      "custom_metric_score_Champion Strength",
      "custom_metric_explanation_Champion Strength",
      "custom_answer_Why Now",
    ]
    const deals = await api.get("/deals", { deal_ids: ["d05"], columns: selectors.join(",") })
    assert.deepEqual(deals, [{ id: "d05", ...Object.fromEntries(selectors.map((selector) => [selector, null])) }])
  },
  "rule 4: only synced CRM properties are accepted; unknown names are refused": async (api) => {
    for (const selector of [
      "crm_nope",
      "crm_tier",
      "crm_crm_two_account_tier",
      "custom_metric_score_nope",
      "custom_answer_Champion Strength",
      "custom_nope_x",
    ]) {
      const error = await api.bad("/deals", { columns: `name,${selector}` }, { key: api.target.key })
      assert.ok(error.message.includes(`'${selector}'`), error.message)
    }
  },
})
