import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as HttpServer from "effect/http/HttpServer"
import type { SqlClient } from "effect/sql/SqlClient"
import { Admission } from "./access/Admission.ts"
import { Tokens } from "./access/Tokens.ts"
import { ApiKeys } from "./keys/ApiKeys.ts"
import { Usage } from "./keys/Usage.ts"
import { HostPrincipals } from "./access/askHost.ts"
import { IdentityRequests, PERSON_REQUESTS_PER_MINUTE } from "./access/plans.ts"
import type { FindPrincipal } from "./access/principal.ts"
import { Audit } from "./audit/Audit.ts"
import { Sessions } from "./sessions/Sessions.ts"
import { RefusedSignIns } from "./access/RefusedSignIns.ts"
import { Replies } from "./replies/Replies.ts"
import { StreamedReplies } from "./replies/StreamedReplies.ts"
import { Analyses } from "./analysis/Analyses.ts"
import { Labels } from "./analysis/labels/Labels.ts"
import { Spendings } from "./analysis/spending/Spendings.ts"
import { layerAnalysisWorker } from "./analysis/AnalysisWorker.ts"
import type { Answerer } from "./answers/Answerer.ts"
import { FigureLinks } from "./answers/figures/FigureLinks.ts"
import { FigurePages } from "./answers/figures/FigurePages.ts"
import { FigureViews } from "./answers/figures/FigureViews.ts"
import { DealQuestions } from "./answers/DealQuestions.ts"
import type { AnswererNeeds } from "./answers/layerAgent.ts"
import { layerQuoted } from "./answers/layerQuoted.ts"
import { Responses } from "./answers/Responses.ts"
import { Changes } from "./changes/Changes.ts"
import { Reports } from "./reports/Reports.ts"
import { Intelligence } from "./intelligence/Intelligence.ts"
import { Deals } from "./deals/Deals.ts"
import { RecordEdits } from "./deals/edits/RecordEdits.ts"
import { Background } from "./jobs/Background.ts"
import { Foreground } from "./jobs/Foreground.ts"
import type { Compressor } from "./http/replies/compression.ts"
import { layerConnections } from "./oauth/layerConnections.ts"
import { membersBy } from "./members/membersBy.ts"
import { NO_RULES, type OpenIdOptions } from "./members/rules.ts"
import { OpenIdProvider } from "./ports/IdentityProvider.ts"
import { SigningIn, type SigningInOptions } from "./oauth/SigningIn.ts"
import { Mcp } from "./mcp/Mcp.ts"
import { DownloadLinks } from "./exports/DownloadLinks.ts"
import { Exports } from "./exports/Exports.ts"
import { layerExportWorker } from "./exports/layerExportWorker.ts"
import { JobQueue, RunningPerOrganization } from "./jobs/JobQueue.ts"
import { type BackgroundChoice, OwnWork, ownWorkOf } from "./jobs/kinds.ts"
import { Documents } from "./library/Documents.ts"
import { layerIngestion } from "./library/Ingestion.ts"
import { DealFindings } from "./library/viewer/DealFindings.ts"
import { ViewerLinks } from "./library/viewer/ViewerLinks.ts"
import { layerUnconfigured } from "./library/unconfigured.ts"
import { Originals } from "./library/Originals.ts"
import { Uploads } from "./library/Uploads.ts"
import type { BlobStore } from "./ports/BlobStore.ts"
import { type ConsoleFiles, LoadConsole } from "./ports/ConsoleFiles.ts"
import { DocumentReader } from "./ports/DocumentReader.ts"
import { layerSearch } from "./search/layerSearch.ts"
import type { Embedder } from "./ports/Embedder.ts"
import type { Transcriber } from "./ports/Transcriber.ts"
import type { UrlFetcher } from "./ports/UrlFetcher.ts"
import { HttpApp } from "./server/HttpApp.ts"
import { layerMetricsUpkeep, Metrics, MetricsKey } from "./server/Metrics.ts"
import { OperatorApp, OperatorKey } from "./operator/OperatorApp.ts"
import { layerReconciliation } from "./operator/reconcile.ts"
import { redact, type Secret } from "./common/secret.ts"
import { lazily } from "./common/lazily.ts"
import { DEFAULT_LINK_DAYS, Settings } from "./http/Settings.ts"
import { layerLinks } from "./signing/Links.ts"
import { Deliveries } from "./webhooks/Deliveries.ts"
import { layerDispatcher } from "./webhooks/layerDispatcher.ts"
import { Conversations } from "./answers/conversations/Conversations.ts"
import { Views } from "./views/Views.ts"
import { Webhooks } from "./webhooks/Webhooks.ts"
import { Catalogue } from "./catalogue/Catalogue.ts"
import { Import } from "./import/Import.ts"
import { layerUndoWorker } from "./import/undo/layerUndoWorker.ts"
import { Organizations } from "./catalogue/Organizations.ts"
import { Database } from "./storage/Database.ts"
import type { FindParent } from "./telemetry/hostParent.ts"
import { layerTelemetry } from "./telemetry/layerTelemetry.ts"
import { DefinedPlans, type Plans } from "./storage/plans.ts"
import { layerRetention } from "./server/retention.ts"

