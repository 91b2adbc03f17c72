import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Stream from "effect/Stream"
import type { AuditAction } from "../audit/actions.ts"
import { recordAct } from "../audit/recordAct.ts"
import { signalChange } from "../changes/signal.ts"
import { NotFound } from "../http/errors.ts"
import { badRequest } from "../http/validation.ts"
import { JobQueue } from "../jobs/JobQueue.ts"
import { BlobStore } from "../ports/BlobStore.ts"
import { Database } from "../storage/Database.ts"
import { type DealFields, type Deletable, Import, type ImportFile, type ImportOptions } from "./Import.ts"
import { type Entry, isRefused, type Problem, toEntry } from "./import/entry.ts"
import type { Result } from "./import/Session.ts"
import { run } from "./import/run.ts"
import { fromCsv, fromLines, fromObjects } from "./import/source.ts"
import { writeBatch } from "./import/writeBatch.ts"

export const layerImport = Layer.effect(
  Import,
  Effect.gen(function* () {
    const to = { database: yield* Database, jobs: yield* JobQueue, blobs: yield* BlobStore }

    /** Writes one record as an import would; whether what it names was there. What changes something is audited. */
    const writeOne = Effect.fnUntraced(function* (org: string, id: string, entry: Entry, action: AuditAction) {
      const outcome = yield* to.database.transaction(
        org,
        Effect.gen(function* () {
          const [written] = yield* writeBatch({ ...to, org, dates: "ISO" }, entry.record.type, [entry])
          if (written !== undefined && "result" in written && CHANGES.has(written.result)) {
            yield* recordAct(to.database.sql, org, action, id)
          }
          return written
        }),
      )
      if (outcome === undefined) return yield* Effect.die("nothing was written")
      if (isRefused(outcome)) return yield* refusal(outcome.problems)
      yield* signalChange
      return outcome.result !== "absent"
    })

    return Import.of({
      run: Effect.fn("Import.run")(function* <E>(
        org: string,
        { format, type, bytes, map, dates = "ISO", ...rest }: ImportFile<E>,
      ) {
        if (format === "ndjson") return yield* run({ ...to, org, dates, ...rest }, fromLines(bytes))
        if (type === undefined) {
          return yield* badRequest({ invalid: [{ field: "type", reason: "must say what the rows of a CSV are" }] })
        }
        const source = fromCsv(bytes, { type, map, dates })
        return yield* run({ ...to, org, dates, only: type, ...rest }, source)
      }),
      records: Effect.fn("Import.records")(function* <E>(
        org: string,
        records: Stream.Stream<unknown, E>,
        { dates = "ISO", ...rest }: ImportOptions = {},
      ) {
        return yield* run({ ...to, org, dates, ...rest }, fromObjects(records))
      }),
      updateDeal: Effect.fn("Import.updateDeal")(function* (org: string, id: string, fields: DealFields) {
        const parsed = toEntry(1, { ...fields, type: "deal", id }, 0, true)
        if (isRefused(parsed)) return yield* refusal(parsed.problems)
        if (!(yield* writeOne(org, id, { ...parsed, mustExist: true }, "deal.updated"))) return yield* notFound("deal")
      }),
      remove: Effect.fn("Import.remove")(function* (org: string, type: Deletable, id: string) {
        const entry: Entry = { line: 1, weight: 0, record: { type, id, deleted: true } }
        if (!(yield* writeOne(org, id, entry, `${type}.deleted`))) return yield* notFound(type)
      }),
    })
  }),
)

const CHANGES: ReadonlySet<Result> = new Set(["updated", "deleted"])

const notFound = (type: Deletable) => new NotFound({ message: `no ${type} has this id` })

/** One record is the body of a request. */
const refusal = (problems: ReadonlyArray<Problem>) =>
  badRequest({
    invalid: problems.map(({ field, reason }) => ({ field: field === "record" ? "body" : field, reason })),
  })
