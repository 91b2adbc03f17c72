import { afterEach, assert, describe, it, vi } from "vitest"
import { createClient, SightlineError } from "../../src/adapters/client/client.ts"
import { codeOf } from "./failures.ts"

describe("the client's waits", () => {
  afterEach(() => void vi.useRealTimers())

  /** A client whose server answers with `replies` in order. */
  const scripted = (replies: ReadonlyArray<() => Response>, options = {}) => {
    let calls = 0
    const client = createClient({
      baseUrl: "http://localhost/base/api/v1/",
      key: "k",
      fetch: async (url) => {
        assert.match(url, /^http:\/\/localhost\/base\/api\/v1\/\w/)
        return replies[calls++]!()
      },
      ...options,
    })
    return { client, calls: () => calls }
  }
  const busy = (retryAfter: string) => () =>
    Response.json(
      { error: { code: "rate_limit_exceeded", message: "slow down" } },
      { status: 429, headers: { "retry-after": retryAfter } },
    )
  const count = () => Response.json({ count: 3 })

  it("are as long as Retry-After says", async () => {
    vi.useFakeTimers()
    const { client, calls } = scripted([busy("30"), count])
    const call = client.deals.count()
    await vi.advanceTimersByTimeAsync(29_999)
    assert.strictEqual(calls(), 1)
    await vi.advanceTimersByTimeAsync(500)
    assert.strictEqual(calls(), 2)
    assert.strictEqual(await call, 3)
  })

  it("follow a date in Retry-After", async () => {
    vi.useFakeTimers({ now: Date.parse("2026-01-01T00:00:00Z") })
    const { client, calls } = scripted([busy("Thu, 01 Jan 2026 00:00:20 GMT"), count])
    const call = client.deals.count()
    await vi.advanceTimersByTimeAsync(19_999)
    assert.strictEqual(calls(), 1)
    await vi.advanceTimersByTimeAsync(500)
    assert.strictEqual(await call, 3)
  })

  it("are refused if they exceed maxRetryDelayMs: the error says how long", async () => {
    const { client, calls } = scripted([busy("86400")])
    const error = await client.deals.count().catch((error: unknown) => error)
    assert.instanceOf(error, SightlineError)
    assert.strictEqual((error as SightlineError).retryAfterMs, 86_400_000)
    assert.strictEqual(calls(), 1)
  })

  it("for a run end with a timeout, and report each state", async () => {
    vi.useFakeTimers()
    const running = () => Response.json({ id: "r", status: "running", progress: 0.5, error: null })
    const { client, calls } = scripted(Array.from({ length: 20 }, () => running))
    const states: Array<number> = []
    const call = codeOf(
      client.waitForRun("r", { timeoutMs: 10_000, onProgress: ({ progress }) => states.push(progress) }),
    )
    await vi.advanceTimersByTimeAsync(10_000)
    assert.strictEqual(await call, "timeout")
    assert.strictEqual(states.length, calls())
    assert.isAtLeast(calls(), 4)
  })

  it("for a silent server end with a timeout", async () => {
    vi.useFakeTimers()
    const silent = createClient({
      baseUrl: "http://localhost",
      key: "k",
      maxRetries: 0,
      timeoutMs: 5_000,
      fetch: (_, { signal }) =>
        new Promise((_, reject) => signal!.addEventListener("abort", () => reject(signal!.reason))),
    })
    const call = codeOf(silent.deals.count())
    await vi.advanceTimersByTimeAsync(5_001)
    assert.strictEqual(await call, "timeout")
  })
})
