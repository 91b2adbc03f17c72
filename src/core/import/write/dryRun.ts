import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { badRequest } from "../../http/validation.ts"
import { JobQueue } from "../../jobs/JobQueue.ts"
import { BlobStore } from "../../ports/BlobStore.ts"
import { Database } from "../../storage/Database.ts"
import type { TalliedReport } from "./Tally.ts"
import type { Parsed, Unchecked } from "../entry.ts"
import { run, type RunOptions } from "./run.ts"

/** A dry run holds its records in memory and is one transaction, for which other imports of the organization wait. */
const MAX_MIB = 4
/** A compressed file or a workbook holds far more than its bytes. */
const MAX_CHARACTERS = 32 * 1024 * 1024
const MAX_RECORDS = 200_000

/** Ends the transaction, so that the database takes back what it wrote. */
class Undone extends Schema.TaggedError<Undone>()("Undone", { report: Schema.Unknown }) {}

/** Fails if a file is too large for a dry run. */
export const limitBytes = <E>(bytes: Stream.Stream<Uint8Array, E>) =>
  Stream.suspend(() => {
    let size = 0
    return Stream.mapEffect(bytes, (piece) => {
      size += piece.length
      return size > MAX_MIB * 1024 * 1024 ? tooLarge(`at most ${MAX_MIB} MiB`) : Effect.succeed(piece)
    })
  })

const tooLarge = (limit: string) =>
  Effect.fail(
    badRequest({
      invalid: [{ field: "body", reason: `must be ${limit} in a dry run: send the first part of the file` }],
    }),
  )

/** Collects the records of a file. Fails if they are too many or too long. */
const collect = <E, R>(parsed: Stream.Stream<ReadonlyArray<Parsed | Unchecked>, E, R>) =>
  Stream.suspend(() => {
    let records = 0
    let characters = 0
    return Stream.mapEffect(parsed, (batch) => {
      records += batch.length
      for (const each of batch) if ("weight" in each) characters += each.weight
      if (records > MAX_RECORDS) return tooLarge(`at most ${MAX_RECORDS.toLocaleString("en-US")} records`)
      return characters > MAX_CHARACTERS ? tooLarge("at most 32 MiB of text, unpacked,") : Effect.succeed(batch)
    })
  }).pipe(Stream.runCollect)

/** Reports what an import would do, and writes nothing. Reads the whole file before the transaction begins. */
export const dryRun = Effect.fnUntraced(function* <E>(
  to: Pick<RunOptions, "org" | "dates" | "create" | "state" | "prepare">,
  parsed: Stream.Stream<ReadonlyArray<Parsed | Unchecked>, E>,
) {
  const database = yield* Database
  const batches = Stream.fromIterable(yield* collect(parsed))
  const attempt = run({ ...to, inMemory: Infinity, analyzes: false }, batches)
  return yield* database
    .transaction(
      to.org,
      Effect.flatMap(attempt, (report) => Effect.fail(new Undone({ report }))),
    )
    .pipe(
      // A rolled-back transaction deletes no deal, so its documents keep their jobs and files.
      Effect.provideService(BlobStore, BlobStore.of({ ...(yield* BlobStore), remove: () => Effect.void })),
      Effect.provideService(JobQueue, JobQueue.of({ ...(yield* JobQueue), cancel: () => Effect.void })),
      Effect.catchTag("Undone", ({ report }) => Effect.succeed(report as TalliedReport)),
    )
})
