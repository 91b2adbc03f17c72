/** The services of `run` and `layer` for a host that calls them without HTTP, with the types of what they take, return and fail with. */

// Organizations, their keys and limits.
export { Organizations } from "./catalogue/Organizations.ts"
export type {
  Erased,
  GivenOrganization,
  ListedOrganization,
  NewOrganization,
  Organization,
  OrganizationPage,
  OrganizationPatch,
} from "./catalogue/organization.ts"
export type { WorkspaceSettings, WorkspaceSettingsPatch } from "./catalogue/settings.ts"
export { ApiKeys, type ApiKey, type CreatedKey, type NewKey, type RevokeOptions } from "./keys/ApiKeys.ts"
export type { Environment } from "./access/secret.ts"
export { Tokens, type NewToken, type TokenFault } from "./access/Tokens.ts"
export type { TokenContent } from "./access/tokenContent.ts"
export { Usage, type KeyUsage, type OrganizationUsage, type UsageReport } from "./keys/Usage.ts"
export { Audit, type AuditPage, type AuditQuery, type Reading } from "./audit/Audit.ts"
export type { AuditAction } from "./audit/actions.ts"
export type { AuditEntry } from "./audit/contract.ts"
export type { Plan } from "./access/plans.ts"
export type { Caller, Grant, Permission, Role } from "./access/permissions.ts"
export type { Identity } from "./access/permissions.ts"
export type { Principal } from "./access/principal.ts"

// Deals and what hangs on them.
export {
  Deals,
  type DealBytes,
  type DriverCount,
  type ListQuery,
  type RowsPage,
  type RowsQuery,
  type Totals,
} from "./deals/Deals.ts"
export type { ColumnName, DynamicSelector, Row, RowOf, Selector } from "./deals/columns/row.ts"
export type {
  ColumnAliases,
  ColumnValues,
  CompetitorAssociation,
  DealFeature,
  DefaultName,
  Driver,
  Scorecard,
} from "./deals/columns/values.ts"
export type { DealFilters } from "./deals/filters/filters.ts"
export type { Sort, SortOrder } from "./deals/columns/sorting.ts"
export { RecordEdits, type Deletable, type NewAssociation } from "./deals/edits/RecordEdits.ts"
export type { DealUpdate } from "./deals/edits/record.ts"
export { Intelligence } from "./intelligence/Intelligence.ts"
export type { AssociationFilters } from "./intelligence/contract.ts"
export { Reports, type ReportQuery } from "./reports/Reports.ts"
export type { Report, ReportRow } from "./reports/contract.ts"
export type { Comparison } from "./reports/limits.ts"
export { Conversations } from "./answers/conversations/Conversations.ts"
export type { Conversation, ConversationEntry, ConversationTurn } from "./answers/conversations/contract.ts"
export { Views } from "./views/Views.ts"
export type { Board, NewBoard, NewView, SavedReport, View, ViewPatch } from "./views/contract.ts"
export { Exports, type ExportFile, type NewExport } from "./exports/Exports.ts"
export type { Export } from "./exports/contract.ts"
export type { CsvOptions, ExportFormat, ExportOptions } from "./exports/options.ts"
export type { ChangesPage } from "./changes/followChanges.ts"
export { Changes, type ChangesQuery, type ChangesStreamQuery } from "./changes/Changes.ts"
export type { Change, ChangeType } from "./changes/contract.ts"

// The workspace's names and its import.
export { Catalogue, type EntryPage, type EntryQuery, type Overview, type PutEntry } from "./catalogue/Catalogue.ts"
export type { Entry, EntryPatch } from "./catalogue/entries.ts"
export {
  Import,
  type ImportCounts,
  type ImportError,
  type ImportExample,
  type ImportFile,
  type ImportOptions,
  type ImportReport,
} from "./import/Import.ts"
export type { ImportRecord, RecordType } from "./records/record.ts"
export type { Assumptions } from "./import/assumptions.ts"
export type { ImportSummary } from "./import/undo/contract.ts"
export type { Notice, NoticeCode } from "./records/Notices.ts"
export type { DateOrder } from "./records/values/dates.ts"
export type { DecimalMark } from "./records/values/numbers.ts"
export type { StageCategory } from "./records/values/stageWords.ts"
export type { Mapping } from "./import/plan/fields/parameters.ts"

// Documents, search and answers.
export { Documents } from "./library/Documents.ts"
export type {
  DocumentPage,
  DocumentsQuery,
  NewDocument,
  OpenedOriginal,
  Original,
  ReadingOutcome,
  Receipt,
  UploadedFile,
} from "./library/documentTypes.ts"
export type { Document } from "./library/contract.ts"
export type { DocumentFilters } from "./library/sql.ts"
export type { Refused, StoredOriginal } from "./library/Originals.ts"
export type { DealChoice, ResolvedTarget, Target } from "./library/targets.ts"
export {
  SearchIndex,
  type Passage,
  type QueryTerm,
  type SearchQuery,
  type SearchResult,
  type SearchScope,
} from "./search/SearchIndex.ts"
export type { Place, Placed, TableRange } from "./ports/document.ts"
export { Responses } from "./answers/Responses.ts"
export type { Message } from "./answers/Answerer.ts"
export { type Asker, type AskingUser, askerOf, unrestricted } from "./answers/Asker.ts"
export type { Citation } from "./answers/citation.ts"
export type { CitationStyle, Includable, Response as Answer, ResponseEvent } from "./answers/events.ts"
export { Analyses, type AnalysisQueue } from "./analysis/Analyses.ts"
export type { Analysis, Finding } from "./analysis/analysis.ts"
export type { Judgement, Started, Waiting } from "./analysis/contract.ts"
export { Labels } from "./analysis/labels/Labels.ts"
export type { Agreement, Label, LabelPage, Precision, Quality } from "./analysis/labels/contract.ts"
export { Spendings } from "./analysis/spending/Spendings.ts"
export type { AnalysisRun, Estimate, Spending } from "./analysis/spending/contract.ts"

// Webhooks and work in the background.
export { Webhooks } from "./webhooks/Webhooks.ts"
export { Deliveries, type DeliveriesQuery, type DeliveryPage, type ReplayTarget } from "./webhooks/Deliveries.ts"
export type { CreatedWebhook, Delivery, NewWebhook, Webhook, WebhookPatch } from "./webhooks/contract.ts"
export { Background, type TickReport } from "./jobs/Background.ts"
export type { Chore, Work } from "./jobs/work.ts"
export { Metrics } from "./server/Metrics.ts"
export type { PageRequest } from "./common/page.ts"

// The failures.
export { InvalidOptions } from "./common/InvalidOptions.ts"
export {
  BadRequest,
  Conflict,
  Forbidden,
  Gone,
  NotFound,
  PayloadTooLarge,
  RateLimitExceeded,
  UnsupportedMediaType,
} from "./http/errors/errors.ts"
export { DatabaseUnavailable } from "./ports/DatabaseUnavailable.ts"
export { BlobNotFound, BlobStoreError } from "./ports/BlobStore.ts"
