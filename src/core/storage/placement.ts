/**
 * The nodes that have a table's rows on Citus. One server has them all.
 * - `distributed`: on the worker that has the organization, by `org_id`. A foreign key reaches only such tables and reference tables.
 * - `reference`: on every node, for tables that rows of every organization refer to. A write reaches every node.
 * - `local`: on the coordinator alone, for tables that are read before the organization is known.
 */
export type Placement = "distributed" | "reference" | "local"

/** Every table. A test compares the names with the catalogue. */
export const PLACEMENTS = {
  plans: "reference",
  organizations: "reference",

  // A request is admitted before its organization is known, by the hash of its key, in one transaction with its counters.
  api_keys: "local",
  api_key_usage: "local",
  organization_usage: "local",
  sessions: "local",
  grants: "local",
  grant_secrets: "local",
  members: "local",

  // Belong to no organization.
  chores: "local",
  erasures: "local",
  migrations: "local",
  oauth_clients: "local",
  pending_erasures: "local",
  refused_sign_ins: "local",
  signing_secret: "local",

  // The first: the others share its shards.
  deals: "distributed",
  analysis_calls: "distributed",
  analysis_spending: "distributed",
  answers: "distributed",
  associations: "distributed",
  audit_log: "distributed",
  blob_parts: "distributed",
  blobs: "distributed",
  boards: "distributed",
  change_feeds: "distributed",
  change_horizons: "distributed",
  changes: "distributed",
  cited_reports: "distributed",
  clients: "distributed",
  competitors: "distributed",
  conversation_turns: "distributed",
  conversations: "distributed",
  crm_properties: "distributed",
  deal_analyses: "distributed",
  deal_close_date_changes: "distributed",
  deal_collaborators: "distributed",
  deal_competitors: "distributed",
  deal_drivers: "distributed",
  deal_json: "distributed",
  deal_product_labels: "distributed",
  deal_records: "distributed",
  deal_stage_changes: "distributed",
  document_chunks: "distributed",
  document_parts: "distributed",
  document_texts: "distributed",
  documents: "distributed",
  exports: "distributed",
  features: "distributed",
  figures: "distributed",
  findings: "distributed",
  idempotent_replies: "distributed",
  idempotent_reply_parts: "distributed",
  import_log: "distributed",
  import_pages: "distributed",
  import_plans: "distributed",
  imports: "distributed",
  jobs: "distributed",
  metrics: "distributed",
  owners: "distributed",
  passage_terms: "distributed",
  passage_totals: "distributed",
  passage_vectors: "distributed",
  passages: "distributed",
  reasons: "distributed",
  segments: "distributed",
  stages: "distributed",
  stale_deal_records: "distributed",
  vector_sets: "distributed",
  views: "distributed",
  webhook_deliveries: "distributed",
  webhooks: "distributed",
} as const satisfies Readonly<Record<string, Placement>>

export type Table = keyof typeof PLACEMENTS
