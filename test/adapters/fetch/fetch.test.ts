import { spawn } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import { follow, mayConnect, parseTarget } from "../../../src/adapters/fetch/addresses.ts"
import { layerGuarded } from "../../../src/adapters/fetch/guarded.ts"
import { refusedFetch, refusedPost, UrlFetcher } from "../../../src/core/ports/UrlFetcher.ts"
import { CERTIFICATE } from "../certificate.ts"
import { FILE, startFileServer } from "../fileServer.ts"
import { until } from "../../support/until.ts"
import { ALLOWED, REFUSED } from "./spellings.ts"

const PROBE = fileURLToPath(new URL("fetchProbe.ts", import.meta.url))
const RUNTIMES = {
  Node: [process.execPath, PROBE],
  Bun: ["bun", PROBE],
  Deno: ["deno", "run", "-A", "--quiet", PROBE],
} as const

interface Probed {
  readonly results: Record<string, string | { contentType?: string; body: string }>
  readonly wrong: ReadonlyArray<string>
  readonly asked: Record<string, number>
  /** The answer to a POST. */
  readonly answers: Record<string, number | string>
}

const run = (runtime: keyof typeof RUNTIMES, args: ReadonlyArray<string>, settings: Record<string, string>) =>
  new Promise<Probed>((resolve, reject) => {
    const [command, ...before] = RUNTIMES[runtime]
    const child = spawn(command, [...before, ...args], { env: { ...process.env, ...settings } })
    let [stdout, stderr] = ["", ""]
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text))
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text))
    child.once("error", reject)
    child.once("close", () => (stdout === "" ? reject(new Error(stderr)) : resolve(JSON.parse(stdout) as Probed)))
  })

