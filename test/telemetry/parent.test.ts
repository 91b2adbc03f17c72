import { AsyncLocalStorage } from "node:async_hooks"
import { afterAll, assert, beforeAll, beforeEach, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as HttpEffect from "effect/http/HttpEffect"
import { HttpApp, layerHttp, open, type Sightline } from "../../src/core/Sightline.ts"
import { layerEmbedded } from "../support/embedded.ts"
import { makeRecorder, parentOf } from "./recorder.ts"

const idsOf = (n: number) => ({ traceId: `${n}`.padStart(32, "a"), spanId: `${n}`.padStart(16, "b") })
const contextOf = (n: number, traceFlags = 1) => ({ ...idsOf(n), traceFlags })
const CALLER = idsOf(7)

/** The host's active span, as OpenTelemetry's context manager keeps it. */
const active = new AsyncLocalStorage<unknown>()

describe("the parent of a request's span", () => {
  const { layer: telemetry, lines, spans } = makeRecorder()
  let sightline: Sightline
  let answer: (request: Request) => unknown
  const database = Effect.runPromise(
    Effect.map(Layer.buildWithScope(layerEmbedded, Scope.makeUnsafe()), Layer.succeedContext),
  )
  const parent = ((request: Request) => answer(request)) as () => undefined

  beforeAll(async () => {
    sightline = await open({ database: await database, basePath: "/intel", telemetry, parent, background: false })
    await sightline.ready({ seconds: 600 })
  })
  afterAll(() => sightline.dispose())
  beforeEach(() => {
    answer = () => active.getStore()
    lines.length = 0
    spans.length = 0
  })

  const get = (headers: HeadersInit = {}) => new Request("http://localhost/intel/health/live", { headers })
  const traceparent = { traceparent: `00-${CALLER.traceId}-${CALLER.spanId}-01` }
  /** Sends a request, and returns its span. */
  const send = async (request = get(traceparent)) => {
    spans.length = 0
    const { status } = await sightline.handler(request)
    assert.strictEqual(status, 200)
    return spans.find(({ kind }) => kind === "server")
  }

  it("is the host's span, not the one that the caller names", async () => {
    const span = await active.run(contextOf(1), () => send())
    assert.deepInclude(parentOf(span), { ...idsOf(1), sampled: true })
    assert.strictEqual(span?.traceId, idsOf(1).traceId)
  })

  it("is the host's span also of a request that waits for the service to open", async () => {
    await using opening = await open({ database: await database, telemetry, parent, background: false })
    const request = new Request("http://localhost/health/live", { headers: traceparent })
    const reply = await active.run(contextOf(6), () => opening.handler(request))
    assert.strictEqual(reply.status, 200)
    assert.deepInclude(parentOf(spans.find(({ kind }) => kind === "server")), idsOf(6))
  })

  it("is each request's own while they overlap", async () => {
    const numbers = [1, 2, 3, 4, 5]
    await Promise.all(numbers.map((n) => active.run(contextOf(n), () => sightline.handler(get()))))
    assert.sameMembers(
      spans.filter(({ kind }) => kind === "server").map((span) => parentOf(span)?.spanId),
      numbers.map((n) => idsOf(n).spanId),
    )
  })

  it("is found from the request that the host passed", async () => {
    const request = get()
    answer = (given) => (given === request ? contextOf(3) : undefined)
    assert.deepInclude(parentOf(await send(request)), idsOf(3))
  })

  it("decides whether the request is sampled", async () => {
    const span = await active.run(contextOf(2, 0), () => send())
    assert.strictEqual(span?.sampled, false)
  })

  it.each([
    ["undefined", () => undefined],
    ["null", () => null],
    ["OpenTelemetry's context of no span", () => ({ traceId: "0".repeat(32), spanId: "0".repeat(16), traceFlags: 0 })],
  ])("is the caller's where the host answers %s", async (_, given) => {
    answer = given
    assert.deepInclude(parentOf(await send()), CALLER)
    assert.isUndefined(parentOf(await send(get())))
    assert.deepStrictEqual(lines, [])
  })

  it.each([
    ["ids that are none", () => ({ traceId: "abc", spanId: 7, traceFlags: 1 }), /the ids abc and 7 with the flags 1$/],
    ["no flags", () => idsOf(1), /with the flags NaN$/],
    ["a text", () => "aaaa", /but returned aaaa$/],
    ["a promise", async () => contextOf(1), /but returned \[object Promise\]$/],
    ["an asynchronous function that fails", () => Promise.reject(new Error("late")), undefined],
  ])("is the caller's where the host answers %s, and the log says so once", async (_, given, line) => {
    const hosted = await open({ database: await database, telemetry, parent, background: false })
    await hosted.ready({ seconds: 600 })
    lines.length = 0
    spans.length = 0
    answer = given
    const live = () => new Request("http://localhost/health/live", { headers: traceparent })
    for (const _ of [1, 2]) assert.strictEqual((await hosted.handler(live())).status, 200)
    assert.deepStrictEqual(
      spans.filter(({ kind }) => kind === "server").map((span) => parentOf(span)?.spanId),
      [CALLER.spanId, CALLER.spanId],
    )
    const said = lines.map((text) => text.replace(` in ${CALLER.traceId}`, ""))
    assert.strictEqual(said.length, 1)
    assert.match(said[0]!, line ?? /but returned \[object Promise\]$/)
    await hosted.dispose()
  })

  it("is the caller's where the host's function throws, and the log says each reason once", async () => {
    for (const reason of ["no session", "no session", "no user"]) {
      answer = () => {
        throw new Error(reason)
      }
      assert.deepInclude(parentOf(await send()), CALLER)
    }
    const said = lines.map((line) => /^`parent` failed Error: (\w+ \w+)/.exec(line)?.[1])
    assert.deepStrictEqual(said, ["no session", "no user"])
  })

  it("is logged for 20 different reasons at most", async () => {
    let n = 0
    answer = () => {
      throw new Error(`no session ${n++}`)
    }
    for (let sent = 0; sent < 30; sent++) await send()
    assert.isAtMost(lines.length, 20)
    assert.isAbove(lines.length, 10)
  })

  it("is not asked for without a tracer", async () => {
    let asked = 0
    answer = () => asked++
    await using untraced = await open({ database: await database, parent, background: false })
    assert.strictEqual((await untraced.handler(new Request("http://localhost/health/live"))).status, 200)
    assert.strictEqual(asked, 0)
  })

  it("is the host's also in the program of a host written with Effect", async () => {
    answer = () => contextOf(4)
    const scope = Scope.makeUnsafe()
    const options = { database: await database, telemetry, parent, background: false }
    const context = await Effect.runPromise(Layer.buildWithScope(layerHttp(options), scope))
    const handler = HttpEffect.toWebHandler(Context.get(context, HttpApp))
    spans.length = 0
    assert.strictEqual((await handler(new Request("http://localhost/health/live"))).status, 200)
    assert.deepInclude(parentOf(spans[0]), idsOf(4))
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })
})
