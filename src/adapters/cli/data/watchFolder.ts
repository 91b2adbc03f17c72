import { readdirSync, statSync } from "node:fs"
import { join, resolve } from "node:path"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { print } from "../terminal/output.ts"
import { signal } from "../terminal/signal.ts"
import { lineOf, type UploadOutcome } from "./uploadFiles.ts"

const SCAN_SECONDS = 2
/** After failures that may pass, the pause doubles up to this. */
const MAX_PAUSE_SECONDS = 60
const MAX_FILES = 10_000
/** Files per upload, so that outcomes are printed while a large folder is uploaded. */
const BATCH_SIZE = 20

/** Hidden files, Office's lock files, and downloads that are under way. */
const IGNORED = /^\.|^~\$|\.(?:tmp|part|crdownload|download)$/i

/** The folder cannot be watched. */
export class Unwatchable extends Schema.TaggedError<Unwatchable>()("Unwatchable", { message: Schema.String }) {}

/**
 * Uploads the files of a folder, and then those added or changed, until a stop signal. A file is uploaded once two scans find it
 * unchanged. Documents of removed files stay. Files of subfolders are left out, because a document is known by its file's name.
 */
export const watchFolder = Effect.fnUntraced(function* <E extends { readonly message: string }, R>(
  folder: string,
  json: boolean,
  send: (files: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<UploadOutcome>, E, R>,
) {
  let found = yield* readStamps(folder)
  yield* print(json, { watching: resolve(folder) }, [`Watching ${resolve(folder)}; press Ctrl-C to stop.`])
  /** The stamps of uploaded and refused files. */
  const settled = new Map<string, string>()
  /** The last line printed for each file and the folder, so that a failure that lasts is printed once. */
  const reported = new Map<string, string>()

  const report = (outcome: UploadOutcome) =>
    Effect.suspend(() => {
      const line = lineOf(outcome)
      if (outcome.temporary && reported.get(outcome.file) === line) return Effect.void
      reported.set(outcome.file, line)
      return print(json, outcome, [outcome.temporary ? `${line}; will try again` : line])
    })

  /** Returns whether something failed that another attempt may do. */
  const scan = Effect.gen(function* () {
    const earlier = found
    found = yield* readStamps(folder)
    const changed = [...found.keys()].filter(
      (file) => earlier.get(file) === found.get(file) && settled.get(file) !== found.get(file),
    )
    let failed = false
    for (let n = 0; n < changed.length; n += BATCH_SIZE) {
      for (const outcome of yield* send(changed.slice(n, n + BATCH_SIZE))) {
        yield* report(outcome)
        if (outcome.temporary) failed = true
        else settled.set(outcome.file, found.get(outcome.file)!)
      }
    }
    // The folder is among them after a scan that failed.
    for (const names of [settled, reported]) for (const file of names.keys()) if (!found.has(file)) names.delete(file)
    return failed
  })

  const watching = Effect.gen(function* () {
    for (let pause = SCAN_SECONDS; ;) {
      yield* Effect.sleep(`${pause} seconds`)
      const failed = yield* Effect.catch(scan, ({ message }: E | Unwatchable) =>
        Effect.as(report({ file: folder, error: message, temporary: true }), true),
      )
      pause = failed ? Math.min(pause * 2, MAX_PAUSE_SECONDS) : SCAN_SECONDS
    }
  })
  yield* Effect.raceFirst(watching, signal)
})

/** A stamp for each file of a folder by path, which changes with its contents. */
const readStamps = (folder: string) =>
  Effect.try({
    try: () => {
      const stamps = new Map<string, string>()
      for (const name of readdirSync(folder)) {
        const path = join(folder, name)
        const status = IGNORED.test(name) ? undefined : statSync(path, { throwIfNoEntry: false })
        if (status?.isFile()) stamps.set(path, `${status.size} ${status.mtimeMs}`)
      }
      if (stamps.size > MAX_FILES) throw new Error(`it has more than ${MAX_FILES} files`)
      return stamps
    },
    catch: (cause) =>
      new Unwatchable({
        message: `${folder} cannot be watched: ${cause instanceof Error ? cause.message : String(cause)}`,
      }),
  })
