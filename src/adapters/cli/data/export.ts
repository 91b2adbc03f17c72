import { open, rename, rm } from "node:fs/promises"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { DealFilters } from "../../../core/deals/filters.ts"
import type { Export } from "../../../core/exports/contract.ts"
import { splitCommas } from "../../../core/http/lists.ts"
import { problemsOf, reasonWithSuggestion } from "../../../core/http/validation.ts"
import { Operator } from "../../../core/operator/Operator.ts"
import { print } from "../terminal/output.ts"
import { bar, count, statusLine } from "../terminal/progress.ts"
import { stopAtSignal } from "../terminal/signal.ts"
import { chooseServer, type ServerChoice } from "../connection/server.ts"
import { asOperator, Usage } from "../connection/workspace.ts"

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
  const request = { columns: splitCommas(input.columns), filters, csv_safe: !input.plain }
  const done = yield* (
    "organization" in from
      ? exportAsOperator(from.organization, request, input.out)
      : fromServer(from, request, input.out)
  ).pipe(Effect.ensuring(statusLine("")), stopAtSignal("no file was written"))
  const result = { file: input.out, rows: done.row_count, bytes: done.file_size, export_id: done.export_id }
  yield* print(input.json, result, [
    `${count(done.row_count ?? 0)} deals in ${input.out}, ${count(done.file_size ?? 0)} bytes`,
  ])
})

interface Request {
  readonly columns: ReadonlyArray<string>
  readonly filters: DealFilters
  readonly csv_safe: boolean
}

const decode = Schema.decodeUnknownEffect(DealFilters)

/** Parses a filter as in the query string of GET /deals: arrays and objects are JSON, anything else is text. */
const filtersOf = (given: Readonly<Record<string, string>>) => {
  const values = Object.entries(given).map(([name, text]) => {
    const value = Option.getOrElse(parse(text), () => text)
    return [name, typeof value === "number" || value === null ? text : value] as const
  })
  return Effect.mapError(
    decode(Object.fromEntries(values), { errors: "all", onExcessProperty: "error", reportInput: true }),
    ({ issue }) => {
      const { unknown, invalid } = problemsOf(issue, "--filter")
      const problems = [...unknown.map((problem) => ({ ...problem, reason: "is no filter" })), ...invalid]
      return new Usage({
        message: problems.map((problem) => `${problem.field} ${reasonWithSuggestion(problem)}`).join("\n"),
      })
    },
  )
}

const parse = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))

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

const fromServer = Effect.fnUntraced(function* (
  { address, key }: { readonly address: string; readonly key: string },
  request: Request,
  out: string,
) {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
  const ask = Effect.fnUntraced(function* (path: string, init: RequestInit = { headers }) {
    const reply = yield* Effect.tryPromise({
      // The server's address may have a path.
      try: (signal) => fetch(address + path, { ...init, signal }),
      catch: () => new Unfinished({ message: `${address} is unreachable` }),
    })
    if (reply.ok) return reply
    const text = yield* Effect.promise(() => reply.text())
    const { error } = Option.getOrElse(decodeError(text), () => ({ error: { message: text.slice(0, 500) } }))
    return yield* new Unfinished({ message: `${reply.status}: ${error.message}` })
  })
  const json = (reply: Response) => Effect.promise(() => reply.json())
  const accepted = yield* ask("/api/v1/deals/export", { method: "POST", headers, body: JSON.stringify(request) })
  const { export_id } = (yield* json(accepted)) as { readonly export_id: string }
  const done = yield* pollUntilDone(
    Effect.flatMap(ask(`/api/v1/deals/export/${export_id}`), json) as Effect.Effect<Export, Unfinished>,
  )
  // Uses the address of this command's requests: the server's own may differ.
  const { body } = yield* ask(/\/exports\/[^/]+$/.exec(done.download_url ?? "")?.[0] ?? "/exports/", {})
  const bytes = Stream.fromReadableStream<Uint8Array, Unfinished>({
    evaluate: () => body as ReadableStream<Uint8Array>,
    onError: () => new Unfinished({ message: "the download was interrupted" }),
  })
  yield* write(out, bytes, done)
  return done
})

const decodeError = Schema.decodeUnknownOption(
  Schema.fromJsonString(Schema.Struct({ error: Schema.Struct({ message: Schema.String }) })),
)

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
