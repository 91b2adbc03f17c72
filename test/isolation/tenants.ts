import type { Kind } from "./kinds.ts"

/**
 * The records of a tenant. Half of its ids and CRM ids are the same in every tenant, half are its own. Every text names
 * the tenant, so that a leak is visible in a reply.
 */
export const recordsOf = (tenant: string) => {
  const own = (of: "same" | "only") => {
    const id = (prefix: string) => `${prefix}_${of === "same" ? "same" : tenant}`
    const name = (what: string) => `${what} ${of} of ${tenant}`
    return [
      { type: "stage", id: id("s"), name: name("Stage"), category: "open", position: 1 },
      { type: "owner", id: id("o"), name: name("Owner"), email: `${of}@${tenant}.example` },
      { type: "competitor", id: id("k"), name: name("Competitor") },
      { type: "reason", id: id("r"), name: name("Reason") },
      { type: "feature", id: id("f"), name: name("Feature"), description: name("About"), product: name("Product") },
      { type: "segment", id: id("seg"), name: name("Segment"), filters: { region: ["EMEA"] } },
      { type: "metric", id: id("m"), name: id("m") },
      { type: "answer", id: id("w"), name: id("w") },
      ...(["deal", "account"] as const).flatMap((object) =>
        (["crm_one", "crm_two"] as const).map((crm) => ({
          type: "crm_property",
          crm,
          object,
          id: id("p"),
          data_type: "text",
        })),
      ),
      {
        type: "client",
        id: id("c"),
        name: name("Client"),
        crm_one_id: id("001"),
        crm_two_id: id("c2"),
        industry: name("Industry"),
        crm_properties: { [id("p")]: name("Account value") },
      },
      {
        type: "deal",
        id: id("d"),
        name: name("Deal"),
        crm_one_id: id("006"),
        crm_two_id: id("900"),
        amount: 1000,
        region: "EMEA",
        created_at: "2026-01-01T00:00:00Z",
        updated_at: "2026-01-01T00:00:00Z",
        status: id("s"),
        owner: id("o"),
        collaborators: [id("o")],
        client: id("c"),
        competitors: [{ competitor: id("k"), is_primary: true, is_incumbent: false }],
        drivers: [{ reason: id("r"), positive: true, summary: name("Driver") }],
        product_labels: [name("Label")],
        summary: name("Summary"),
        deal_analyzed: true,
        crm_properties: { [id("p")]: name("Value") },
        custom_metrics: { [id("m")]: { score: 3, explanation: name("Because") } },
        custom_answers: { [id("w")]: name("Answer") },
      },
      {
        type: "association",
        id: id("a"),
        deal: id("d"),
        feature: id("f"),
        created_at: "2026-01-02T00:00:00Z",
        influence_summary: name("Influence"),
        sentiment: true,
        tags: [name("tag")],
      },
    ]
  }
  return [...own("same"), ...own("only")]
}

/** Documents and their runs as stored rows, because no import record creates them. */
export const documentsOf = (tenant: string) =>
  (["same", "only"] as const).map((of) => {
    const own = of === "same" ? "same" : tenant
    return {
      document: {
        id: `doc_${own}`,
        type: "intel",
        source: "api",
        file_name: `Document ${of} of ${tenant}.md`,
        content_type: "text/markdown",
        status: "ready",
        ...(of === "same" ? { deal_id: "d_same" } : { competitor_id: `k_${tenant}` }),
      },
      run: { id: `run_${own}`, kind: "document", subject: `doc_${own}`, state: "completed", stage: "completed" },
      text: `What ${tenant} wrote down.`,
    }
  })

/** Findings in a document that every tenant has, as stored rows. */
export const findingsOf = (tenant: string) =>
  ["same", tenant].map((own) => ({
    id: `fnd_${own}`,
    deal_id: "d_same",
    document_id: "doc_same",
    kind: "competitor",
    target_id: "k_same",
    target_name: `Competitor same of ${tenant}`,
    side: "buyer",
    quote: `What ${tenant} wrote down.`,
    start_at: 0,
    end_at: 10,
    method: `Model of ${tenant}`,
    version: "1",
    // Judged findings are labels.
    state: own === "same" ? "proposed" : "rejected",
  }))

/** A plan for a file of one column, as a stored row. */
export const planOf = (own: string) => ({
  id: `pln_${own}`,
  body: JSON.stringify({
    version: 1,
    file: { container: "csv", encoding: "utf-8", isEncodingGuessed: false, delimiter: "," },
    plan: {
      type: "owner",
      headerLine: 1,
      header: ["name"],
      columns: [{ column: "name", field: "name", confidence: 1, by: "name" }],
      fields: [{ field: "name", path: ["name"], kind: "text", cells: [0] }],
      currency: { isTaken: false, isUnknown: false, rates: {} },
      known: {},
    },
    notices: [],
    needs: [],
    properties: {},
  }),
})

