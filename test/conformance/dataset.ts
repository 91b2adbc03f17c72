import assert from "node:assert/strict"
import type { Client } from "./Client.ts"

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

/** Every kind of entry that a deal refers to. */
const NAMES = [
  { type: "stage", id: "s_disc", name: "Discovery", category: "open", position: 1 },
  { type: "stage", id: "s_prop", name: "Proposal", category: "open", position: 2 },
  { type: "stage", id: "s_won", name: "Closed Won", category: "won", position: 3 },
  { type: "stage", id: "s_lost", name: "Closed Lost", category: "lost", position: 4 },
  { type: "owner", id: "o_ada", name: "Ada Byron", email: "ada@example.com" },
  { type: "owner", id: "o_bob", name: "Bob Noyce", email: null },
  { type: "owner", id: "o_cyd", name: "Cyd Ruiz", email: null },
  { type: "competitor", id: "k_acme", name: "Acme", website_url: "https://acme.example" },
  { type: "competitor", id: "k_globex", name: "Globex" },
  { type: "reason", id: "r_price", name: "Price", category: "commercial" },
  { type: "reason", id: "r_fit", name: "Fit" },
  { type: "crm_property", crm: "crm_one", object: "deal", id: "forecast", label: "Forecast", data_type: "text" },
  { type: "crm_property", crm: "crm_one", object: "deal", id: "arr", label: "ARR", data_type: "number" },
  { type: "crm_property", crm: "crm_two", object: "deal", id: "renewal", label: "Renewal", data_type: "date" },
  { type: "crm_property", crm: "crm_one", object: "deal", id: "strategic", label: "Strategic", data_type: "boolean" },
  { type: "crm_property", crm: "crm_one", object: "account", id: "tier", label: "Tier", data_type: "text" },
  { type: "crm_property", crm: "crm_two", object: "account", id: "employees", label: "Staff", data_type: "number" },
  { type: "metric", id: "m_champion", name: "Champion Strength" },
  { type: "answer", id: "w_now", name: "Why Now" },
  { type: "segment", id: "seg_big", name: "Big deals", filters: { amount: { min: 50_000 } } },
  {
    type: "client",
    id: "c_north",
    name: "Northwind",
    crm_one_id: "001N",
    crm_two_id: "c-1",
    industry: "software",
    website_url: "https://northwind.example",
    crm_properties: { tier: "gold", employees: 120 },
  },
  { type: "client", id: "c_south", name: "Südwind", industry: "retail", crm_properties: { tier: "silver" } },
  {
    type: "feature",
    id: "f_sso",
    name: "Single sign-on",
    description: "SAML and OIDC",
    product: "Platform",
    product_area: "Security",
  },
  { type: "feature", id: "f_api", name: "Bulk API", description: "", product: "Platform", product_area: "Integration" },
  { type: "feature", id: "f_board", name: "Dashboards", description: "", product: "Insights", product_area: "Reports" },
]

/** The complete summary of an analyzed deal. */
export const STORY = {
  executive_summary: "Won on fit.",
  deal_overview: "A renewal with a wider scope.",
  decision_drivers: ["Fit"],
  competitive_landscape: "Acme came second.",
  key_quotes: ['"It just worked" \u2014 their CTO'],
  lessons_learned: ["Start with security"],
  recommendations: [],
}

const scores = (from: number) =>
  Object.fromEntries(
    METRICS.map((metric, index) => [metric, { score: 1 + ((from + index) % 5), explanation: `why ${metric}` }]),
  )

