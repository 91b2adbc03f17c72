import { writeSync } from "node:fs"
import process from "node:process"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { SqlClient } from "effect/sql/SqlClient"
import { layerFiles } from "../../src/adapters/blobs/files.ts"
import { layerPglite } from "../../src/adapters/database/pglite.ts"
import { layerPostgres } from "../../src/adapters/database/postgres.ts"
import { layerGuarded } from "../../src/adapters/fetch/guarded.ts"
import { layerReader } from "../../src/adapters/reading/layerReader.ts"
import { Documents } from "../../src/core/library/Documents.ts"
import { Originals } from "../../src/core/library/Originals.ts"
import { DocumentReader } from "../../src/core/ports/DocumentReader.ts"
import { Transcriber } from "../../src/core/ports/Transcriber.ts"
import { UrlFetcher } from "../../src/core/ports/UrlFetcher.ts"
import * as Sightline from "../../src/core/Sightline.ts"
import { endLeases } from "../faults/endLeases.ts"

/** A process that reads documents and hangs where its setup says. Prints its progress to stdout, line by line. */
export interface Setup {
  readonly databaseUrl?: string
  readonly directory: string
  readonly org: string
  readonly port: number
  /** Words in a document, or its URL, at which the process stops. */
  readonly stops: Readonly<Record<string, Stage>>
  /** Ends the leases of all running jobs at the start: the processes that hold them are dead or stopped. */
  readonly endsLeases?: boolean
}

export type Stage = "fetching" | "extracting" | "chunking" | "indexing"

export interface Command {
  readonly add?: { readonly text: string; readonly url?: string }
}

/** A document, its last run and its stored rows. */
export interface Found {
  readonly id: string
  readonly status: string
  readonly state: string
  readonly attempts: number
  readonly chunks: number
  readonly whole: boolean
}

const setup: Setup = JSON.parse(process.argv[2] ?? "")
const say = (line: string) => void writeSync(1, `${line}\n`)
const stopping = (stage: Stage, text: string) => {
  const stops = Object.entries(setup.stops).some(([word, at]) => at === stage && text.includes(word))
  say(`${stops ? "stopped" : "passed"} ${stage}`)
  return stops
}

const engine =
  setup.databaseUrl === undefined
    ? layerPglite({ directory: `${setup.directory}/postgres` })
    : layerPostgres({ url: Redacted.make(setup.databaseUrl), connections: 4 })

// The database is open before this process claims a job: opening an embedded one may take longer than a lease.
const opened = ManagedRuntime.make(Layer.orDie(engine))
const context = await opened.context()
if (setup.endsLeases === true) await opened.runPromise(endLeases)

/** Stops inside the transaction that replaces a document's text. */
const database = Layer.effect(
  SqlClient,
  Effect.map(
    SqlClient,
    (sql) =>
      new Proxy(sql, {
        apply: (target, self, args: [TemplateStringsArray, ...Array<unknown>]) =>
          args[0]?.join?.("").includes("insert into document_chunks") && stopping("indexing", args.slice(1).join(" "))
            ? Effect.never
            : Reflect.apply(target as never, self, args),
      }),
  ),
).pipe(Layer.provide(Layer.succeedContext(context)))

const reader = Layer.effect(
  DocumentReader,
  Effect.map(DocumentReader, (real) =>
    DocumentReader.of({
      ...real,
      read: (bytes, format) =>
        Effect.suspend(() =>
          stopping("extracting", new TextDecoder().decode(bytes))
            ? Effect.never
            : Effect.tap(real.read(bytes, format), ({ text }) =>
                stopping("chunking", text) ? Effect.never : Effect.void,
              ),
        ),
    }),
  ),
).pipe(Layer.provide(layerReader))

const fetcher = Layer.effect(
  UrlFetcher,
  Effect.map(UrlFetcher, (real) =>
    UrlFetcher.of({
      ...real,
      fetch: (url, limits) =>
        Effect.map(real.fetch(url, limits), (fetched) => ({
          ...fetched,
          bytes: stopping("fetching", url) ? Stream.concat(Stream.take(fetched.bytes, 1), Stream.never) : fetched.bytes,
        })),
    }),
  ),
).pipe(Layer.provide(layerGuarded({ allowLoopback: [setup.port] })))

const runtime = ManagedRuntime.make(
  Sightline.layer({
    database,
    library: Layer.mergeAll(
      Layer.orDie(layerFiles({ directory: `${setup.directory}/blobs` })),
      reader,
      fetcher,
      Transcriber.layerNone,
    ),
  }),
)

const add = Effect.fnUntraced(function* ({ text, url }: { readonly text: string; readonly url?: string }) {
  const originals = yield* Originals
  const original =
    url === undefined
      ? yield* originals.keep(setup.org, "text/markdown", Stream.succeed(new TextEncoder().encode(text)))
      : { file_url: url }
  return yield* (yield* Documents).receive(
    setup.org,
    {
      type: "asset",
      source: "api",
      file_name: "notes.md",
      content_type: "text/markdown",
      competitorId: null,
      dealId: null,
    },
    original,
  )
})

const found = Effect.flatMap(Sightline.Database, ({ scoped, sql }) =>
  scoped<Found>(
    setup.org,
    sql`select d.id, d.status, j.state, j.attempts, count(c.n)::int as chunks,
        coalesce(bool_and(substr(t.body, c.start_at + 1, c.end_at - c.start_at) = c.body), false) as whole
      from documents d join jobs j on j.org_id = d.org_id and j.subject = d.id
        left join document_chunks c on c.org_id = d.org_id and c.document_id = d.id
        left join document_texts t on t.org_id = d.org_id and t.document_id = d.id
      where d.org_id = scope.org group by d.id, d.created_at, d.status, j.state, j.attempts order by d.created_at, d.id`,
  ),
)

await runtime.context()
process.on("message", async (command: Command) => {
  process.send?.(
    command.add === undefined ? await runtime.runPromise(found) : await runtime.runPromise(add(command.add)),
  )
})
process.on("disconnect", () => process.exit(0))
process.send?.("ready")
