import { type AddressInfo, connect, createServer, type Server } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { freshPostgresUrl, migratedPostgresUrl } from "../../support/engines.ts"
import { run, RUNTIMES, type Runtime, start, startServer } from "../processes.ts"
import { oneConnection } from "../../support/oneConnection.ts"
import { until, untilEffect } from "../../support/until.ts"

const DATABASE = "SIGHTLINE_DATABASE_URL"

/** Starts a server with a database of its own, and makes a key. */
const serverWithKey = Effect.fnUntraced(function* (runtime: Runtime) {
  const url = yield* migratedPostgresUrl
  const made = yield* Effect.promise(() => run(["orgs", "create", "--name", "Acme", "--json"], { [DATABASE]: url }))
  const { id } = JSON.parse(made.stdout) as { readonly id: string }
  const created = yield* Effect.promise(() => run(["keys", "create", "--org", id, "--json"], { [DATABASE]: url }))
  const { key } = JSON.parse(created.stdout) as { readonly key: string }
  const server = yield* Effect.acquireRelease(
    Effect.promise(() => startServer(runtime, { [DATABASE]: url })),
    ({ child }) => Effect.sync(() => child.kill("SIGKILL")),
  )
  const list = (signal?: AbortSignal) =>
    fetch(`${server.url}/api/v1/deals`, { headers: { authorization: `Bearer ${key}` }, signal: signal ?? null })
  return { url, server, list, key }
})

/**
 * Counts lists that wait for a lock, because background work may wait for the same one. Clears the snapshot, because a transaction keeps
 * its first view of activity.
 */
const waiting = (sql: SqlClient) =>
  Effect.andThen(
    sql`select pg_stat_clear_snapshot()`,
    Effect.map(
      sql<{ count: number }>`select count(*)::int as count from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()
          and wait_event_type = 'Lock' and query like '%last_value%'`,
      ([row]) => row?.count ?? 0,
    ),
  )

for (const runtime of Object.keys(RUNTIMES) as ReadonlyArray<Runtime>) {
  describe(`serving on ${runtime}`, () => {
    it.live("SIGTERM finishes the request in flight, refuses new ones, and exits with 0", () =>
      Effect.gen(function* () {
        const { url, server, list } = yield* serverWithKey(runtime)
        yield* Effect.gen(function* () {
          const sql = yield* SqlClient
          // A lock in the database keeps the request in flight until this test releases it.
          const pending = yield* sql.withTransaction(
            Effect.gen(function* () {
              yield* sql`lock table sightline.deals in access exclusive mode`
              const answer = list()
              yield* untilWaiting(sql, 1)
              server.child.kill("SIGTERM")
              yield* Effect.promise(() =>
                until("it refuses connections", () =>
                  fetch(`${server.url}/health/live`).then(
                    () => false,
                    () => true,
                  ),
                ),
              )
              assert.isNull(server.child.exitCode)
              return { answer }
            }),
          )
          const answer = yield* Effect.promise(() => pending.answer)
          assert.strictEqual(answer.status, 200)
          assert.deepStrictEqual(yield* Effect.promise(() => answer.json()), [])
        }).pipe(Effect.provide(oneConnection(url)))
        const finished = yield* Effect.promise(() => server.finished)
        assert.strictEqual(finished.code, 0, finished.stderr)
      }).pipe(Effect.scoped),
    )

    it.live("stops working on a request when its caller hangs up", () =>
      Effect.gen(function* () {
        const { url, list } = yield* serverWithKey(runtime)
        yield* Effect.gen(function* () {
          const sql = yield* SqlClient
          yield* sql.withTransaction(
            Effect.gen(function* () {
              yield* sql`lock table sightline.deals in access exclusive mode`
              const caller = new AbortController()
              const answer = list(caller.signal).then(
                () => "answered",
                () => "hung up",
              )
              yield* untilWaiting(sql, 1)
              caller.abort()
              assert.strictEqual(yield* Effect.promise(() => answer), "hung up")
              yield* untilWaiting(sql, 0)
            }),
          )
        }).pipe(Effect.provide(oneConnection(url)))
      }).pipe(Effect.scoped),
    )

    it.live("refuses a body whose stated length is above the limit before it arrives", () =>
      Effect.gen(function* () {
        const { server, key } = yield* serverWithKey(runtime)
        const socket = connect(Number(new URL(server.url).port), "127.0.0.1").on("error", () => {})
        let reply = ""
        socket.setEncoding("utf8").on("data", (piece: string) => (reply += piece))
        const head = ["POST /api/v1/responses HTTP/1.1", "Host: x", `Authorization: Bearer ${key}`]
        socket.write([...head, "Content-Type: application/json", "Content-Length: 10000000000", "", ""].join("\r\n"))
        yield* Effect.promise(() => until("the reply", () => reply.includes("\r\n\r\n")))
        socket.destroy()
        // Bun itself refuses what is above the limit of every path, without an envelope.
        assert.match(reply, /^HTTP\/1.1 413 /)
      }),
    )

    it.live("answers HEAD, long URLs and malformed requests in HTTP", () =>
      Effect.gen(function* () {
        const url = yield* migratedPostgresUrl
        const server = yield* Effect.acquireRelease(
          Effect.promise(() => startServer(runtime, { [DATABASE]: url })),
          ({ child }) => Effect.sync(() => child.kill("SIGKILL")),
        )
        const ask = (path: string, init?: RequestInit) => Effect.promise(() => fetch(`${server.url}${path}`, init))
        const head = yield* ask("/health/live", { method: "HEAD" })
        assert.strictEqual(head.status, 200)
        assert.strictEqual(yield* Effect.promise(() => head.text()), "")
        const long = yield* ask(`/api/v1/deals?columns=${"name,".repeat(3_900)}`)
        assert.strictEqual(long.status, 401)
        const status = yield* Effect.promise(() => raw(server.url, "this is not HTTP\r\n\r\n"))
        assert.match(status, /^HTTP\/1\.1 400 |^$/)
      }).pipe(Effect.scoped),
    )
  })
}

