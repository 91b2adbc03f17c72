import type * as Layer from "effect/Layer"
import type * as HttpServer from "effect/http/HttpServer"
import type { Admission } from "./access/Admission.ts"
import type { ApiKeys } from "./keys/ApiKeys.ts"
import type { RefusedSignIns } from "./access/RefusedSignIns.ts"
import type { Replies } from "./replies/Replies.ts"
import type { StreamedReplies } from "./replies/StreamedReplies.ts"
import type { Tokens } from "./access/Tokens.ts"
import type { Usage } from "./keys/Usage.ts"
import type { Audit } from "./audit/Audit.ts"
import type { Sessions } from "./sessions/Sessions.ts"
import type { Members } from "./members/Members.ts"
import type { Clients } from "./oauth/Clients.ts"
import type { Grants } from "./oauth/Grants.ts"
import type { Analyses } from "./analysis/Analyses.ts"
import type { Labels } from "./analysis/labels/Labels.ts"
import type { Spendings } from "./analysis/spending/Spendings.ts"
import type { Answerer } from "./answers/Answerer.ts"
import type { DealQuestions } from "./answers/DealQuestions.ts"
import type { Responses } from "./answers/Responses.ts"
import type { FigureLinks } from "./answers/figures/FigureLinks.ts"
import type { FigurePages } from "./answers/figures/FigurePages.ts"
import type { FigureViews } from "./answers/figures/FigureViews.ts"
import type { Changes } from "./changes/Changes.ts"
import type { Deals } from "./deals/Deals.ts"
import type { RecordEdits } from "./deals/edits/RecordEdits.ts"
import type { DownloadLinks } from "./exports/DownloadLinks.ts"
import type { Exports } from "./exports/Exports.ts"
import type { BaseUrl } from "./http/addresses/BaseUrl.ts"
import type { Settings } from "./http/Settings.ts"
import type { Intelligence } from "./intelligence/Intelligence.ts"
import type { Background } from "./jobs/Background.ts"
import type { Foreground } from "./jobs/Foreground.ts"
import type { JobQueue } from "./jobs/JobQueue.ts"
import type { Documents } from "./library/Documents.ts"
import type { Originals } from "./library/Originals.ts"
import type { Uploads } from "./library/Uploads.ts"
import type { DealFindings } from "./library/viewer/DealFindings.ts"
import type { ViewerLinks } from "./library/viewer/ViewerLinks.ts"
import type { Mcp } from "./mcp/Mcp.ts"
import type { BlobStore } from "./ports/BlobStore.ts"
import type { DocumentReader } from "./ports/DocumentReader.ts"
import type { Transcriber } from "./ports/Transcriber.ts"
import type { UrlFetcher } from "./ports/UrlFetcher.ts"
import type { Reports } from "./reports/Reports.ts"
import type { DealRecords } from "./search/DealRecords.ts"
import type { SearchIndex } from "./search/SearchIndex.ts"
import type { HttpApp } from "./server/HttpApp.ts"
import type { Metrics } from "./server/Metrics.ts"
import type { Links } from "./signing/Links.ts"
import type { SealedCursors } from "./signing/SealedCursors.ts"
import type { SigningKeys } from "./signing/SigningKeys.ts"
import type { Database } from "./storage/Database.ts"
import type { Conversations } from "./answers/conversations/Conversations.ts"
import type { Views } from "./views/Views.ts"
import type { Deliveries } from "./webhooks/Deliveries.ts"
import type { Webhooks } from "./webhooks/Webhooks.ts"
import type { Catalogue } from "./catalogue/Catalogue.ts"
import type { Import } from "./import/Import.ts"
import type { Organizations } from "./catalogue/Organizations.ts"

/** The services that `run` provides. It is written out, because the compiler then names it in messages instead of its members. */
export type Services =
  | Admission
  | Analyses
  | Answerer
  | ApiKeys
  | Audit
  | Background
  | BaseUrl
  | BlobStore
  | Catalogue
  | Changes
  | Database
  | DealFindings
  | DealQuestions
  | DealRecords
  | Deals
  | Deliveries
  | DocumentReader
  | Documents
  | DownloadLinks
  | Exports
  | FigureLinks
  | FigurePages
  | FigureViews
  | Foreground
  | HttpApp
  | Import
  | Intelligence
  | JobQueue
  | Labels
  | Links
  | Mcp
  | Members
  | Metrics
  | Organizations
  | Originals
  | RecordEdits
  | RefusedSignIns
  | Replies
  | Reports
  | Responses
  | SealedCursors
  | SearchIndex
  | Sessions
  | Clients
  | Grants
  | Settings
  | SigningKeys
  | Spendings
  | StreamedReplies
  | Tokens
  | Transcriber
  | Uploads
  | UrlFetcher
  | Usage
  | ViewerLinks
  | Conversations
  | Views
  | Webhooks
  | Layer.Success<typeof HttpServer.layerServices>
