import assert from "node:assert/strict"
import { until } from "../../support/until.ts"
import { section } from "../Check.ts"
import { type Client, refusal, type Reply } from "../Client.ts"
import { makeKey } from "./keys.ts"
import { rateLimit } from "./requests.ts"

const windowNow = () => Math.floor(Date.now() / 60_000)

/** Sends the requests once more if a window ended between them. */
const inOneWindow = <A>(send: () => Promise<A>) =>
  until("requests in one window", async () => {
    const window = windowNow()
    const value = await send()
    return windowNow() === window && { value }
  }).then(({ value }) => value)

const limited = (reply: Reply, scope: string) => {
  const error = refusal(reply, 429, "rate_limit_exceeded")
  assert.equal(error.details?.scope, scope)
  const { remaining, reset, limit } = rateLimit(reply.headers)
  assert.equal(remaining, 0)
  const after = Number(reply.headers.get("retry-after"))
  assert.ok(Number.isInteger(after) && after >= 1 && after <= 60, `Retry-After is ${after}`)
  // Whole seconds, rounded up, so that a client that waits is past the reset.
  assert.ok(Date.now() + after * 1000 >= reset - 2000, "Retry-After ends before the window does")
  return { limit, reset }
}

const spend = async (api: Client, key: string, most: number): Promise<ReadonlyArray<Reply>> => {
  const replies: Array<Reply> = []
  for (let index = 0; index < most; index++) {
    replies.push(await api.request("/deals?count=true", { key, wanted429: true }))
    if (replies.at(-1)?.status === 429) break
  }
  return replies
}

export const limits = section("Limits", [], {
  "rule 4: the window is the current minute": async (api) => {
    const { reset } = rateLimit((await api.request("/usage")).headers)
    const { organization } = await api.get("/usage")
    const window = Date.parse(organization.requests_per_minute.resets_at)
    assert.equal(window % 60_000, 0)
    assert.ok(window >= reset)
  },
  "rule 5: page_size is at most 100, and 50 by default": async (api) => {
    await api.bad("/deals", { page_size: 101 })
    await api.bad("/deals", { page_size: 0 })
    await api.bad("/deals", { page_size: 1.5 })
    const { count } = await api.get("/deals", { count: true })
    assert.equal((await api.get("/deals", { columns: "id" })).length, Math.min(count, 50))
    assert.equal((await api.get("/deals", { columns: "id", page_size: 100 })).length, Math.min(count, 100))
  },
  "rule 6: GET /product-intelligence has no pagination": async (api) => {
    assert.deepEqual((await api.bad("/product-intelligence", "page_size=1")).details?.unknown_fields, ["page_size"])
    const { data, meta } = await api.get("/product-intelligence")
    assert.equal(data.length, meta.count)
  },
  "GET /usage has spent and remaining requests that add up": async (api) => {
    const { organization, keys } = await api.get("/usage")
    for (const spent of [
      organization.requests_per_minute,
      organization.requests_per_month,
      organization.exports_per_month,
      ...keys.map((key: { requests_per_minute: unknown }) => key.requests_per_minute),
    ]) {
      assert.equal(spent.remaining, Math.max(spent.limit - spent.used, 0))
    }
    const plans: Record<string, ReadonlyArray<number>> = {
      essentials: [10, 10_000, 50],
      growth: [60, 30_000, 200],
      enterprise: [300, 100_000, 1_000],
    }
    assert.deepEqual(
      [
        organization.requests_per_minute.limit,
        organization.requests_per_month.limit,
        organization.exports_per_month.limit,
      ],
      plans[organization.plan],
    )
  },
})

export const keyLimits = section("Limits", ["write"], {
  "rule 1: a key has its own limit; beyond it 429 with scope key, Retry-After and the reset": async (api) => {
    const replies = await inOneWindow(async () => {
      const { key } = await makeKey(api, { role: "viewer", requests_per_minute: 2 })
      return spend(api, key, 4)
    })
    assert.deepEqual(
      replies.map(({ status }) => status),
      [200, 200, 429],
    )
    assert.deepEqual(
      replies.map(({ headers }) => rateLimit(headers).remaining),
      [1, 0, 0],
    )
    assert.equal(limited(replies[2]!, "key").limit, 2)
  },
  "rule 1: a request that one limit refuses consumes none of the others": async (api) => {
    const usage = () => api.get("/usage", {}, { key: api.spare })
    const { id, before, refused, after } = await inOneWindow(async () => {
      const { id, key } = await makeKey(api, { role: "viewer", requests_per_minute: 1 })
      const send = () => api.request("/deals?count=true", { key, wanted429: true })
      const before = await usage()
      await send()
      return { id, before, refused: [await send(), await send(), await send()], after: await usage() }
    })
    for (const reply of refused) limited(reply, "key")
    // One request of the key, and the second GET /usage itself.
    assert.equal(
      after.organization.requests_per_month.used - before.organization.requests_per_month.used,
      2,
      "refused requests were counted",
    )
    const spent = after.keys.find((each: { id: string }) => each.id === id)
    assert.equal(spent.requests_this_month, 1)
  },
  "rule 1: a key's limit is about a third of the plan's, at least 5": async (api) => {
    const { id } = await makeKey(api, { role: "viewer" })
    const { organization, keys } = await api.get("/usage", {}, { key: api.spare })
    const { requests_per_minute } = keys.find((each: { id: string }) => each.id === id)
    assert.equal(requests_per_minute.limit, Math.max(5, Math.floor(organization.requests_per_minute.limit / 3)))
  },
  "rule 2: the headers describe the limit with the fewest left": async (api) => {
    const { key } = await makeKey(api, { role: "viewer", requests_per_minute: 7 })
    const { limit, remaining } = rateLimit((await api.request("/deals?count=true", { key })).headers)
    assert.deepEqual([limit, remaining], [7, 6])
  },
  "401 consumes nothing": async (api) => {
    const before = await api.get("/usage", {}, { key: api.spare })
    for (let n = 0; n < 3; n++) assert.equal((await api.request("/deals", { key: null })).status, 401)
    const after = await api.get("/usage", {}, { key: api.spare })
    assert.equal(after.organization.requests_per_month.used - before.organization.requests_per_month.used, 1)
  },
})

export const organizationLimits = section("Limits", ["small"], {
  "rule 1: the organization's limit overrides a key's larger one: 429 with scope organization": async (api) => {
    const key = api.target.smallKey!
    const { limit, left, replies } = await inOneWindow(async () => {
      const { limit, remaining: left } = (await api.get("/usage", {}, { key })).organization.requests_per_minute
      return { limit, left, replies: await spend(api, key, left + 1) }
    })
    assert.ok(left < limit)
    assert.equal(replies.length, left + 1)
    assert.equal(limited(replies.at(-1)!, "organization").limit, limit)
  },
})
