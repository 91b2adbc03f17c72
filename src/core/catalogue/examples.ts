import { type Examples, json } from "../http/api/Example.ts"

const DEAL = { type: "deal", crm_one_id: "0061t00000ABCDE", name: "Hartwell renewal", amount: 48000, status: "Lost" }

const IMPORT_ID = "imp_7Qm4t"

const SETTINGS = {
  name: "Acme",
  currency: "EUR",
  fiscal_start: 4,
  timezone: "Europe/Berlin",
  our_names: ["Acme", "Acme GmbH"],
  our_domains: ["acme.example"],
  analysis: "manual",
  analysis_budget: 5_000_000,
  links: "figures",
  renewal_types: ["Renewal"],
  no_decision: "No decision",
  rubrics: {
    price_sensitivity: {
      1: "The price plays no part",
      3: "Procurement asks for a discount",
      5: "The price decides",
    },
  },
}
const STAGE = { id: "stage_won", name: "Closed won", category: "won", position: 5, probability: null, deals: 218 }
const CRM_PROPERTY = { id: "forecast", name: "Forecast", crm: "crm_one", object: "deal", data_type: "text", deals: 402 }

const first = (...data: ReadonlyArray<object>) => ({ data, has_more: false })
const item = (id: string | null, name: string, deals: number) => ({ id, name, deals })

export const workspaceExamples = {
  import: {
    replies: "The number of records read, created, updated, unchanged, deleted and refused, with the reasons.",
    query: {
      type: "deal",
      map: "Opportunity ID=crm_one_id,Stage=status",
      dates: "DMY",
      decimal: ".",
      rates: "EUR:1.08",
      stage: "Closed=lost",
      create: "all",
      encoding: "windows-1252",
      sheet: "Deals",
      empty: "keep",
      keep_unmapped: "crm_one",
      dry_run: true,
      plan_id: "pln_4pQ9sT2mX7cR1vB8nK5wZ3",
    },
    request: {
      "application/x-ndjson": DEAL,
      "text/csv": "crm_one_id,name,amount,status\n0061t00000ABCDE,Hartwell renewal,48000,Lost\n",
      "application/octet-stream": "(the bytes of deals.xlsx)",
    },
    reply: json({
      received: 3,
      created: 1,
      updated: 1,
      unchanged: 0,
      deleted: 0,
      failed: 1,
      not_rows: 1,
      errors: [{ line: 3, field: "amount", reason: "must be an amount such as 1250 or 1,250.00", value: "tbd" }],
      assumptions: {
        container: "csv",
        encoding: "utf-8",
        delimiter: ",",
        header_line: 1,
        currency: "USD",
        decimal: { amount: "." },
        date_order: { close_date: "DMY" },
        columns: [
          { column: "Opportunity ID", field: "crm_one_id", confidence: 1, by: "map" },
          { column: "Amount", field: "amount", confidence: 1, by: "name" },
          { column: "Forecast", field: null, confidence: 0, by: "name" },
        ],
        timezone: "Europe/Berlin",
        matched_by: { crm_one_id: 1 },
        stages: [{ name: "Lost", category: "lost", by: "words" }],
      },
      warnings: [
        {
          code: "total_skipped",
          message: "rows of totals are no records and are not imported",
          count: 1,
          lines: [4],
          examples: ["Total, 48000"],
        },
      ],
      created_names: { stage: 1 },
      counts_from: "file",
      examples: [
        {
          line: 2,
          result: "created",
          before: null,
          after: { crm_one_id: "0061t00000ABCDE", amount: 48000, status: "Lost" },
        },
        { line: 5, result: "updated", before: { amount: 900 }, after: { amount: 1200 } },
      ],
      plan_id: "pln_4pQ9sT2mX7cR1vB8nK5wZ3",
    }),
  },
  getImport: {
    path: { id: IMPORT_ID },
    replies: "What the import did, and what came of its undo.",
    reply: json({
      import_id: IMPORT_ID,
      status: "completed",
      created_by: "key_6Lp0a",
      started_at: "2026-04-02T08:00:00.000Z",
      ended_at: "2026-04-02T08:00:02.100Z",
      received: 2,
      created: 1,
      updated: 0,
      unchanged: 0,
      deleted: 0,
      failed: 1,
      undo: false,
      undo_refusal: "it was undone",
      undo_until: "2026-04-09T08:00:02.100Z",
      undone_at: "2026-04-02T08:10:00.500Z",
      undone: {
        run_id: "run_3Kd9y",
        status: "completed",
        restored: 0,
        removed: 1,
        recreated: 0,
        kept_count: 1,
        kept: [{ type: "stage", id: "stg_8Vn2c", reason: "in_use" }],
        error: null,
      },
    }),
  },
  undoImport: {
    path: { id: IMPORT_ID },
    replies: "The run that undoes the import.",
    reply: json({ import_id: IMPORT_ID, run_id: "run_3Kd9y", status: "queued" }),
  },
  get: {
    replies: "The settings, and the first 100 of each kind.",
    reply: json({
      settings: SETTINGS,
      stages: first(STAGE),
      owners: first(item("owner_farah", "Farah Rasmussen", 61)),
      competitors: first({
        ...item("comp_orvanta", "Orvanta", 97),
        website_url: "https://orvanta.example",
        aliases: ["Orvanta Flow"],
      }),
      reasons: first({ ...item("reason_price", "Price", 120), category: "Commercial", aliases: ["Cost"] }),
      features: first({
        ...item("feature_sso", "Single sign-on", 33),
        description: "SAML and OpenID Connect",
        product: "Platform",
        product_area: "Access",
        aliases: ["SSO"],
      }),
      segments: first({ ...item("segment_enterprise", "Enterprise", 40), filters: { amount: { min: 50000 } } }),
      regions: first(item(null, "EMEA", 210)),
      industries: first(item(null, "Logistics", 34)),
      deal_types: first(item(null, "Renewal", 88)),
      product_labels: first(item(null, "Platform", 301)),
      tags: first(item(null, "blocker", 27)),
      metrics: first({
        ...item("metric_fit", "Security fit", 75),
        question: "How well do we meet the buyer's security demands?",
        filters: {},
      }),
      answers: first({
        ...item("answer_next", "Next step", 75),
        question: "What did both sides agree to do next?",
        filters: { status: ["open"] },
        form: "sentence",
        options: [],
      }),
      crm_properties: first(CRM_PROPERTY),
      duplicates: [
        {
          type: "deal",
          field: "crm_one_id",
          key: "0061t00000ABCDE",
          records: [
            { id: "dea_1", name: "Hartwell renewal", crm_id: "0061t00000ABCDE" },
            { id: "dea_2", name: "Hartwell renewal", crm_id: "0061t00000ABCDEAA2" },
          ],
        },
      ],
    }),
  },
  update: {
    replies: "All settings, after the change.",
    request: json({ currency: "EUR", fiscal_start: 4, timezone: "Europe/Berlin" }),
    reply: json(SETTINGS),
  },
  list: {
    path: { kind: "stages" },
    replies: "A page of the kind.",
    query: { searchQuery: "won", cursor: "eyJuIjoiQ2xvc2VkIHdvbiJ9" },
    reply: json({ data: [STAGE], has_more: false, next_cursor: null }),
  },
  put: {
    path: { kind: "stages", id: STAGE.id },
    replies: "The entry, after the change; 201 if it is new.",
    request: json({ name: "Closed won", category: "won", position: 5 }),
    reply: json(STAGE),
  },
  delete: { path: { kind: "stages", id: STAGE.id }, replies: "The entry is deleted." },
} satisfies Examples
