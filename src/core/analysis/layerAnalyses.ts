import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { recordAct } from "../audit/recordAct.ts"
import { findNamed } from "../deals/names/closedSets.ts"
import { RecordEdits } from "../deals/edits/RecordEdits.ts"
import { makeCursor } from "../http/values/cursor.ts"
import { CurrentRequest } from "../http/CurrentRequest.ts"
import { Conflict, NotFound } from "../http/errors/errors.ts"
import { badRequest } from "../http/validation/validation.ts"
import { ANALYSIS_JOB, JobQueue } from "../jobs/JobQueue.ts"
import { ViewerLinks } from "../library/viewer/ViewerLinks.ts"
import { Analyst } from "../ports/Analyst.ts"
import { Database } from "../storage/Database.ts"
import { inOrganization } from "../storage/inOrganization.ts"
import { recordWritten } from "../storage/recordChanges.ts"
import { queueEvent } from "../webhooks/queueEvent.ts"
import { Analyses } from "./Analyses.ts"
import { makeDealChooser } from "./chooseDeals.ts"
import type { Judgement, Waiting } from "./contract.ts"
import { describeAnalysis, describeFinding } from "./describe.ts"
import { findAllConflicts } from "./group/conflicts.ts"
import { EXTRACTION_VERSION } from "./extracted/extract.ts"
import { describeDeciding } from "./model/prompts.ts"
import { publish, withdraw } from "./publish/publication.ts"
import { markVerified } from "./publish/publishWritten.ts"
import { requireBudget } from "./spending/budget.ts"
import {
  type AnalysisRow,
  type ContradictedRow,
  type FindingRow,
  NO_AMOUNT,
  type QueuePosition,
  selectAnalysis,
  selectContradicted,
  selectFindings,
  selectQueue,
} from "./sql.ts"
import { judgeFinding, queueDeals, verifyAnalysis } from "./writing.ts"

/** The tables whose rows findings of a kind name. */
const TARGETS = { competitor: "competitors", feature: "features", driver: "reasons" } as const

const hasTarget = (kind: string): kind is keyof typeof TARGETS => kind in TARGETS

const noDeal = () => new NotFound({ message: "no deal has this id" })