describe("serving", () => {
  it.live("waits for an unreachable database, and serves once it is reachable", () =>
    Effect.gen(function* () {
      const there = new URL(yield* freshPostgresUrl)
      const proxy = yield* Effect.acquireRelease(
        Effect.promise(() => forwarder(Number(there.port))),
        ({ server }) => Effect.sync(() => server.close()),
      )
      const url = new URL(there)
      url.port = String((proxy.server.address() as AddressInfo).port)
      const server = yield* Effect.acquireRelease(
        Effect.sync(() => start("Node", ["serve", "--json"], { PORT: "0", [DATABASE]: url.href })),
        ({ child }) => Effect.sync(() => child.kill("SIGKILL")),
      )
      yield* Effect.promise(() => until("it retries", () => /is unreachable \(.+\); retrying/.test(server.stderr())))
      assert.notInclude(server.stderr(), url.password === "" ? "\0" : `:${url.password}@`)
      proxy.forward()
      yield* Effect.promise(() => until("it serves", () => server.stdout().includes("\n")))
      const { url: address } = JSON.parse(server.stdout()) as { readonly url: string }
      assert.strictEqual((yield* Effect.promise(() => fetch(`${address}/health/ready`))).status, 200)
    }).pipe(Effect.scoped),
  )
})

/** Refuses connections until `forward`, and then passes them to the port. */
const forwarder = (to: number) =>
  new Promise<{ readonly server: Server; readonly forward: () => void }>((resolve) => {
    let isOpen = false
    const server = createServer((near) => {
      if (!isOpen) return void near.destroy()
      const far = connect(to, "127.0.0.1")
      near.on("error", () => far.destroy()).pipe(far)
      far.on("error", () => near.destroy()).pipe(near)
    })
    server.listen(0, "127.0.0.1", () => resolve({ server, forward: () => void (isOpen = true) }))
  })

/** Waits until this many lists wait for a lock. */
const untilWaiting = (sql: SqlClient, wanted: number) =>
  untilEffect(
    `${wanted} lists wait for a lock`,
    Effect.map(waiting(sql), (count) => count === wanted),
  )

/** Sends these bytes and returns the reply. */
const raw = (url: string, bytes: string) =>
  new Promise<string>((resolve, reject) => {
    let answer = ""
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname, () => socket.write(bytes))
    socket.setEncoding("utf8").on("data", (text: string) => (answer += text))
    socket.once("close", () => resolve(answer)).once("error", reject)
  })
