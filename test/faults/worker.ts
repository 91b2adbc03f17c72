import { createHash } from "node:crypto"
import process from "node:process"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { layerFiles } from "../../src/adapters/blobs/files.ts"
import { layerGuarded } from "../../src/adapters/fetch/guarded.ts"
import { layerDatabase } from "../../src/adapters/configuration/options.ts"
import { layerReader } from "../../src/adapters/reading/layerReader.ts"
import { Exports } from "../../src/core/exports/Exports.ts"
import { Documents } from "../../src/core/library/Documents.ts"
import { Originals } from "../../src/core/library/Originals.ts"
import { BlobStore } from "../../src/core/ports/BlobStore.ts"
import { Transcriber } from "../../src/core/ports/Transcriber.ts"
import * as Sightline from "../../src/core/Sightline.ts"
import { Webhooks } from "../../src/core/webhooks/Webhooks.ts"
import { lateEffect } from "../support/until.ts"
import { endLeases } from "./endLeases.ts"
import { type Command, type Setup, SIGNING_SECRET, type State } from "./protocol.ts"

/** A process with the whole service that takes commands over IPC and can be killed at any moment. */
const setup: Setup = JSON.parse(process.argv[2] ?? "")

const gate = Latch.makeUnsafe(true)
const delay = Effect.andThen(lateEffect(setup.slow), gate.await)

/** Passes each chunk of a blob slowly, so that a kill interrupts it. */
const slowly = Layer.effect(
  BlobStore,
  Effect.map(BlobStore, (real) =>
    BlobStore.of({
      ...real,
      put: (key, bytes) =>
        real.put(
          key,
          Stream.tap(bytes, () => delay),
        ),
      get: (key, range) => Effect.map(real.get(key, range), (bytes) => Stream.tap(bytes, () => delay)),
    }),
  ),
).pipe(Layer.provide(Layer.orDie(layerFiles({ directory: `${setup.directory}/blobs` }))))

// The database is open before this process claims a job: opening an embedded one may take longer than a lease.
const opened = ManagedRuntime.make(
  layerDatabase(
    setup.databaseUrl === undefined
      ? { kind: "directory", directory: `${setup.directory}/postgres` }
      : { kind: "postgres", url: Redacted.make(setup.databaseUrl) },
  ),
)
const database = Layer.succeedContext(await opened.context())
if (setup.endsLeases === true) await opened.runPromise(endLeases)

const runtime = ManagedRuntime.make(
  Sightline.layer({
    database,
    library: Layer.mergeAll(
      slowly,
      layerReader,
      layerGuarded({ allowLoopback: setup.port === undefined ? [] : [setup.port] }),
      Transcriber.layerNone,
    ),
    signingSecret: Redacted.make(SIGNING_SECRET),
    jobsPerOrganization: 4,
  }),
)

const add = Effect.fnUntraced(function* (text: string) {
  const original = yield* (yield* Originals).keep(
    setup.org,
    "text/markdown",
    Stream.succeed(new TextEncoder().encode(text)),
  )
  const place = { competitorId: null, dealId: null }
  return (yield* (yield* Documents).receive(
    setup.org,
    { type: "asset", source: "api", file_name: "notes.md", content_type: "text/markdown", ...place },
    original,
  )).document.id
})

const state = Effect.gen(function* () {
  const { scoped, sql } = yield* Sightline.Database
  const jobs = yield* scoped<State["jobs"][number]>(
    setup.org,
    sql`select id, kind, subject, state, attempts, error from jobs where org_id = scope.org order by created_at, id`,
  )
  const documents = yield* scoped<State["documents"][number]>(
    setup.org,
    sql`select d.id, d.status, count(c.n)::int as chunks,
        coalesce(bool_and(substr(t.body, c.start_at + 1, c.end_at - c.start_at) = c.body), false) as whole
      from documents d left join document_chunks c on c.org_id = d.org_id and c.document_id = d.id
        left join document_texts t on t.org_id = d.org_id and t.document_id = d.id
      where d.org_id = scope.org group by d.id, d.status order by d.id`,
  )
  const deliveries = yield* scoped<State["deliveries"][number]>(
    setup.org,
    sql`select id, subject, event, state, attempts from webhook_deliveries where org_id = scope.org order by n`,
  )
  return { jobs, documents, deliveries } satisfies State
})

/** The content of a finished export's file in the store. */
const digest = Effect.fnUntraced(function* (id: string) {
  const { file } = yield* (yield* Exports).file(setup.org, id)
  const hash = createHash("sha256")
  yield* Stream.runForEach(yield* (yield* BlobStore).get(file), (bytes) => Effect.sync(() => void hash.update(bytes)))
  return hash.digest("hex")
})

const carryOut = (
  command: Command,
): Effect.Effect<unknown, unknown, ManagedRuntime.ManagedRuntime.Services<typeof runtime>> => {
  switch (command.do) {
    case "import":
      return Effect.flatMap(Sightline.Import, (imports) =>
        imports.records(setup.org, Stream.fromIterable(command.records)),
      )
    case "add":
      return add(command.text)
    case "export":
      return Effect.flatMap(Exports, (exports) =>
        exports.submit(setup.org, { columns: command.columns, filters: {}, csvSafe: true }),
      )
    case "webhook":
      return Effect.flatMap(Webhooks, (webhooks) =>
        webhooks.create(setup.org, { url: command.url, event_types: ["deal.created", "deal.updated"] }),
      )
    case "digest":
      return digest(command.id)
    case "state":
      return state
    case "hold":
      return gate.close
    case "release":
      return gate.open
  }
}

await runtime.context()
process.on("message", async ({ n, command }: { n: number; command: Command }) => {
  const answer = await runtime.runPromise(
    Effect.match(carryOut(command), {
      onSuccess: (value) => ({ value }),
      onFailure: (error) => ({ error: String(error) }),
    }),
  )
  process.send?.({ n, ...answer })
})
process.on("disconnect", () => process.exit(0))
process.send?.({ n: 0 })
