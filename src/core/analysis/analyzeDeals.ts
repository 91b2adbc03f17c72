import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { Foreground } from "../jobs/Foreground.ts"
import { type Job, JobFailed, Postponed } from "../jobs/JobQueue.ts"
import { Analyst, type ModelUnreachable } from "../ports/Analyst.ts"
import { Database } from "../storage/Database.ts"
import { joinConversations } from "./conversation.ts"
import { type Catalogue, type Extract, EXTRACTION_VERSION, makeExtractor } from "./extracted/extract.ts"
import { analyzeWithModel } from "./model/analyzeWithModel.ts"
import { describeDeciding } from "./model/prompts.ts"
import { makeReader, type ReadDocument } from "./readDocument.ts"
import { sidesOf } from "./side/parties.ts"
import { exhausted, readSpending } from "./spending/budget.ts"
import { type InputRow, selectCatalogue, selectHolder, selectInputs, selectOutcome, selectPending } from "./sql.ts"
import { beginDeal, failDeal, failDeals, keepFindings, postponeDeals, publishFindings, queueDeals } from "./writing.ts"

/** Findings of a deal that are kept. */
const MAX_FINDINGS_PER_DEAL = 1000
/** Deals of a run that are looked up at once. */
const DEALS_PER_LOOKUP = 50
/** Between two documents, the worker waits this long, at most, for requests in flight. */
const MAX_IDLE_WAIT_MS = 50
/** While the model does not respond, a run waits this long between attempts, and then fails. */
const MODEL_RETRY_SECONDS = 30
const MAX_WAIT_HOURS = 24
/** A run whose deal is in another run waits this long between looks. */
const BUSY_RETRY_SECONDS = 5
/** A run of many deals lets the runs of others have their turn after this long. */
const MAX_TURN_MS = 60_000

interface LoadedCatalogue extends Catalogue {
  readonly hash: string
}

