import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { AuditAction } from "../audit/actions.ts"
import { recordAct } from "../audit/recordAct.ts"
import { type Deletable, RecordEdits } from "../deals/edits/RecordEdits.ts"
import type { DealUpdate } from "../deals/edits/record.ts"
import { NotFound } from "../http/errors/errors.ts"
import { badRequest } from "../http/validation/validation.ts"
import { Database, unavailable } from "../storage/Database.ts"
import { inOrganization } from "../storage/inOrganization.ts"
import { type Entry, isRefused, type Problem, toEntry } from "./entry.ts"
import type { Result } from "./Session.ts"
import { waitForTurn, writeBatch, type Writing } from "./writeBatch.ts"

export const layerRecordEdits = Layer.effect(
  RecordEdits,
  Effect.gen(function* () {
    const database = yield* Database
    const withServices = Effect.provideContext(yield* Effect.context<Writing>())

    /** Writes one record as an import does, records a change in the audit log, and returns whether the record exists. */
    const writeOne = Effect.fnUntraced(function* (org: string, id: string, entry: Entry, actions: Actions) {
      const outcome = yield* database.transaction(
        org,
        Effect.gen(function* () {
          const [written] = yield* withServices(writeBatch({ org, dates: "ISO" }, entry.record.type, [entry]))
          const action = written !== undefined && "result" in written ? actions[written.result] : undefined
          if (action !== undefined) yield* recordAct(database.sql, org, action, id)
          return written
        }),
      )
      if (outcome === undefined) return yield* Effect.die("nothing was written")
      if (isRefused(outcome)) return yield* refusal(outcome.problems)
      return outcome.result !== "absent"
    })

    return RecordEdits.of({
      waitForTurn: (org) => Effect.asVoid(unavailable(waitForTurn(database.sql, org))),
      updateDeal: Effect.fn("RecordEdits.updateDeal")(function* (org: string, id: string, fields: DealUpdate) {
        const parsed = toEntry(1, { ...fields, type: "deal", id }, 0, true)
        if (isRefused(parsed)) return yield* refusal(parsed.problems)
        if (!(yield* writeOne(org, id, { ...parsed, mustExist: true }, { updated: "deal.updated" })))
          return yield* notFound("deal")
      }),
      addAssociation: Effect.fn("RecordEdits.addAssociation")(function* (org: string, { deal, feature, ...fields }) {
        const record = { ...fields, type: "association", deal: { id: deal }, feature: { id: feature } } as const
        yield* writeOne(
          org,
          fields.id,
          { line: 1, weight: 0, record },
          { created: "association.created", updated: "association.updated" },
        )
      }),
      remove: Effect.fn("RecordEdits.remove")(function* (org: string, type: Deletable, id: string) {
        const entry: Entry = { line: 1, weight: 0, record: { type, id, deleted: true } }
        if (!(yield* writeOne(org, id, entry, { deleted: `${type}.deleted` }))) return yield* notFound(type)
      }),
    })
  }).pipe(inOrganization),
)

/** The audit entry of each result that has one. */
type Actions = Partial<Record<Result, AuditAction>>

const notFound = (type: Deletable) => new NotFound({ message: `no ${type} has this id` })

/** The record is the request's body, so errors name the body. */
const refusal = (problems: ReadonlyArray<Problem>) =>
  badRequest({
    invalid: problems.map(({ field, reason }) => ({ field: field === "record" ? "body" : field, reason })),
  })
