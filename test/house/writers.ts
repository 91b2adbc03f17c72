/** The one file that writes a table; or several, with the reason. */
type Writers =
  | string
  | { readonly files: readonly [string, string, ...ReadonlyArray<string>]; readonly because: string }

/** The only files that may write each table. Only migrations write the tables of plans and migrations. */
export const WRITERS: Readonly<Record<string, Writers>> = {
  analysis_calls: "src/core/analysis/writing.ts",
  analysis_spending: "src/core/analysis/writing.ts",
  api_key_usage: {
    files: [
      "src/core/access/Admission.ts",
      "src/core/keys/ApiKeys.ts",
      "src/core/access/enrol.ts",
      "src/core/storage/functions/access.ts",
    ],
    because:
      "ApiKeys and enrol insert the counter of a new key or identity. The function that admits a request charges it, before an organization is in scope; Admission gives back one that never began.",
  },
  api_keys: {
    files: ["src/core/keys/ApiKeys.ts", "src/core/access/enrol.ts"],
    because: "An identity has no secret and no creator; each store of limits enrols it.",
  },
  associations: "src/core/intelligence/writing.ts",
  audit_log: {
    files: ["src/core/audit/recordAct.ts", "src/core/storage/functions/access.ts"],
    because: "Refused sign-ins belong to organizations that are not in scope.",
  },
  blob_parts: "src/adapters/blobs/database.ts",
  blobs: "src/adapters/blobs/database.ts",
  boards: "src/core/views/sql.ts",
  change_feeds: "src/core/storage/recordChanges.ts",
  change_horizons: "src/core/storage/functions/retention.ts",
  changes: {
    files: ["src/core/storage/functions/retention.ts", "src/core/storage/recordChanges.ts"],
    because: "recordChanges writes them with what changed. Deletions expire across organizations.",
  },
  crm_properties: "src/core/records/crmProperties.ts",
  deal_analyses: "src/core/analysis/writing.ts",
  deal_json: "src/core/deals/rows/stored.ts",
  deal_records: "src/core/search/recordSql.ts",
  deals: "src/core/records/dealRows.ts",
  document_chunks: "src/core/library/writing.ts",
  document_parts: "src/core/library/writing.ts",
  document_texts: "src/core/library/writing.ts",
  documents: "src/core/library/writing.ts",
  erasures: "src/core/catalogue/erase.ts",
  exports: "src/core/exports/sql.ts",
  figures: "src/core/answers/figures/layerFigureLinks.ts",
  findings: "src/core/analysis/writing.ts",
  grant_secrets: "src/core/oauth/layerGrants.ts",
  grants: "src/core/oauth/layerGrants.ts",
  idempotent_replies: "src/core/replies/Replies.ts",
  idempotent_reply_parts: "src/core/replies/StreamedReplies.ts",
  import_log: "src/core/records/log/sql.ts",
  import_pages: "src/core/import/run/DeferredRecords.ts",
  import_plans: "src/core/import/planStore.ts",
  imports: "src/core/records/log/sql.ts",
  jobs: {
    files: ["src/core/jobs/JobQueue.ts", "src/core/jobs/attempt.ts", "src/core/storage/functions/jobs.ts"],
    because: "The functions claim jobs across organizations.",
  },
  members: "src/core/members/layerMembers.ts",
  oauth_clients: {
    files: ["src/core/oauth/layerClients.ts", "src/core/oauth/layerGrants.ts", "src/core/storage/functions/grants.ts"],
    because: "A grant marks its client as used, in its own transaction. Unused registrations expire by the function.",
  },
  organization_usage: {
    files: [
      "src/core/access/Admission.ts",
      "src/core/answers/figures/layerFigureViews.ts",
      "src/core/storage/functions/access.ts",
      "src/core/catalogue/Organizations.ts",
    ],
    because:
      "Organizations inserts the counters of a new organization. The functions charge them, before an organization is in scope; Admission returns an unused export, and a request that never began.",
  },
  organizations: {
    files: [
      "src/core/import/run/prepareCurrency.ts",
      "src/core/catalogue/erase.ts",
      "src/core/catalogue/Organizations.ts",
    ],
    because:
      "Erasing deletes the row and the rows without a foreign key in one transaction. An import gives a workspace without a currency the one of its file.",
  },
  passage_terms: "src/core/search/writing.ts",
  passage_totals: "src/core/search/writing.ts",
  passage_vectors: "src/core/search/writing.ts",
  passages: "src/core/search/writing.ts",
  pending_erasures: "src/core/catalogue/erase.ts",
  refused_sign_ins: {
    files: ["src/core/access/RefusedSignIns.ts", "src/core/storage/functions/retention.ts"],
    because: "Only the function may delete them.",
  },
  segments: "src/core/records/entityRows.ts",
  sessions: {
    files: ["src/core/sessions/Sessions.ts", "src/core/storage/functions/sessions.ts"],
    because: "The functions open a link and charge a session's window, before an organization is in scope.",
  },
  signing_secret: "src/core/signing/fingerprint.ts",
  stale_deal_records: {
    files: ["src/core/search/writing.ts", "src/core/storage/recordChanges.ts"],
    because: "recordChanges marks what a transaction changed, on a floor below search. Search takes the marks.",
  },
  vector_sets: {
    files: ["src/core/search/writing.ts", "src/core/storage/functions/search.ts"],
    because: "The function leases sets across organizations.",
  },
  conversations: {
    files: ["src/core/answers/conversations/layerConversations.ts", "src/core/keys/ApiKeys.ts"],
    because: "Revoking a key deletes what it kept to itself, in its transaction, on a floor below answers.",
  },
  conversation_turns: "src/core/answers/conversations/layerConversations.ts",
  views: "src/core/views/sql.ts",
  webhook_deliveries: {
    files: ["src/core/storage/functions/webhooks.ts", "src/core/webhooks/sql.ts"],
    because: "The function claims deliveries across organizations.",
  },
  webhooks: {
    files: ["src/adapters/backup/restore.ts", "src/core/keys/ApiKeys.ts", "src/core/webhooks/sql.ts"],
    because:
      "Revoking a key disables the webhooks that it made, in its transaction, on a floor below webhooks. Restoring a backup that is not authentic pauses all.",
  },
}