export interface Options<E, R = never> {
  /** PostgreSQL or PGlite: see the adapters. */
  readonly database: Layer.Layer<SqlClient, E, R>
  /** Counts requests against limits; by default in the database. */
  readonly limits?: Layer.Layer<Admission | Usage, E, Database> | undefined
  /** Plans beside `essentials`, `growth` and `enterprise`. The start writes them into the table `plans`; none is deleted. */
  readonly plans?: Plans | undefined
  /** Requests a minute of each identity that `principal` names; 600 by default, null: no limit. Plans limit keys, not identities. */
  readonly identityRequestsPerMinute?: number | null | undefined
  /**
   * Stores, fetches, reads and transcribes documents (`Transcriber.layerNone` refuses recordings). Without it, the service
   * refuses documents.
   */
  readonly library?: Layer.Layer<BlobStore | UrlFetcher | DocumentReader | Transcriber, E, Database> | undefined
  /** Answers questions; by default with quoted sentences. */
  readonly answerer?: Layer.Layer<Answerer, E, AnswererNeeds> | undefined
  /** Reads the documents of deals with a language model. Without it, an analysis finds names and words, and writes nothing. */
  readonly analyst?: Layer.Layer<never, E> | undefined
  /** Embeds passages and questions. Without it, search matches words only. */
  readonly embedder?: Layer.Layer<Embedder, E> | undefined
  /**
   * The address that callers use, for links in replies: everything before `/api/v1`, the base path included. Without it, links
   * start with the origin of the request, or with `http://localhost` if a service is called without a request.
   */
  readonly publicUrl?: string | undefined
  /**
   * The path below which all routes are, such as `/intel`; requests outside it get a 404. Leave it out if the host removes the
   * path before it calls the handler; `publicUrl` then has it.
   */
  readonly basePath?: string | undefined
  /**
   * Signs links and cursors and seals webhook secrets; at least 32 characters. All instances need the same secret, also after
   * a restart. Without it, each instance generates its own.
   */
  readonly signingSecret?: Secret | undefined
  /** The previous secret still opens what it signed and sealed. Webhook secrets are sealed again with the new one. */
  readonly previousSigningSecret?: Secret | undefined
  /** Days after which links to documents expire; 7 by default. */
  readonly linkDays?: number | undefined
  /**
   * Names the sender of a request, who then needs no key: a host's sessions, cookies or tokens. Undefined: the request needs a
   * key. See `docs/embedding.md` before the host uses cookies.
   */
  readonly principal?: FindPrincipal | undefined
  /** Loads the files of the console, which is then at `/`. The servers of the package have it; a host has it only if it says so. */
  readonly console?: (() => Promise<ConsoleFiles | undefined>) | undefined
  /** Lets people connect assistants to `/mcp` by signing in: see `docs/mcp.md`. Servers of the package do; a host only if it says so. */
  readonly oauth?: SigningInOptions | false | undefined
  /** Lets people sign in to the console through an OpenID provider: see `docs/sign-in.md`. Needs `console`. */
  readonly openId?: OpenIdOptions | undefined
  /** Grants access to `/operator`, which manages every organization. At least 32 characters; without it, `/operator` is closed. */
  readonly operatorKey?: Secret | undefined
  /** Opens `/metrics`, in Prometheus's format, for requests with this key. Without it, hosts may serve `Metrics` themselves. */
  readonly metricsKey?: Secret | undefined
  /** A logger, a tracer and exporters. Without it, spans cost nothing. `open` builds it once, before anything else, and closes it last. */
  readonly telemetry?: Layer.Layer<never> | undefined
  /** The host's span that a request belongs to: `() => trace.getSpanContext(context.active())`. Undefined: the caller's `traceparent`. */
  readonly parent?: FindParent | undefined
  /** Whether `/docs` shows the API to browsers; true by default. Its script, three megabytes, is loaded by the first request. */
  readonly docs?: boolean | undefined
  /** Browser origins that may call the API; none by default. */
  readonly corsOrigins?: ReadonlyArray<string> | undefined
  /** The number of proxies in front that append to `X-Forwarded-For`, for the addresses in the audit log; 0 by default. */
  readonly trustedProxies?: number | undefined
  /**
   * Whether this process works in the background: reads documents, writes exports, sends webhooks, deletes what expired; true by
   * default. An object chooses kinds of work, and how many of each at once. If false, it runs no timer, and only `tick` does this work.
   */
  readonly background?: boolean | BackgroundChoice | undefined
  /** Jobs of one kind (documents, exports) that run at the same time for one organization; 2 by default. */
  readonly jobsPerOrganization?: number | undefined
  /** Compresses replies, with `br` for callers that accept it. Without it, `CompressionStream` compresses with gzip. */
  readonly compressor?: Compressor | undefined
}

