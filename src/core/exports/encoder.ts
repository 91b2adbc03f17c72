import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { CsvEncoder } from "./csv.ts"
import type { FileColumn, Framing } from "./frames.ts"
import { type ExportWarning, LongCells } from "./longCells.ts"
import type { ExportOptions } from "./options.ts"

/** The workbook would exceed what its format can hold. */
export class WorkbookTooLarge extends Schema.TaggedError<WorkbookTooLarge>()("WorkbookTooLarge", {}) {}

/** Encodes rows as one file. */
export interface Encoder {
  /** Takes chunks of any length; each may be overwritten once the next is pulled. So may the returned ones. */
  readonly encode: <E>(chunks: Stream.Stream<Uint8Array, E>) => Stream.Stream<Uint8Array, E | WorkbookTooLarge>
  /** The number of rows so far, without the header. */
  readonly rows: () => number
  /** Whole once `encode` has ended. */
  readonly warnings: () => ReadonlyArray<ExportWarning>
}

export const encoderOf = (
  columns: ReadonlyArray<FileColumn>,
  framing: Framing,
  { format = "csv", ...options }: ExportOptions,
): Encoder =>
  format === "xlsx" ? xlsxEncoder(columns, framing) : csvEncoder(new CsvEncoder(columns, framing, options))

const csvEncoder = (encoder: CsvEncoder): Encoder => ({
  encode: (chunks) =>
    Stream.concat(
      Stream.map(chunks, (chunk) => encoder.encode(chunk)),
      Stream.sync(() => encoder.end()),
    ),
  rows: () => encoder.rows,
  warnings: () => encoder.longCells.warnings("csv", encoder.rows),
})

const xlsxEncoder = (columns: ReadonlyArray<FileColumn>, framing: Framing): Encoder => {
  const longCells = new LongCells()
  let rows = () => 0
  const encode = Effect.fnUntraced(function* <E>(chunks: Stream.Stream<Uint8Array, E>) {
    const { isTooLarge, writeXlsx } = yield* Effect.promise(() => import("./xlsx.ts"))
    let failure: { readonly error: E } | undefined
    const watched = Stream.tapError(chunks, (error) => Effect.sync(() => (failure = { error })))
    const source = (yield* Stream.toAsyncIterableEffect(watched))[Symbol.asyncIterator]()
    const workbook = writeXlsx(columns, framing, { [Symbol.asyncIterator]: () => source }, longCells)
    rows = workbook.rows
    // Ends the reading first, because the writer waits for its next chunk.
    const end = Effect.promise(async () => {
      await source.return?.()
      await workbook.bytes.cancel().catch(() => {})
    })
    const bytes = Stream.fromReadableStream({
      evaluate: () => workbook.bytes,
      onError: (cause) => ({ cause }),
      releaseLockOnEnd: true,
    })
    const failed = (cause: unknown): Effect.Effect<never, E | WorkbookTooLarge> => {
      if (failure !== undefined) return Effect.fail(failure.error)
      return isTooLarge(cause) ? Effect.fail(new WorkbookTooLarge()) : Effect.die(cause)
    }
    return bytes.pipe(
      Stream.catch(({ cause }) => Stream.fromEffect(failed(cause))),
      Stream.ensuring(end),
    )
  })
  return {
    encode: (chunks) => Stream.unwrap(encode(chunks)),
    rows: () => rows(),
    warnings: () => longCells.warnings("xlsx", rows()),
  }
}
