import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { engines } from "../support/engines.ts"
import { layerWeb, type Reply, Web } from "../support/web.ts"
import { ENDPOINTS, pathOf } from "./endpoints.ts"
import { ID_FIELDS } from "./idFields.ts"
import { recordsOf } from "./tenants.ts"

const isCursor = (name: string) => name === "cursor" || name === "since"

/** The cursor of the page after a reply, in its body or its `Link`. */
const cursorOf = ({ json, headers }: Reply): string | undefined => {
  const link = /[?&]cursor=([^&>]+)/.exec(headers.get("link") ?? "")?.[1]
  return json.next_cursor ?? json.data?.at(-1)?.cursor ?? (link === undefined ? undefined : decodeURIComponent(link))
}

layer(layerWeb(engines[0].database), { excludeTestServices: true })((it) => {
  it.effect("a cursor of another tenant reaches only the caller's own rows, and says nothing of that tenant", () =>
    Effect.gen(function* () {
      const { request, tenant } = yield* Web
      const tenants = yield* Effect.forEach(["hotel", "india"], (name) =>
        Effect.gen(function* () {
          const { key, org } = yield* tenant()
          const imported = yield* request("/api/v1/import", key, {
            method: "POST",
            body: recordsOf(name)
              .map((record) => `${JSON.stringify(record)}\n`)
              .join(""),
            headers: { "content-type": "application/x-ndjson" },
          })
          assert.deepStrictEqual([imported.status, imported.json.failed], [200, 0], imported.text)
          return { name, key, org }
        }),
      )
      const [a, b] = [tenants[0]!, tenants[1]!]
      const found: Array<string> = []
      for (const { name, method, path, queryFields } of ENDPOINTS) {
        const field = queryFields.find(isCursor)
        if (method !== "GET" || field === undefined) continue
        const first = `${pathOf(path, ID_FIELDS[name].fixed ?? {})}?${queryFields.includes("page_size") ? "page_size=1&" : ""}`
        const cursor = cursorOf(yield* request(first, a.key))
        if (cursor === undefined) continue
        found.push(name)
        const next = `${first}${field}=${encodeURIComponent(cursor)}`
        assert.strictEqual((yield* request(next, a.key)).status, 200, next)
        const reply = yield* request(next, b.key)
        assert.include([200, 400], reply.status, next)
        for (const text of [a.name, a.org]) assert.notInclude(reply.text, text, next)
      }
      assert.includeMembers(found, ["deals.list", "changes.list"])
    }),
  )
})