/** The services, for a host that calls them in-process without HTTP. */
export const layer = <E, R>(options: Options<E, R>) => {
  const answers = Layer.merge(
    Responses.layer,
    lazily(FigurePages, async () => (await import("./answers/figures/layerFigurePages.ts")).layerFigurePages),
  ).pipe(
    Layer.provideMerge(options.answerer ?? layerQuoted),
    Layer.provideMerge(
      lazily(DealQuestions, async () => (await import("./answers/questions/layerDealQuestions.ts")).layerDealQuestions),
    ),
    Layer.provideMerge(
      Layer.mergeAll(
        Deals.layer,
        lazily(FigureLinks, async () => (await import("./answers/figures/layerFigureLinks.ts")).layerFigureLinks),
        lazily(Reports, async () => (await import("./reports/layerReports.ts")).layerReports),
      ),
    ),
  )
  const { identityRequestsPerMinute = PERSON_REQUESTS_PER_MINUTE } = options
  return Layer.mergeAll(
    options.limits ?? Layer.merge(Admission.layerDatabase, Usage.layerDatabase),
    ApiKeys.layer,
    lazily(Tokens, async () => (await import("./access/layerTokens.ts")).layerTokens),
    Sessions.layer,
    layerConnections,
    membersBy(options.openId ?? NO_RULES),
    RefusedSignIns.layer,
    lazily(FigureViews, async () => (await import("./answers/figures/layerFigureViews.ts")).layerFigureViews),
    Audit.layer,
    StreamedReplies.layer.pipe(Layer.provideMerge(Replies.layer)),
    lazily(Catalogue, async () => (await import("./catalogue/layerCatalogue.ts")).layerCatalogue).pipe(
      Layer.provideMerge(Organizations.layer),
    ),
    lazily(Import, async () => (await import("./import/layerImport.ts")).layerImport),
    layerRecordEditsLater,
    answers,
    lazily(Mcp, async () => (await import("./mcp/layerMcp.ts")).layerMcp).pipe(
      Layer.provide(Layer.merge(answers, Documents.layer.pipe(Layer.provide(Originals.layer)))),
    ),
    Intelligence.layer,
    lazily(DealFindings, async () => (await import("./analysis/layerDealFindings.ts")).layerDealFindings),
    lazily(Analyses, async () => (await import("./analysis/layerAnalyses.ts")).layerAnalyses).pipe(
      Layer.provide(Layer.merge(Deals.layer, layerRecordEditsLater)),
    ),
    Labels.layer,
    lazily(Spendings, async () => (await import("./analysis/spending/layerSpendings.ts")).layerSpendings).pipe(
      Layer.provide(Deals.layer),
    ),
    Exports.layer.pipe(Layer.provideMerge(DownloadLinks.layer)),
    Deliveries.layer.pipe(Layer.provideMerge(Webhooks.layer)),
    lazily(
      Conversations,
      async () => (await import("./answers/conversations/layerConversations.ts")).layerConversations,
    ),
    lazily(Views, async () => (await import("./views/layerViews.ts")).layerViews),
    Uploads.layer.pipe(Layer.provideMerge(Documents.layer), Layer.provideMerge(Originals.layer)),
    layerRetention,
    layerUndoWorker,
    // A process without stores leaves this work to those that have them.
    options.library === undefined
      ? Layer.empty
      : Layer.mergeAll(
          layerIngestionIfReadable,
          Layer.provide(layerAnalysisWorker, Layer.merge(Deals.layer, layerRecordEditsLater)),
          layerExportWorker,
          layerDispatcher,
          layerReconciliation,
        ),
    options.telemetry === undefined ? layerMetricsLater : Layer.provideMerge(layerMetricsUpkeep, layerMetricsLater),
  ).pipe(
    Layer.provideMerge(Layer.mergeAll(JobQueue.layer, ViewerLinks.layer, Changes.layer, layerSearch(options.embedder))),
    Layer.provideMerge(layerLinks),
    Layer.provideMerge(Layer.merge(Foreground.layer, Background.layer)),
    Layer.provide(Layer.succeed(OwnWork, ownWorkOf(options.background))),
    Layer.provide(Layer.succeed(RunningPerOrganization, options.jobsPerOrganization ?? 2)),
    Layer.provideMerge(options.library ?? layerUnconfigured),
    Layer.provide(options.analyst ?? Layer.empty),
    Layer.provideMerge(Database.layer),
    Layer.provide(Layer.provide(options.database, Layer.succeed(DefinedPlans, options.plans ?? {}))),
    Layer.provide(Layer.succeed(IdentityRequests, identityRequestsPerMinute)),
    Layer.provideMerge(
      Layer.succeed(Settings, {
        publicUrl: options.publicUrl,
        basePath: options.basePath ?? "",
        signingSecret: redact(options.signingSecret),
        previousSigningSecret: redact(options.previousSigningSecret),
        linkDays: options.linkDays ?? DEFAULT_LINK_DAYS,
        corsOrigins: options.corsOrigins ?? [],
        docs: options.docs ?? true,
        trustedProxies: options.trustedProxies ?? 0,
        compressor: options.compressor,
      }),
    ),
  )
}

