import { open, rename, rm } from "node:fs/promises"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type { Export } from "../../../core/exports/contract.ts"
import { type CsvOptions, type ExportFormat, FORMAT_NAMES } from "../../../core/exports/options.ts"
import { splitCommas } from "../../../core/http/values/lists.ts"
import { print } from "../terminal/output.ts"
import { bar, count, showStatus, statusLine } from "../terminal/progress.ts"
import { stopAtSignal } from "../terminal/signal.ts"
import type { NewExport } from "../../client/client.ts"
import { parseFilters } from "../connection/filters.ts"
import { connect, type ServerChoice } from "../connection/server.ts"

interface ExportInput extends ServerChoice {
  readonly out: string
  readonly columns: string
  readonly filters: Readonly<Record<string, string>>
  readonly format: Option.Option<ExportFormat>
  readonly plain: boolean
  readonly bom: boolean
  readonly delimiter: Option.Option<NonNullable<CsvOptions["delimiter"]>>
  readonly decimal: Option.Option<NonNullable<CsvOptions["decimal"]>>
  readonly json: boolean
}

/** The export wrote no file; the message says why. */
class Unfinished extends Schema.TaggedError<Unfinished>()("Unfinished", { message: Schema.String }) {}

/** Only the options that the command names: the server refuses those that do not belong together. */
const optionsOf = ({ out, format, plain, bom, delimiter, decimal }: ExportInput) => ({
  format: Option.getOrElse(format, () => FORMAT_NAMES.find((name) => out.toLowerCase().endsWith(`.${name}`))),
  csv_safe: plain ? false : undefined,
  bom: bom || undefined,
  delimiter: Option.getOrUndefined(delimiter),
  decimal: Option.getOrUndefined(decimal),
})

/** Writes deals into a file: through a running server, or as the operator of a given organization. */
export const exportDeals = Effect.fnUntraced(function* (input: ExportInput) {
  const { call } = yield* connect(input)
  const filters = yield* parseFilters(input.filters)
  // The server checks them.
  const columns = splitCommas(input.columns) as NewExport["columns"]
  const done = yield* Effect.gen(function* () {
    const request = { columns, filters, ...optionsOf(input) }
    const { export_id } = yield* call((client, signal) => client.exports.create(request, { signal }))
    const done = yield* call((client, signal) =>
      client.waitForExport(export_id, {
        signal,
        timeoutMs: MAX_WAIT_MS,
        onProgress: ({ progress, status }) => showStatus(`[${bar(progress)}] ${status}`),
      }),
    )
    const { body } = yield* call((client, signal) => client.exports.download(done, { signal }))
    const bytes = Stream.fromReadableStream<Uint8Array, Unfinished>({
      evaluate: () => body as ReadableStream<Uint8Array>,
      onError: () => new Unfinished({ message: "the download was interrupted" }),
    })
    yield* write(input.out, bytes, done)
    return done
  }).pipe(Effect.ensuring(statusLine("")), stopAtSignal("no file was written"))
  const result = {
    file: input.out,
    rows: done.row_count,
    bytes: done.file_size,
    export_id: done.export_id,
    warnings: done.warnings,
  }
  yield* print(input.json, result, [
    `${count(done.row_count ?? 0)} deals in ${input.out}, ${count(done.file_size ?? 0)} bytes`,
    ...done.warnings.map(({ message }) => `warning: ${message}`),
  ])
})

/** A day: exports wait behind others. */
const MAX_WAIT_MS = 86_400_000

/** Writes the whole file or none: renames it when complete. */
const write = Effect.fnUntraced(function* <E>(out: string, bytes: Stream.Stream<Uint8Array, E>, { file_size }: Export) {
  const partial = `${out}.part`
  const attempt = <A>(action: () => Promise<A>) =>
    Effect.tryPromise({
      try: action,
      catch: (cause) =>
        new Unfinished({
          message: `${out} cannot be written: ${cause instanceof Error ? cause.message : String(cause)}`,
        }),
    })
  let written = 0
  yield* Effect.acquireUseRelease(
    attempt(() => open(partial, "w", 0o600)),
    (file) =>
      Stream.runForEach(bytes, (chunk) => {
        written += chunk.length
        return Effect.andThen(
          attempt(() => file.writeFile(chunk)),
          statusLine(`[${bar(written / Math.max(file_size ?? 1, 1))}] saving`),
        )
      }).pipe(
        Effect.andThen(
          attempt(async () => {
            if (written !== file_size) throw new Error("the file is incomplete")
            await file.close()
            await rename(partial, out)
          }),
        ),
      ),
    (file) =>
      Effect.promise(async () => {
        await file.close().catch(() => {})
        await rm(partial, { force: true })
      }),
  )
})
