import { open, rename, rm } from "node:fs/promises"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type { DealFilters } from "../../../core/deals/filters.ts"
import type { Export } from "../../../core/exports/contract.ts"
import { splitCommas } from "../../../core/http/lists.ts"
import { Operator } from "../../../core/operator/Operator.ts"
import { print } from "../terminal/output.ts"
import { bar, count, statusLine } from "../terminal/progress.ts"
import { stopAtSignal } from "../terminal/signal.ts"
import type { NewExport } from "../../client/client.ts"
import { connect } from "../connection/client.ts"
import { filtersOf } from "../connection/filters.ts"
import { chooseServer, type ServerChoice } from "../connection/server.ts"
import { asOperator } from "../connection/workspace.ts"

interface ExportInput extends ServerChoice {
  readonly out: string
  readonly columns: string
  readonly filters: Readonly<Record<string, string>>
  readonly plain: boolean
  readonly json: boolean
}

/** The export wrote no file; the message says why. */
class Unfinished extends Schema.TaggedError<Unfinished>()("Unfinished", { message: Schema.String }) {}

/** Writes deals into a CSV file: through a running server, or directly from the database of a given organization. */
export const exportDeals = Effect.fnUntraced(function* (input: ExportInput) {
  const from = yield* chooseServer(input)
  const filters = yield* filtersOf(input.filters)
  // The server checks them.
  const columns = splitCommas(input.columns) as NewExport["columns"]
  const request = { columns, filters, csv_safe: !input.plain }
  const done = yield* Effect.gen(function* () {
    return "organization" in from
      ? yield* exportAsOperator(from.organization, request, input.out)
      : yield* fromServer(from, request, input.out)
  }).pipe(Effect.ensuring(statusLine("")), stopAtSignal("no file was written"))
  const result = { file: input.out, rows: done.row_count, bytes: done.file_size, export_id: done.export_id }
  yield* print(input.json, result, [
    `${count(done.row_count ?? 0)} deals in ${input.out}, ${count(done.file_size ?? 0)} bytes`,
  ])
})

interface Request {
  readonly columns: NewExport["columns"]
  readonly filters: DealFilters
  readonly csv_safe: boolean
}

const POLL_INTERVAL = "500 millis"

/** Polls until the export ends. */
const pollUntilDone = Effect.fnUntraced(function* <E, R>(look: Effect.Effect<Export, E, R>) {
  for (;;) {
    const now = yield* look
    if (now.status === "completed") return now
    if (now.status === "failed") return yield* new Unfinished({ message: now.error ?? "the export failed" })
    yield* statusLine(`[${bar(now.progress)}] ${now.status}`)
    yield* Effect.sleep(POLL_INTERVAL)
  }
})

const exportAsOperator = (org: string, { columns, filters, csv_safe }: Request, out: string) =>
  asOperator(
    Effect.gen(function* () {
      const operator = yield* Operator
      const id = yield* operator.startExport(org, { columns, filters, csvSafe: csv_safe })
      const done = yield* pollUntilDone(operator.findExport(org, id))
      yield* write(out, yield* operator.exportFile(org, id), done)
      return done
    }),
  )

const fromServer = Effect.fnUntraced(function* (server: Parameters<typeof connect>[0], request: Request, out: string) {
  const { call } = connect(server)
  const { export_id } = yield* call((client, signal) => client.exports.create(request, { signal }))
  const done = yield* pollUntilDone(call((client, signal) => client.exports.get({ export_id }, { signal })))
  const { body } = yield* call((client, signal) => client.exports.download(done, { signal }))
  const bytes = Stream.fromReadableStream<Uint8Array, Unfinished>({
    evaluate: () => body as ReadableStream<Uint8Array>,
    onError: () => new Unfinished({ message: "the download was interrupted" }),
  })
  yield* write(out, bytes, done)
  return done
})

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