/** A process whose reader knows no format leaves documents to those that can read them. */
const layerIngestionIfReadable = Layer.unwrap(
  Effect.map(DocumentReader, ({ contentTypes }) => (contentTypes.length === 0 ? Layer.empty : layerIngestion)),
)

const layerRecordEditsLater = lazily(
  RecordEdits,
  async () => (await import("./records/layerRecordEdits.ts")).layerRecordEdits,
)

const layerMetricsLater = lazily(Metrics, async () => (await import("./server/layerMetrics.ts")).layerMetrics)

/** Loaded on first use: most processes get no operator request. */
const layerOperatorLater = lazily(
  OperatorApp,
  async () => (await import("./operator/layerOperatorApp.ts")).layerOperatorApp,
)

/** The whole service, for an adapter or a host that runs effects. `open` keeps the telemetry longer than the service. */
export const layerHttp = <E, R>(options: Options<E, R>, telemetry = layerTelemetry(options)) =>
  HttpApp.layer.pipe(
    Layer.provide([
      layerOperatorLater,
      Layer.succeed(HostPrincipals, options.principal),
      Layer.succeed(SigningIn, options.oauth === false ? undefined : options.oauth),
      Layer.succeed(OpenIdProvider, options.openId?.provider),
      options.console === undefined ? Layer.empty : Layer.succeed(LoadConsole, options.console),
      Layer.succeed(OperatorKey, redact(options.operatorKey)),
      Layer.succeed(MetricsKey, redact(options.metricsKey)),
    ]),
    Layer.provideMerge(layer(options)),
    Layer.provideMerge(HttpServer.layerServices),
    Layer.provideMerge(telemetry),
  )