describe("the guarded fetch", () => {
  let server: Awaited<ReturnType<typeof startFileServer>>
  let directory: string
  beforeAll(async () => {
    server = await startFileServer()
    directory = mkdtempSync(join(tmpdir(), "sightline-fetch-"))
  })
  afterAll(() => {
    server.stop()
    rmSync(directory, { recursive: true, force: true })
  })

  for (const runtime of Object.keys(RUNTIMES) as Array<keyof typeof RUNTIMES>) {
    it.concurrent(`fetches files and refuses everything else, on ${runtime}`, async () => {
      const authority = join(directory, "authority.pem")
      writeFileSync(authority, CERTIFICATE)
      // No proxy listens there: every request through it fails.
      const proxy = { HTTP_PROXY: "http://127.0.0.1:1", HTTPS_PROXY: "http://127.0.0.1:1", NODE_USE_ENV_PROXY: "1" }
      const settings = { NODE_EXTRA_CA_CERTS: authority, DENO_CERT: authority, ...proxy }
      const { results, wrong, asked, answers } = await run(runtime, [`${server.port}`, `${server.tlsPort}`], settings)
      assert.deepStrictEqual(wrong, [])
      for (const name of ["file", "named", "slow", "rebound", "to itself", "five redirects", "tls"]) {
        const result = results[name]
        assert(typeof result === "object", `${name}: ${JSON.stringify(result)}`)
        assert.deepStrictEqual([result.contentType, result.body], ["application/pdf", FILE], name)
      }
      for (const name of ["echo", "cookie"]) {
        const result = results[name]
        assert(typeof result === "object", `${name}: ${JSON.stringify(result)}`)
        const { host: _, connection: __, ...sent } = JSON.parse(result.body) as Record<string, string>
        assert.deepStrictEqual(sent, { accept: "*/*", "accept-encoding": "identity", "user-agent": "sightline" })
      }
      const told = Object.entries(results).filter((entry): entry is [string, string] => typeof entry[1] === "string")
      const byReason = (reason: string) =>
        told.filter(([, text]) => text.startsWith(`${reason}:`)).map(([name]) => name)
      assert.deepStrictEqual(byReason("refused"), [
        "rebound again",
        "mixed",
        "metadata",
        "six",
        "missing",
        "empty",
        "localhost",
        "to private",
        "to metadata",
        "to a file",
        "to another port",
        "six redirects",
        "tls to http",
        "closed",
      ])
      assert.deepStrictEqual(byReason("unreachable"), ["troubled", "silent", "tls of another name"])
      assert.deepStrictEqual(byReason("status"), ["no such file", "compressed"])
      assert.deepStrictEqual(byReason("too_large"), ["huge", "endless"])
      assert.deepStrictEqual(byReason("too_slow"), ["drip", "mute"])
      assert.deepStrictEqual(byReason("cut_off"), ["cut"])
      for (const [, text] of told)
        if (text.startsWith("refused")) assert.strictEqual(text, `refused: ${refusedFetch.message}`)
      assert.deepStrictEqual(answers, {
        taken: 202,
        named: 202,
        "to itself": 302,
        six: "refused",
        "to a private address": "refused",
        "to another port": "refused",
        mute: "too_slow",
        endless: 200,
      })
      // A connection looks its name up once, so it connects to the address that was checked.
      assert.deepInclude(asked, { "rebound.example": 2, "mixed.example": 1, "metadata.example": 2 })
    })
  }

  it("trusts no self-signed certificate, and no environment variable allows this machine", async () => {
    const { results } = await run("Node", [`${server.port}`, `${server.tlsPort}`, "tls"], {
      NODE_TLS_REJECT_UNAUTHORIZED: "0",
    })
    assert.match(String(results["tls"]), /^unreachable:/)
    const check = Effect.flatMap(UrlFetcher, ({ check }) => check(`http://127.0.0.1:${server.port}/file`, "fetch"))
    assert.deepStrictEqual(await Effect.runPromise(Effect.flip(Effect.provide(check, layerGuarded()))), refusedFetch)
  })

  it.live("an interrupted caller closes the connection, whether it reads the body or not", () =>
    Effect.gen(function* () {
      const { fetch } = yield* UrlFetcher
      const url = (path: string) => `http://127.0.0.1:${server.port}${path}`
      const limits = { maxBytes: 10_000_000_000 }
      yield* Effect.scoped(fetch(url("/endless"), limits))
      yield* Effect.scoped(
        Effect.flatMap(fetch(url("/endless"), limits), ({ bytes }) => Stream.runDrain(Stream.take(bytes, 3))),
      )
      const closed = Effect.promise(() => until("every connection closes", () => server.open() === 0))
      yield* closed
      const waiting = yield* Effect.forkChild(Effect.scoped(fetch(url("/mute"), limits)))
      yield* Effect.promise(() => until("a connection opens", () => server.open() === 1))
      yield* Fiber.interrupt(waiting)
      yield* closed
    }).pipe(Effect.provide(layerGuarded({ allowLoopback: [server.port] }))),
  )

  it.live("posts only to the named private hosts and ports, and fetches from none of them", () =>
    Effect.gen(function* () {
      const { check, fetch, post } = yield* UrlFetcher
      const named = `http://localhost:${server.port}/file`
      assert.strictEqual((yield* post(named, { headers: {}, body: "{}" }, { seconds: 600 })).status, 200)
      yield* check(named, "post")
      for (const other of [
        `http://127.0.0.1:${server.port}/file`,
        "http://localhost/file",
        "http://localhost:1/file",
      ]) {
        assert.deepStrictEqual(yield* Effect.flip(check(other, "post")), refusedPost, other)
      }
      assert.deepStrictEqual(yield* Effect.flip(check(named, "fetch")), refusedFetch)
      assert.deepStrictEqual(yield* Effect.flip(Effect.scoped(fetch(named, { maxBytes: 10 }))), refusedFetch)
    }).pipe(Effect.provide(layerGuarded({ webhookHosts: [`localhost:${server.port}`] }))),
  )

  it("refuses addresses by their text if that suffices", () => {
    const none = { allowLoopback: [], allowHosts: [] }
    assert.isAbove(REFUSED.length, 60)
    for (const url of REFUSED) assert.isUndefined(parseTarget(url, none), url)
    for (const url of ALLOWED) assert.isDefined(parseTarget(url, none), url)
    assert.isTrue(mayConnect("93.184.215.14", 443, none))
    assert.isFalse(mayConnect("93.184.215.14", 8443, { allowLoopback: [8443], allowHosts: [] }))
    assert.isTrue(mayConnect("::ffff:127.0.0.1", 8443, { allowLoopback: [8443], allowHosts: [] }))
    assert.isFalse(mayConnect("127.0.0.1", 80, { allowLoopback: [8443], allowHosts: [] }))
    assert.isFalse(mayConnect("files.example", 80, none))
  })

  it("a redirect may not leave TLS, and follows the rules for addresses", () => {
    const none = { allowLoopback: [], allowHosts: [] }
    const [plain, tls] = ["http://files.example/a/b", "https://files.example/a/b"].map((url) => parseTarget(url, none))
    assert(plain !== undefined && tls !== undefined)
    assert.strictEqual(follow(plain, "../c?d", none)?.url.href, "http://files.example/c?d")
    assert.strictEqual(follow(plain, "https://files.example/", none)?.port, 443)
    assert.strictEqual(follow(tls, "//other.example/", none)?.url.href, "https://other.example/")
    assert.isUndefined(follow(tls, "http://files.example/", none))
    for (const url of REFUSED.filter((url) => /^\w+:.{3}/.test(url))) assert.isUndefined(follow(tls, url, none), url)
  })
})
