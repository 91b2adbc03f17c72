import { fork } from "node:child_process"
import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { type Runtime, run, startServer } from "../adapters/processes.ts"
import { migratedPostgresUrl } from "../support/engines.ts"
import { late, until } from "../support/until.ts"
import type { Command, Found, Setup } from "./reader.ts"

const READER = fileURLToPath(new URL("./reader.ts", import.meta.url))

const textOf = (word: string) =>
  Array.from(
    { length: 12 },
    (_, n) => `# Part ${n} of ${word}\n\n${`Sentence ${n} says it again. `.repeat(60)}\n`,
  ).join("\n")

const temporary = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "sightline-durable-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true })),
)

/** Serves `textOf` the word in the path, in two chunks. */
const address = Effect.map(
  Effect.acquireRelease(
    Effect.promise(async () => {
      const server = createServer((request, response) => {
        const text = textOf((request.url ?? "").slice(1))
        response.write(text.slice(0, 1000))
        void late(50).then(() => response.end(text.slice(1000)))
      })
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
      return server
    }),
    (server) => Effect.sync(() => (server.closeAllConnections(), server.close())),
  ),
  (server) => (server.address() as AddressInfo).port,
)

const start = (setup: Setup) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const child = fork(READER, [JSON.stringify(setup)], { stdio: ["ignore", "pipe", "inherit", "ipc"] })
      let said = ""
      child.stdout?.on("data", (chunk: Buffer) => (said += String(chunk)))
      const next = <A>() => new Promise<A>((resolve) => child.once("message", (message) => resolve(message as A)))
      await next()
      const ask = <A>(command: Command) => {
        const answer = next<A>()
        child.send(command)
        return answer
      }
      return {
        add: (text: string, url?: string) => ask({ add: { text, ...(url !== undefined && { url }) } }),
        found: () => ask<ReadonlyArray<Found>>({}),
        saying: (text: string) => until(`a worker says ${text}`, () => said.split("\n").includes(text)),
        signal: (name: NodeJS.Signals) => child.kill(name),
        ended: () => until("a worker ends", () => child.exitCode !== null || child.signalCode !== null),
      }
    }),
    (worker) => Effect.sync(() => worker.signal("SIGKILL")),
  )

/** An organization and a key of it, by processes of their own: an embedded database would hold this one up. */
const prepare = (databaseUrl: string | undefined, directory: string) =>
  Effect.promise(async () => {
    const settings = {
      SIGHTLINE_DATA_DIR: directory,
      ...(databaseUrl !== undefined && { SIGHTLINE_DATABASE_URL: databaseUrl }),
    }
    const sightline = async (...args: ReadonlyArray<string>) => {
      const { code, stdout, stderr } = await run([...args, "--json"], settings)
      assert.strictEqual(code, 0, stderr)
      return JSON.parse(stdout)
    }
    const { id: org } = await sightline("orgs", "create", "--name", "Acme", "--plan", "enterprise")
    return { org, key: (await sightline("keys", "create", "--org", org, "--role", "owner")).key }
  })

const ready = (worker: Effect.Success<ReturnType<typeof start>>, count: number) =>
  until(`${count} documents are ready`, async () => {
    const found = await worker.found()
    return found.length === count && found.every(({ status }) => status === "ready")
  })