const DEALS = [
  {
    id: "d01",
    name: "Northwind renewal",
    crm_one_id: "006A",
    crm_two_id: "9001",
    amount: 12_000.5,
    status: "s_won",
    previous_status: "s_prop",
    close_date: "2026-01-31",
    created_at: "2026-01-01T00:00:00.000Z",
    updated_at: "2026-02-01T08:00:00.000Z",
    owner: "o_ada",
    collaborators: ["o_bob", "o_cyd"],
    client: "c_north",
    deal_type: "Renewal",
    region: "EMEA",
    product_labels: ["Insights", "Platform"],
    competitors: [
      { competitor: "k_acme", is_primary: true, is_incumbent: false },
      { competitor: "k_globex", is_primary: false, is_incumbent: true },
    ],
    drivers: [
      { reason: "r_fit", positive: true, summary: "Fitted at once" },
      { reason: "r_price", positive: false, summary: null },
    ],
    summary: STORY,
    scorecard: scores(3),
    deal_analyzed: true,
    analysis_verified: true,
    crm_properties: { forecast: "commit", arr: 12_000, renewal: "2027-01-31", strategic: true },
    custom_metrics: { "Champion Strength": { score: 4, explanation: "Their CTO" } },
    custom_answers: { "Why Now": "The budget ends" },
  },
  {
    id: "d02",
    name: "Northwind expansion",
    crm_one_id: "006B",
    amount: 50_000,
    status: "s_disc",
    close_date: "2026-02-28",
    created_at: "2026-01-02T10:00:00.000Z",
    updated_at: "2026-02-02T00:00:00.000Z",
    owner: "o_ada",
    client: "c_north",
    deal_type: "Expansion",
    region: "EMEA",
    product_labels: ["Platform"],
    competitors: [{ competitor: "k_acme", is_primary: false, is_incumbent: false }],
    drivers: [{ reason: "r_price", positive: true, summary: "Cheaper" }],
    summary: "An older summary in plain text",
    scorecard: { product_fit: { score: 3, explanation: "Enough" }, relationship: { score: 2.5, explanation: null } },
    deal_analyzed: true,
    analysis_verified: false,
    crm_properties: { forecast: "best case", arr: 50_000 },
  },
  {
    id: "d03",
    name: "Südwind Überblick",
    amount: null,
    status: "s_lost",
    close_date: null,
    created_at: "2026-01-03T23:59:59.999Z",
    updated_at: "2026-02-03T00:00:00.000Z",
    owner: "o_bob",
    client: "c_south",
    competitors: [{ competitor: "k_globex", is_primary: true, is_incumbent: false }],
    deal_analyzed: false,
  },
  {
    id: "d04",
    name: "Tailspin migration",
    crm_two_id: "9004",
    amount: 50_000.01,
    status: "s_prop",
    close_date: "2026-03-31",
    created_at: "2026-01-04T00:00:00.000Z",
    updated_at: "2026-01-04T00:00:00.000Z",
    owner: "o_bob",
    collaborators: ["o_ada"],
    deal_type: "New",
    region: "AMER",
    product_labels: ["Insights"],
    scorecard: { product_fit: { score: 5, explanation: null } },
    deal_analyzed: true,
    analysis_verified: false,
    crm_properties: { renewal: "2026-06-30", strategic: false },
  },
  {
    id: "d05",
    name: '100% sure_thing "quoted", comma',
    amount: 0,
    status: "s_won",
    close_date: "2026-12-31",
    created_at: "2026-01-05T00:00:00.000Z",
    updated_at: "2026-01-05T00:00:00.000Z",
    deal_type: "New",
    region: "APAC",
    deal_analyzed: false,
  },
  {
    id: "d06",
    name: "O'Reilly; drop table deals --",
    amount: -500,
    status: "s_disc",
    close_date: "2025-12-31",
    created_at: "2026-01-06T00:00:00.000Z",
    updated_at: "2026-01-06T00:00:00.000Z",
    owner: "o_cyd",
    deal_analyzed: false,
  },
  // Equal in every sort field except the name, so that only the id orders them.
  ...[7, 8, 9, 10, 11, 12].map((n) => ({
    id: `d${String(n).padStart(2, "0")}`,
    name: `Fabrikam ${n}`,
    amount: 7000,
    status: "s_disc",
    close_date: "2026-05-05",
    created_at: "2026-01-07T00:00:00.000Z",
    updated_at: "2026-01-07T00:00:00.000Z",
    owner: "o_cyd",
    region: "AMER",
    deal_analyzed: false,
  })),
].map((deal) => ({ type: "deal", ...deal }))

const ASSOCIATIONS = [
  ["a01", "d01", "f_sso", "2026-02-01T00:00:00.000Z", true, ["security", "must-have"], "Asked for SSO"],
  ["a02", "d02", "f_sso", "2026-02-02T00:00:00.000Z", false, ["security"], "SSO was missing"],
  ["a03", "d03", "f_sso", "2026-02-10T23:59:59.999Z", null, [], null],
  ["a04", "d01", "f_api", "2026-02-11T00:00:00.000Z", true, ["integration"], "Bulk loads"],
  ["a05", "d04", "f_board", "2026-02-12T00:00:00.000Z", null, ["must-have"], null],
  ["a06", "d05", "f_board", "2026-02-12T00:00:00.000Z", true, ["must-have", "a b"], "Dashboards"],
].map(([id, deal, feature, created_at, sentiment, tags, influence_summary]) => ({
  type: "association",
  id,
  deal,
  feature,
  created_at,
  sentiment,
  tags,
  influence_summary,
}))

/** Associations come before what they refer to, because the order of a file is free. */
export const RECORDS: ReadonlyArray<Readonly<Record<string, unknown>>> = [...ASSOCIATIONS, ...DEALS, ...NAMES]

export const DEAL_IDS = DEALS.map(({ id }) => id)
export const ASSOCIATION_IDS = ASSOCIATIONS.map(({ id }) => id as string)

export const ndjson = (records: ReadonlyArray<unknown>): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join("")

/** The counts in the reply of POST /import. */
export interface Imported {
  readonly import_id: string
  readonly undo: boolean
  readonly received: number
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly deleted: number
  readonly failed: number
  readonly errors: ReadonlyArray<{ readonly line: number; readonly field: string; readonly reason: string }>
  readonly warnings: ReadonlyArray<unknown>
  readonly created_names: Readonly<Record<string, number>>
}

export const NOTHING: Imported = {
  import_id: "",
  undo: false,
  received: 0,
  created: 0,
  updated: 0,
  unchanged: 0,
  deleted: 0,
  failed: 0,
  errors: [],
  warnings: [],
  created_names: {},
}

/** Imports the data set into the client's organization. Refuses an organization with other data. */
export const importDataset = async (api: Client): Promise<Imported> => {
  const { key } = api.target
  const reply = await api.request("/import", {
    method: "POST",
    key,
    body: ndjson(RECORDS),
    headers: { "content-type": "application/x-ndjson" },
  })
  assert.equal(reply.status, 200, `POST /import answered ${reply.status}: ${reply.text.slice(0, 1000)}`)
  assert.deepEqual(reply.json.errors, [])
  const { count } = await api.get("/deals", { count: true }, { key })
  assert.equal(count, DEALS.length, `the organization of this key holds ${count} deals: give one that holds nothing`)
  return reply.json as Imported
}