/** Analyzes the deals of a run that are not done, one after the other: with the model if there is one. */
export const analyzeDeals = Effect.fnUntraced(function* (job: Job) {
  const database = yield* Database
  const { sql } = database
  const { waitUntilIdle } = yield* Foreground
  const analyst = yield* Analyst
  const { org, id: run } = job
  const method = analyst === undefined ? "extracted" : "model"
  const deciding = analyst === undefined ? EXTRACTION_VERSION : describeDeciding(analyst.name)

  const loadCatalogue = Effect.fnUntraced(function* (org: string) {
    const [catalogue] = yield* database.scoped<LoadedCatalogue>(org, selectCatalogue(sql))
    return catalogue ?? (yield* Effect.die("a select of the catalogue has one row"))
  })

  const extractAll = Effect.fnUntraced(function* (deal: string, input: InputRow, read: ReadDocument) {
    const extracts: Array<Extract & { readonly id: string; readonly name: string }> = []
    for (const { id, name } of input.documents) {
      yield* waitUntilIdle(MAX_IDLE_WAIT_MS)
      extracts.push({ ...(yield* read(id)).extract, id, name })
    }
    const findings = extracts.flatMap(({ id, findings }) => findings.map((each) => ({ ...each, document: id })))
    yield* database.transaction(
      org,
      publishFindings(sql, org, {
        deal,
        run,
        method: "extracted",
        by: "extracted",
        version: EXTRACTION_VERSION,
        deciding,
        inputs: input.inputs,
        findings: findings.slice(0, MAX_FINDINGS_PER_DEAL),
        conversation: joinConversations(extracts),
        omitted: Math.max(findings.length - MAX_FINDINGS_PER_DEAL, 0),
      }),
    )
  })

  const analyze = Effect.fnUntraced(function* (
    deal: string,
    input: InputRow,
    catalogue: Catalogue,
    extract: ReturnType<typeof makeExtractor>,
  ) {
    const sideOf = sidesOf(input)
    const read = yield* makeReader(org, extract, sideOf)
    if (analyst === undefined) return yield* extractAll(deal, input, read)
    const given = { job, deal, input, catalogue, sideOf, read, maxFindings: MAX_FINDINGS_PER_DEAL }
    yield* analyzeWithModel(given).pipe(
      Effect.catchTags({
        ModelUnfit: ({ reason }) => database.transaction(org, failDeal(sql, org, deal, run, reason)),
        // The rules of an import refuse what the deal cannot have, such as a 1,001st competitor.
        BadRequest: ({ message }) =>
          database.transaction(org, failDeal(sql, org, deal, run, `the deal cannot take the result: ${message}`)),
        // The deal was deleted meanwhile, and its analysis with it.
        NotFound: () => Effect.void,
      }),
    )
  })

  /** The run of a document that was read finds its deal now: another run may have had it, and reads it to its end first. */
  const takeDeal = Effect.gen(function* () {
    if (job.subject === "") return
    const [row] = yield* database.scoped<{ is_ours: boolean; is_busy: boolean }>(
      org,
      selectHolder(sql, job.subject, run),
    )
    if (row === undefined || row.is_ours) return
    if (row.is_busy) return yield* new Postponed({ reason: null, seconds: BUSY_RETRY_SECONDS })
    yield* database.transaction(org, queueDeals(sql, org, run, [job.subject]))
  })

  const analyzePending = Effect.gen(function* () {
    let catalogue: LoadedCatalogue | undefined
    let extract = makeExtractor({ competitors: [], features: [], reasons: [] })
    const startedAtMs = yield* Clock.currentTimeMillis
    for (;;) {
      const pending = yield* database.scoped<{ deal_id: string; remaining: number; total: number }>(
        org,
        selectPending(sql, run, DEALS_PER_LOOKUP),
      )
      if (pending.length === 0) return
      for (const [index, { deal_id: deal, remaining, total }] of pending.entries()) {
        yield* job.report("analyzing", (total - remaining + index) / total)
        const [input] = yield* database.scoped<InputRow>(org, selectInputs(sql, deal, method))
        if (input === undefined) continue
        if (input.stored === `${deciding} ${input.inputs}`) {
          yield* database.transaction(org, keepFindings(sql, org, deal, run))
          continue
        }
        const spent = analyst === undefined ? undefined : exhausted(yield* readSpending(org))
        if (spent !== undefined) return yield* database.transaction(org, failDeals(sql, org, run, spent))
        yield* database.transaction(org, beginDeal(sql, org, deal, run))
        if (catalogue?.hash !== input.catalogue) {
          catalogue = yield* loadCatalogue(org)
          extract = makeExtractor(catalogue)
        }
        // A catalogue that changed meanwhile makes the stored inputs differ, so that the analysis is stale.
        yield* analyze(deal, input, catalogue, extract)
        const isLast = remaining - index === 1
        if (!isLast && (yield* Clock.currentTimeMillis) - startedAtMs > MAX_TURN_MS)
          return yield* new Postponed({ reason: null, seconds: 0 })
      }
    }
  })

  /** Requeues the run. Stored answers are not asked for again. */
  const postpone = Effect.fnUntraced(function* ({ reason }: ModelUnreachable) {
    const isLate = yield* database.transaction(org, postponeDeals(sql, org, run, reason, MAX_WAIT_HOURS))
    if (isLate)
      return yield* new JobFailed({ reason: `the language model did not respond for ${MAX_WAIT_HOURS} hours` })
    return yield* new Postponed({ reason, seconds: MODEL_RETRY_SECONDS })
  })

  yield* takeDeal
  yield* Effect.catchTag(analyzePending, "ModelUnreachable", postpone)
  const [outcome] = yield* database.scoped<{ ready: number; reason: string | null }>(org, selectOutcome(sql, run))
  if (outcome?.ready === 0 && outcome.reason !== null) return yield* new JobFailed({ reason: outcome.reason })
  yield* job.finish(Effect.void)
})
