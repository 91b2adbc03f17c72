import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import Papa from "papaparse"
import { throttled, untilEffect } from "../support/until.ts"
import { type Reply, Web } from "../support/web.ts"

export const EXPORT = "/api/v1/deals/export"

export const post = (key: string, body: unknown, headers: Record<string, string> = {}) =>
  Effect.flatMap(Web, (web) =>
    web.request(EXPORT, key, {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "content-type": "application/json", ...headers },
    }),
  )

/** Polls an export until it is completed or failed. Returns its last status. */
export const waitForExport = Effect.fnUntraced(function* (key: string, id: string) {
  const web = yield* Web
  return yield* untilEffect(
    `export ${id} is completed or failed`,
    Effect.gen(function* () {
      const reply = yield* web.request(`${EXPORT}/${id}`, key)
      const wait = throttled(reply)
      if (wait !== undefined) return wait
      assert.strictEqual(reply.status, 200, reply.text)
      const isOver = ["completed", "failed"].includes(reply.json.status)
      assert.strictEqual(reply.headers.get("retry-after"), isOver ? null : "5")
      return isOver ? reply.json : undefined
    }),
  )
})

/** Downloads a completed export by its link, without a key, as text. */
export const download = (url: string, init?: RequestInit) =>
  Effect.flatMap(Web, (web) => web.request(url, "", init)) as Effect.Effect<Reply, never, Web>

export const runExport = Effect.fnUntraced(function* (key: string, body: object) {
  const reply = yield* post(key, body)
  assert.strictEqual(reply.status, 202, reply.text)
  const status = yield* waitForExport(key, reply.json.export_id)
  assert.strictEqual(status.status, "completed", status.error)
  const { text, bytes, headers } = yield* download(status.download_url)
  return { status, text, bytes, headers }
})

/** Splits CSV into the header and rows of cells. */
export const parseCsv = (text: string) => {
  assert.isTrue(text.endsWith("\r\n"))
  const { data, errors } = Papa.parse<ReadonlyArray<string>>(text.slice(0, -2), { newline: "\r\n", delimiter: "," })
  assert.deepStrictEqual(errors, [])
  const [header, ...rows] = data
  return { header: header!, rows }
}
