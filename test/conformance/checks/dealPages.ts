import assert from "node:assert/strict"
import { section } from "../Check.ts"
import type { Client, Query } from "../Client.ts"
import { DEAL_IDS } from "../dataset.ts"
import { SCORES } from "./dealShapes.ts"

const SORTS = ["created_at", "updated_at", "close_date", "amount", "name", ...SCORES]

const nextOf = (headers: Headers) => /<([^>]+)>; rel="next"/.exec(headers.get("link") ?? "")?.[1]

/** Follows Link through every page. */
const walk = async (api: Client, query: Query) => {
  const ids: Array<string> = []
  let next: string | undefined = `/deals?${new URLSearchParams(query as Record<string, string>)}`
  for (let pages = 0; next !== undefined; pages++) {
    assert.ok(pages < 20, "the walk does not end")
    const reply = await api.request(next)
    assert.equal(reply.status, 200, reply.text)
    ids.push(...reply.json.map(({ id }: { id: string }) => id))
    const link = nextOf(reply.headers)
    next = link === undefined ? undefined : new URL(link, api.origin).href.replace(/^https?:\/\/[^/]+/, api.origin)
  }
  return ids
}

const byIndex = async (api: Client, query: Query, pageSize: number) => {
  const ids: Array<string> = []
  for (let index = 0; ; index++) {
    const page = await api.ids({ ...query, page_size: pageSize, page_index: index })
    ids.push(...page)
    if (page.length < pageSize) return ids
  }
}

/** Sorting and paging, on the data set. */
export const dealPages = section("GET /deals", ["data"], {
  "page_index is zero-based and 0 by default; pages beyond the last are empty": async (api) => {
    const all = await api.ids()
    assert.equal(all.length, DEAL_IDS.length)
    assert.deepEqual([...all].sort(), [...DEAL_IDS])
    assert.deepEqual(await api.ids({ page_size: 5 }), all.slice(0, 5))
    assert.deepEqual(await api.ids({ page_size: 5, page_index: 0 }), all.slice(0, 5))
    assert.deepEqual(await api.ids({ page_size: 5, page_index: 2 }), all.slice(10))
    assert.deepEqual(await api.ids({ page_size: 5, page_index: 3 }), [])
    assert.deepEqual(await api.ids({ page_size: 5, page_index: 1_000_000 }), [])
  },
  "cursors and page_index give the same pages": async (api) => {
    for (const query of [{}, { sort: "amount", sort_order: "asc" }, { sort: "wl_relationship_score" }]) {
      const walked = await walk(api, { ...query, columns: "id", page_size: "5" })
      assert.deepEqual(walked, await byIndex(api, query, 5))
      assert.deepEqual([...walked].sort(), [...DEAL_IDS])
    }
    const searched = await walk(api, { searchQuery: "fabrikam", columns: "id", page_size: "4" })
    assert.deepEqual(searched, await byIndex(api, { searchQuery: "fabrikam" }, 4))
  },
  "a full last page has no next, and Link keeps the filters": async (api) => {
    const query = { owner_ids: ["o_cyd"], page_size: 7, columns: "id" }
    const whole = await api.request(`/deals?page_size=7&columns=id&owner_ids=["o_cyd"]`)
    assert.equal(whole.json.length, 7)
    assert.equal(whole.headers.get("link"), null)
    const part = await api.request(`/deals?page_size=3&columns=id&owner_ids=["o_cyd"]`)
    const next = new URL(nextOf(part.headers) ?? "", api.origin)
    assert.equal(next.searchParams.get("owner_ids"), '["o_cyd"]')
    assert.equal(next.searchParams.get("columns"), "id")
    assert.deepEqual(
      await api.ids(query),
      whole.json.map(({ id }: { id: string }) => id),
    )
  },
  "a cursor is valid only for its sort and without page_index": async (api) => {
    const { headers } = await api.request("/deals?page_size=1&columns=id")
    const cursor = new URL(nextOf(headers) ?? "", api.origin).searchParams.get("cursor")!
    const own = { key: api.target.key }
    assert.match((await api.bad("/deals", { cursor, sort: "name" }, own)).message, /cursor/)
    assert.match((await api.bad("/deals", { cursor, sort_order: "asc" }, own)).message, /cursor/)
    assert.match((await api.bad("/deals", { cursor, page_index: 1 }, own)).message, /page_index/)
    assert.match((await api.bad("/deals", { cursor: `${cursor}x!` }, own)).message, /cursor/)
  },
  "every sort works in both orders; nulls come last in both": async (api) => {
    for (const sort of SORTS) {
      for (const sort_order of ["asc", "desc"] as const) {
        const deals: ReadonlyArray<Record<string, any>> = await api.get("/deals", { sort, sort_order, columns: sort })
        const values = deals.map((deal) => deal[sort])
        const present = values.filter((value) => value !== null)
        assert.deepEqual(
          values.slice(present.length),
          Array.from({ length: values.length - present.length }, () => null),
        )
        const sign = sort_order === "asc" ? 1 : -1
        const sorted = [...present].sort((a, b) => sign * (a < b ? -1 : a > b ? 1 : 0))
        assert.deepEqual(present, sorted)
      }
    }
  },
  "sort_order is desc by default": async (api) => {
    const [first] = await api.ids({ sort: "amount" })
    assert.equal(first, "d04")
    assert.equal((await api.ids({ sort: "amount", sort_order: "asc" }))[0], "d06")
  },
  "ties have the same order on every page": async (api) => {
    const all = await api.ids({ sort: "amount", sort_order: "asc" })
    const tied = all.filter((id) => id >= "d07")
    assert.ok(tied.join() === [...tied].sort().join() || tied.join() === [...tied].sort().toReversed().join())
    assert.deepEqual(await byIndex(api, { sort: "amount", sort_order: "asc" }, 3), all)
  },
  "count counts all deals that match the filters, on every page": async (api) => {
    assert.deepEqual(await api.get("/deals", { count: true }), { count: 12 })
    assert.deepEqual(await api.get("/deals", { count: true, page_size: 1, page_index: 9 }), { count: 12 })
    assert.deepEqual(await api.get("/deals", { count: true, region: ["EMEA"] }), { count: 2 })
    assert.deepEqual(await api.get("/deals", { count: true, searchQuery: "fabrikam" }), { count: 6 })
  },
})
