// `npm run client` writes this file from the contract.

import type { DealsEndpoints } from "./deals.ts"
import type { ExportsEndpoints } from "./exports.ts"
import type { IntelligenceEndpoints } from "./intelligence.ts"
import type { ReportsEndpoints } from "./reports.ts"
import type { AnswersEndpoints } from "./answers.ts"
import type { LibraryEndpoints } from "./library.ts"
import type { AccessEndpoints } from "./access.ts"
import type { WorkspaceEndpoints } from "./workspace.ts"
import type { ChangesEndpoints } from "./changes.ts"
import type { WebhooksEndpoints } from "./webhooks.ts"
import type { AuditEndpoints } from "./audit.ts"
import type { AnalysisEndpoints } from "./analysis.ts"
import type { SessionsEndpoints } from "./sessions.ts"
import type { GrantsEndpoints } from "./grants.ts"
import type { MembersEndpoints } from "./members.ts"
import type { ViewsEndpoints } from "./views.ts"
import type { ConversationsEndpoints } from "./conversations.ts"

/** The input and the JSON reply of every endpoint. */
export interface Contract {
  readonly deals: DealsEndpoints
  readonly exports: ExportsEndpoints
  readonly intelligence: IntelligenceEndpoints
  readonly reports: ReportsEndpoints
  readonly answers: AnswersEndpoints
  readonly library: LibraryEndpoints
  readonly access: AccessEndpoints
  readonly workspace: WorkspaceEndpoints
  readonly changes: ChangesEndpoints
  readonly webhooks: WebhooksEndpoints
  readonly audit: AuditEndpoints
  readonly analysis: AnalysisEndpoints
  readonly sessions: SessionsEndpoints
  readonly grants: GrantsEndpoints
  readonly members: MembersEndpoints
  readonly views: ViewsEndpoints
  readonly conversations: ConversationsEndpoints
}

export type * from "../../../core/deals/columns/values.ts"
export type * from "./filters.ts"
export type * from "./rows.ts"
export type * from "./records.ts"
export type * from "./imports.ts"
export type * from "./entries.ts"
export type * from "./analyses.ts"
export type * from "./deals.ts"
export type * from "./exports.ts"
export type * from "./intelligence.ts"
export type * from "./reports.ts"
export type * from "./answers.ts"
export type * from "./library.ts"
export type * from "./access.ts"
export type * from "./workspace.ts"
export type * from "./changes.ts"
export type * from "./webhooks.ts"
export type * from "./audit.ts"
export type * from "./analysis.ts"
export type * from "./sessions.ts"
export type * from "./grants.ts"
export type * from "./members.ts"
export type * from "./views.ts"
export type * from "./conversations.ts"