describe.concurrent("documents survive the death of their reader", () => {
  for (const engine of ["PostgreSQL", "PGlite"] as const) {
    it(`resumes after kill -9 at every stage without duplicates, on ${engine}`, () =>
      Effect.gen(function* () {
        const directory = yield* temporary
        const databaseUrl = engine === "PostgreSQL" ? yield* migratedPostgresUrl : undefined
        const { org } = yield* prepare(databaseUrl, directory)
        const port = yield* address
        const setup = { directory, org, port, ...(databaseUrl !== undefined && { databaseUrl }) }
        let worker = yield* start({ ...setup, stops: { alfa: "fetching", bravo: "extracting" } })
        yield* Effect.promise(() => worker.add("", `http://127.0.0.1:${port}/alfa`))
        yield* Effect.promise(() => worker.add(textOf("bravo")))
        let documents = 2
        for (const [stages, next] of [
          [["fetching", "extracting"], { charlie: "chunking" }],
          [["chunking"], { delta: "indexing" }],
          [["indexing"], {}],
        ] as const) {
          for (const stage of stages) yield* Effect.promise(() => worker.saying(`stopped ${stage}`))
          worker.signal("SIGKILL")
          yield* Effect.promise(() => worker.ended())
          worker = yield* start({ ...setup, stops: next, endsLeases: true })
          yield* Effect.promise(() => ready(worker, documents))
          const [word] = Object.keys(next)
          if (word === undefined) continue
          yield* Effect.promise(() => worker.add(textOf(word)))
          documents++
        }
        yield* Effect.promise(() => worker.add(textOf("undisturbed")))
        yield* Effect.promise(() => ready(worker, documents + 1))
        const found = yield* Effect.promise(() => worker.found())
        const undisturbed = found.at(-1)?.chunks ?? 0
        assert.isAbove(undisturbed, 5)
        assert.deepStrictEqual(
          found.map(({ state, chunks, whole }) => [state, chunks, whole]),
          found.map(() => ["completed", undisturbed, true]),
        )
        assert.lengthOf(found, 5)
        // A busy machine may cost a job its lease, which adds an attempt.
        for (const { attempts } of found.slice(0, -1)) assert.isAtLeast(attempts, 2)
        // Each original once, without the partial file of a killed fetch.
        const kept = readdirSync(join(directory, "blobs"), { recursive: true, withFileTypes: true })
        assert.lengthOf(
          kept.filter((entry) => entry.isFile() && entry.name.startsWith("doc_")),
          5,
        )
      }).pipe(Effect.scoped, Effect.runPromise))
  }

  it("of two processes with one job, only the holder of the lease stores a result", () =>
    Effect.gen(function* () {
      const directory = yield* temporary
      const databaseUrl = yield* migratedPostgresUrl
      const { org } = yield* prepare(databaseUrl, directory)
      const port = yield* address
      const setup = { directory, databaseUrl, org, port }
      const sleeper = yield* start({ ...setup, stops: { echo: "extracting" } })
      yield* Effect.promise(() => sleeper.add(textOf("echo")))
      yield* Effect.promise(() => sleeper.saying("stopped extracting"))
      sleeper.signal("SIGSTOP")
      const other = yield* start({ ...setup, stops: {}, endsLeases: true })
      yield* Effect.promise(() => ready(other, 1))
      const before = yield* Effect.promise(() => other.found())
      sleeper.signal("SIGCONT")
      yield* Effect.promise(() => sleeper.add(textOf("foxtrot")))
      yield* Effect.promise(() => sleeper.add(textOf("golf")))
      yield* Effect.promise(() => ready(other, 3))
      const [first, ...both] = yield* Effect.promise(() => other.found())
      assert.deepStrictEqual(first, before[0])
      assert.deepInclude(first, { state: "completed", whole: true })
      assert.isAtLeast(first?.attempts ?? 0, 2)
      for (const { chunks } of both) assert.strictEqual(chunks, first?.chunks)
    }).pipe(Effect.scoped, Effect.runPromise))

  for (const runtime of ["Node", "Bun", "Deno"] as ReadonlyArray<Runtime>) {
    it(`an interrupted upload leaves nothing, on ${runtime}`, () =>
      Effect.gen(function* () {
        const directory = yield* temporary
        const databaseUrl = yield* migratedPostgresUrl
        const { key } = yield* prepare(databaseUrl, directory)
        const server = yield* Effect.acquireRelease(
          Effect.promise(() =>
            startServer(runtime, { SIGHTLINE_DATABASE_URL: databaseUrl, SIGHTLINE_DATA_DIR: directory }),
          ),
          ({ child }) => Effect.sync(() => child.kill("SIGKILL")),
        )
        const { hostname, port } = new URL(server.url)
        const files = () =>
          readdirSync(join(directory, "blobs"), { recursive: true, withFileTypes: true }).filter((entry) =>
            entry.isFile(),
          )
        const socket = connect(Number(port), hostname)
        socket.on("error", () => {})
        const part = (name: string, value: string) =>
          `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
        socket.write(
          `POST /api/v1/documents/library HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n` +
            "Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 8000000\r\n\r\n" +
            part("file_name", "a.txt") +
            part("content_type", "text/plain") +
            '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n' +
            "word ".repeat(400_000),
        )
        yield* Effect.promise(() => until("the upload begins", () => files().length > 0))
        socket.destroy()
        yield* Effect.promise(() => until("the upload is dropped", () => files().length === 0))
        const listed = yield* Effect.promise(() =>
          fetch(`${server.url}/api/v1/documents`, { headers: { authorization: `Bearer ${key}` } }).then((reply) =>
            reply.json(),
          ),
        )
        assert.deepStrictEqual(listed, { data: [], next_cursor: null })
      }).pipe(Effect.scoped, Effect.runPromise))
  }
})
