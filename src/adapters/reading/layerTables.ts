import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import * as Semaphore from "effect/Semaphore"
import * as Stream from "effect/Stream"
import type { TableRow } from "../../core/ports/table.ts"
import { FileReaderUnavailable, FileRefused, type SheetRequest, TableReader } from "../../core/ports/TableReader.ts"
import { LIMITS } from "../../ingest/importFiles/limits.ts"
import type { SheetChoice } from "../../ingest/importFiles/sheetReader.ts"
import type { SheetPart } from "../../ingest/importFiles/sheetPart.ts"
import { CannotStartThread } from "../../ingest/sandbox/errors.ts"
import { UnreadableError } from "../../ingest/UnreadableError.ts"

export interface TablesOptions {
  /** Finds the program of the thread, for the first workbook. By default it is found as that of documents. */
  readonly workerUrl?: (() => Promise<URL>) | undefined
  /** Reads sheets in the host's own thread. No limit of time or memory holds then. */
  readonly inThread?: boolean | undefined
}

/** Workbooks that are read at once, each in a thread of its own and with its file in memory. Others wait. */
const MAX_OPEN = 2

/** Batches of rows outlive a small nursery: with 4 MB in place of 16, 500,000 cells took 2.8 s of CPU in place of 1.6. */
const YOUNG_MEGABYTES = 16

type ReadSheet = (
  bytes: Uint8Array,
  choice: SheetChoice,
  onPart: (part: SheetPart) => Promise<void>,
  signal: AbortSignal,
) => Promise<void>

/** Reads files of records in any encoding, compressed, and as workbooks. */
export const layerTables = ({ workerUrl, inThread = false }: TablesOptions = {}) =>
  Layer.effect(
    TableReader,
    Effect.gen(function* () {
      const turns = yield* Semaphore.make(MAX_OPEN)
      const readSheet = yield* inThread ? Effect.succeed(readHere) : sandboxed(workerUrl)
      return TableReader.of({
        encodings: Effect.promise(async () => {
          const [{ findEncoding }, { guessEncoding }] = await Promise.all([
            import("../../ingest/encodings/findEncoding.ts"),
            import("../../ingest/encodings/guess.ts"),
          ])
          return { find: findEncoding, guess: guessEncoding }
        }),
        gunzip: <E>(bytes: Stream.Stream<Uint8Array, E>) =>
          Stream.unwrap(
            Effect.map(
              Effect.promise(() => import("../../ingest/importFiles/gunzip.ts")),
              ({ gunzip }) =>
                Stream.fromAsyncIterable(gunzip(Stream.toAsyncIterable(bytes)), (error) =>
                  error instanceof UnreadableError ? new FileRefused({ reason: error.reason }) : (error as E),
                ),
            ),
          ),
        openSheet: Effect.fnUntraced(function* ({ load, ...choice }: SheetRequest) {
          yield* turns.takeScoped(1)
          const bytes = yield* load
          const parts = yield* Queue.bounded<SheetPart, FileRefused | FileReaderUnavailable | Cause.Done>(2)
          const reading = new AbortController()
          yield* Effect.addFinalizer(() => Effect.sync(() => reading.abort()))
          const onPart = (part: SheetPart) => Effect.runPromise(Effect.asVoid(Queue.offer(parts, part)))
          readSheet(bytes, choice, onPart, reading.signal).then(
            () => Effect.runSync(Queue.end(parts)),
            (error: unknown) => Effect.runSync(Queue.failCause(parts, causeOf(error))),
          )
          const opened = (yield* Effect.catchIf(Queue.take(parts), Cause.isDone, () =>
            Effect.die("a sheet ended before it began"),
          )) as Exclude<SheetPart, { readonly rows: unknown }>
          const rows = Stream.map(
            Stream.fromQueue(parts),
            (part) => (part as { readonly rows: ReadonlyArray<TableRow> }).rows,
          )
          return { ...opened, rows }
        }),
      })
    }),
  )

const causeOf = (error: unknown) =>
  error instanceof UnreadableError
    ? Cause.fail(new FileRefused({ reason: error.reason }))
    : error instanceof CannotStartThread
      ? Cause.fail(new FileReaderUnavailable({ reason: `this server cannot read workbooks now: ${error.message}` }))
      : Cause.die(error)

/** Starts no thread before the first workbook. */
const sandboxed = (workerUrl: TablesOptions["workerUrl"]) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => {
        const make = async () => {
          const { Sandbox } = await import("../../ingest/sandbox/Sandbox.ts")
          const { bundledThread } = await import("../../ingest/sandbox/bundledThread.ts")
          const worker = workerUrl === undefined ? await bundledThread("document") : await workerUrl()
          return new Sandbox({ worker, size: MAX_OPEN, cpuSeconds: LIMITS.cpuSeconds, youngMegabytes: YOUNG_MEGABYTES })
        }
        let sandbox: ReturnType<typeof make> | undefined
        return { open: () => (sandbox ??= make()), close: async () => (await sandbox)?.close() }
      }),
      ({ close }) => Effect.promise(close),
    ),
    ({ open }): ReadSheet =>
      async (bytes, choice, onPart, signal) =>
        (await open()).readSheet(bytes, choice, onPart, { signal }),
  )

const readHere: ReadSheet = async (bytes, { container, ...choice }, onPart, signal) => {
  const { SHEET_READERS } = await import("../../ingest/importFiles/sheetReader.ts")
  const reader = await SHEET_READERS[container]()
  for (const part of reader(bytes, choice)) {
    if (signal.aborted) return
    await onPart(part)
  }
}