export const filesOf = (writers: Writers): ReadonlyArray<string> =>
  typeof writers === "string" ? [writers] : writers.files

/** The files with statements that take the table name from a variable, and the tables that they write. */
export const WRITERS_BY_VARIABLE: Readonly<Record<string, ReadonlyArray<string>>> = {
  // A restore fills every table of an empty database with rows that these writers wrote.
  "src/adapters/backup/tables.ts": ["every table"],
  // Fills the folded columns of rows that an earlier version wrote.
  "src/core/storage/foldedColumns.ts": [
    "stages",
    "owners",
    "competitors",
    "reasons",
    "clients",
    "features",
    "metrics",
    "answers",
    "segments",
    "deals",
    "deal_product_labels",
  ],
  "src/core/catalogue/erase.ts": [
    "passage_terms",
    "passage_totals",
    "stale_deal_records",
    "api_keys",
    "organization_usage",
  ],
  // What is kept for a limited time expires across organizations.
  "src/core/storage/functions/retention.ts": [
    "audit_log",
    "jobs",
    "webhook_deliveries",
    "idempotent_replies",
    "import_log",
    "import_pages",
    "import_plans",
    "imports",
    "cited_reports",
    "figures",
  ],
  "src/core/records/dealRows.ts": ["deal_collaborators", "deal_competitors", "deal_drivers", "deal_product_labels"],
  "src/core/records/History.ts": ["deal_close_date_changes", "deal_stage_changes"],
  "src/core/records/entityRows.ts": [
    "answers",
    "clients",
    "competitors",
    "features",
    "metrics",
    "owners",
    "reasons",
    "segments",
    "stages",
  ],
}