/** Finished exports and their jobs. */
export const exportsOf = (tenant: string) =>
  ["same", tenant].map((own) => {
    const job = { id: `run_exp_${own}`, kind: "export", subject: `exp_${own}`, state: "completed", stage: "completed" }
    return { job, export: { id: `exp_${own}`, job_id: job.id, columns: '["name"]', filters: "{}", csv_safe: true } }
  })

/** Inactive webhooks and their past deliveries, as stored rows. */
export const webhooksOf = (tenant: string) =>
  (["same", "only"] as const).map((of) => {
    const own = of === "same" ? "same" : tenant
    return {
      webhook: {
        id: `wh_${own}`,
        url: "https://hooks.example/",
        description: `Webhook ${of} of ${tenant}`,
        event_types: ["deal.created"],
        status: "paused",
        secret: new Uint8Array(60),
        cursor: "none",
        seen: "3",
      },
      delivery: {
        id: `msg_${own}`,
        n: "1",
        webhook_id: `wh_${own}`,
        event: "deal.created",
        subject: `deal d_${own}`,
        body: JSON.stringify({ type: "deal.created", data: { id: `d_${tenant}` } }),
        state: "delivered",
      },
    }
  })

/** Shared boards and views, one of them on a board, as stored rows. */
export const boardsOf = (tenant: string) =>
  (["same", "only"] as const).map((of) => {
    const own = of === "same" ? "same" : tenant
    const common = { key_id: "key_same", is_shared: true }
    return {
      board: { id: `board_${own}`, name: `Board ${of} of ${tenant}`, ...common },
      view: {
        id: `view_${own}`,
        board_id: of === "same" ? "board_same" : null,
        name: `View ${of} of ${tenant}`,
        filters: "{}",
        ...common,
      },
    }
  })

/** Imports that have ended, as stored rows. They cannot be undone, so that no probe queues a run. */
export const importsOf = (tenant: string) =>
  ["same", tenant].map((own) => ({
    id: `imp_${own}`,
    created_by: `key_${own}`,
    complete: true,
    ended_at: new Date(),
    undo_refusal: `of ${tenant}`,
  }))

// Referring rows come before the rows that they refer to.
const PREFIX: Record<Exclude<Kind, "key">, string> = {
  plan: "pln",
  export: "exp",
  session: "session",
  grant: "grant",
  member: "member",
  conversation: "conv",
  view: "view",
  board: "board",
  import: "imp",
  delivery: "msg",
  webhook: "wh",
  association: "a",
  run: "run",
  finding: "fnd",
  document: "doc",
  deal: "d",
  crm_one: "006",
  crm_two: "900",
  owner: "o",
  stage: "s",
  competitor: "k",
  reason: "r",
  feature: "f",
  segment: "seg",
  client: "c",
  property: "p",
  metric: "m",
  answer: "w",
}

export const KINDS = Object.keys(PREFIX) as ReadonlyArray<Exclude<Kind, "key">>

/** The id that only this tenant has. */
export const idOf = (kind: Exclude<Kind, "key">, tenant: string) => `${PREFIX[kind]}_${tenant}`

/** The table and column by which to delete a row of a kind. */
export const TABLES: Record<Exclude<Kind, "key">, readonly [table: string, column: string]> = {
  plan: ["import_plans", "id"],
  export: ["exports", "id"],
  session: ["sessions", "id"],
  grant: ["grants", "id"],
  member: ["members", "id"],
  conversation: ["conversations", "id"],
  view: ["views", "id"],
  board: ["boards", "id"],
  import: ["imports", "id"],
  delivery: ["webhook_deliveries", "id"],
  webhook: ["webhooks", "id"],
  run: ["jobs", "id"],
  finding: ["findings", "id"],
  association: ["associations", "id"],
  document: ["documents", "id"],
  deal: ["deals", "id"],
  crm_one: ["deals", "crm_one_id"],
  crm_two: ["deals", "crm_two_id"],
  owner: ["owners", "id"],
  stage: ["stages", "id"],
  competitor: ["competitors", "id"],
  reason: ["reasons", "id"],
  feature: ["features", "id"],
  segment: ["segments", "id"],
  client: ["clients", "id"],
  property: ["crm_properties", "id"],
  metric: ["metrics", "id"],
  answer: ["answers", "id"],
}