export const layerAnalyses = Layer.effect(
  Analyses,
  Effect.gen(function* () {
    const database = yield* Database
    const { sql } = database
    const jobs = yield* JobQueue
    const analyst = yield* Analyst
    const choose = yield* makeDealChooser
    const method = analyst === undefined ? "extracted" : "model"
    const deciding = analyst === undefined ? EXTRACTION_VERSION : describeDeciding(analyst.name)
    const withServices = Effect.provideContext(yield* Effect.context<Database | RecordEdits | ViewerLinks>())

    const existing = Effect.fnUntraced(function* (org: string, deal: string) {
      const [row] = yield* database.scoped<{ run_id: string | null }>(
        org,
        sql`select (select a.run_id from deal_analyses a where a.org_id = scope.org and a.deal_id = d.id
            and a.state in ('queued', 'running')) as run_id
          from deals d where d.org_id = scope.org and d.id = ${deal}`,
      )
      return row ?? (yield* noDeal())
    })

    /** Queues a run of these deals. */
    const start = Effect.fnUntraced(function* (org: string, subject: string, ids: ReadonlyArray<string>) {
      if (analyst !== undefined) yield* withServices(requireBudget(org))
      const started = yield* database.transaction(
        org,
        Effect.gen(function* () {
          const run_id = yield* jobs.enqueue(org, { kind: ANALYSIS_JOB, subject, prefix: "run" })
          const count = yield* queueDeals(sql, org, run_id, ids)
          yield* recordAct(sql, org, "analysis.started", subject === "" ? null : subject, { deals: count })
          return { run_id, deals: count }
        }),
      )
      yield* jobs.wake(ANALYSIS_JOB, org)
      return started
    })

    const find = Effect.fnUntraced(function* (org: string, deal: string, finding: string) {
      const [row] = yield* database.scoped<FindingRow>(org, selectFindings(sql, deal, finding))
      return row ?? (yield* new NotFound({ message: "no finding of this deal has this id" }))
    })

    /** The finding with the judgement's target and effect. */
    const corrected = Effect.fnUntraced(function* (org: string, before: FindingRow, judgement: Judgement) {
      const { state, target: value } = judgement
      const effect = judgement.effect === undefined ? before.effect : judgement.effect
      if (value === undefined) return { ...before, state, effect }
      if (!hasTarget(before.kind)) {
        const reason = `must be omitted: a ${before.kind} names nothing of the catalogue`
        return yield* badRequest({ invalid: [{ field: "target", reason }] })
      }
      const set = TARGETS[before.kind]
      const [id = ""] = yield* withServices(findNamed(org, { field: "target", set, value }))
      const [named] = yield* database.scoped<{ name: string }>(
        org,
        sql`select name from ${sql.literal(set)} where org_id = scope.org and id = ${id}`,
      )
      return { ...before, state, effect, target_id: id, target_name: named?.name ?? value }
    })

    const judge = Effect.fnUntraced(function* (org: string, before: FindingRow, after: FindingRow) {
      const isSame =
        before.target_id === after.target_id && before.effect === after.effect && before.state === after.state
      if (isSame) return
      yield* Effect.flatMap(RecordEdits, (edits) => edits.waitForTurn(org)).pipe(withServices)
      yield* withServices(withdraw(sql, org, before))
      const published = after.state === "accepted" ? yield* withServices(publish(sql, org, after)) : null
      const judgedBy = yield* actor
      if (!(yield* judgeFinding(sql, org, before, { ...after, published, judgedBy }))) {
        return yield* new Conflict({ message: "somebody else has judged this finding meanwhile; read it again" })
      }
      yield* recordAct(sql, org, `finding.${after.state === "accepted" ? "accepted" : "rejected"}`, before.id, {
        deal: before.deal_id,
      })
      yield* recordWritten("deal", [before.deal_id])
    })

    return Analyses.of({
      run: Effect.fn("Analyses.run")(function* (org, deal) {
        const { run_id } = yield* existing(org, deal)
        if (run_id !== null) return { run_id, deals: 1 }
        const started = yield* start(org, deal, [deal])
        // A run that another request has queued meanwhile keeps the deal.
        if (started.deals === 0) return { run_id: (yield* existing(org, deal)).run_id ?? started.run_id, deals: 1 }
        return started
      }),

      runMany: Effect.fn("Analyses.runMany")(function* (org, filters) {
        return yield* start(org, "", yield* choose(org, filters))
      }),

      get: Effect.fn("Analyses.get")(function* (org, deal, readsDocuments) {
        const [row] = yield* database.scoped<AnalysisRow>(org, selectAnalysis(sql, deal, deciding, method))
        if (row === undefined) return yield* noDeal()
        const findings = yield* database.scoped<FindingRow>(org, selectFindings(sql, deal))
        return yield* withServices(describeAnalysis(org, deal, row, findings, readsDocuments))
      }),

      judge: Effect.fn("Analyses.judge")(function* (org, deal, id, judgement, readsDocuments) {
        const before = yield* find(org, deal, id)
        const after = yield* corrected(org, before, judgement)
        yield* database.transaction(org, judge(org, before, after)).pipe(
          // The rules of an import refuse what the deal cannot have, such as a 1,001st competitor.
          Effect.catchTag(
            "BadRequest",
            ({ message }) => new Conflict({ message: `the deal cannot take it: ${message}` }),
          ),
        )
        return yield* withServices(describeFinding(org, yield* find(org, deal, id), readsDocuments))
      }),

      verify: Effect.fn("Analyses.verify")(function* (org, deal) {
        yield* existing(org, deal)
        yield* database
          .transaction(
            org,
            Effect.gen(function* () {
              yield* Effect.flatMap(RecordEdits, (edits) => edits.updateDeal(org, deal, { analysis_verified: true }))
              yield* markVerified(sql, org, deal)
              if (!(yield* verifyAnalysis(sql, org, deal))) {
                return yield* new Conflict({ message: "the deal's analysis is not ready; run it, then verify" })
              }
              yield* recordAct(sql, org, "analysis.verified", deal)
              yield* queueEvent(sql, org, "deal.verified", deal)
              yield* recordWritten("deal", [deal])
            }),
          )
          .pipe(withServices, Effect.catchTag("BadRequest", Effect.die))
      }),

      queue: Effect.fn("Analyses.queue")(function* (org, { size, cursor }) {
        const after = cursor === undefined ? undefined : decodeCursor(cursor)
        if (cursor !== undefined && after === undefined) {
          return yield* badRequest({
            invalid: [{ field: "cursor", reason: "must be the next_cursor of an earlier page" }],
          })
        }
        type WaitingRow = Omit<Waiting, "conflicts"> & { readonly sorted: number }
        const rows = yield* database.scoped<WaitingRow>(org, selectQueue(sql, after, size))
        const ids = rows.slice(0, size).map(({ deal_id }) => deal_id)
        const recorded = yield* database.scoped<ContradictedRow>(org, selectContradicted(sql, ids))
        const conflicts = new Map(recorded.map((row) => [row.deal_id, findAllConflicts(row, row.findings).length]))
        const data = rows
          .slice(0, size)
          .map(({ sorted: _, ...waiting }) => ({ ...waiting, conflicts: conflicts.get(waiting.deal_id) ?? 0 }))
        const last = rows.length > size ? data.at(-1) : undefined
        return { data, next_cursor: last === undefined ? null : encodeCursor(last) }
      }),
    })
  }).pipe(inOrganization),
)

/** The key, person or operator of the request. */
const actor = Effect.map(CurrentRequest, ({ actor }) =>
  actor === undefined || "operator" in actor ? "operator" : "key_id" in actor ? actor.key_id : actor.person,
)

const { encode, decode } = makeCursor(Schema.Tuple([Schema.NullOr(Schema.Finite), Schema.Int, Schema.String]))

const encodeCursor = ({ amount, doubtful, deal_id }: Waiting) => encode([amount, doubtful, deal_id])

const decodeCursor = (cursor: string): QueuePosition | undefined => {
  const tuple = decode(cursor)
  if (tuple === undefined || tuple[2].includes("\0")) return undefined
  const [amount, doubtful, id] = tuple
  return { amount: amount ?? NO_AMOUNT, doubtful, id }
}
