import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as HttpApi from "effect/http-api/HttpApi"
import { ApiKeys } from "../../src/core/keys/ApiKeys.ts"
import { Api } from "../../src/core/server/api.ts"
import { engines } from "../support/engines.ts"
import { layerWeb, type Reply, Web } from "../support/web.ts"

interface Endpoint {
  readonly method: string
  readonly path: string
  readonly query: ReadonlyArray<string>
  readonly body: ReadonlyArray<string>
  readonly takesJson: boolean
}

const ENDPOINTS: Array<Endpoint> = []
/** Internal names of our schemas, which mean nothing to a caller. */
const SCHEMA_NAMES = new Set<string>()

const fieldsOf = (ast: any): ReadonlyArray<string> =>
  ast?._tag === "Objects"
    ? ast.propertySignatures.map(({ name }: { name: PropertyKey }) => String(name))
    : ast?._tag === "Union"
      ? ast.types.flatMap(fieldsOf)
      : []

const collectNames = (value: unknown, seen = new Set<unknown>()): void => {
  if (typeof value !== "object" || value === null || seen.has(value)) return
  seen.add(value)
  const identifier = (value as { annotations?: { identifier?: unknown } }).annotations?.identifier
  if (typeof identifier === "string") SCHEMA_NAMES.add(identifier)
  for (const each of Object.values(value)) collectNames(each, seen)
}

HttpApi.reflect(Api, {
  onGroup: () => {},
  onEndpoint: ({ endpoint }) => {
    const schemas = [...endpoint.payload.values()].flatMap((each: any) => each.schemas)
    for (const schema of [...schemas, endpoint.query, endpoint.params]) collectNames(schema?.ast)
    ENDPOINTS.push({
      method: endpoint.method,
      path: endpoint.path.replaceAll(/:[^/]+/g, "nosuch"),
      query: fieldsOf(endpoint.query?.ast),
      body: schemas.flatMap((schema) => fieldsOf(schema.ast)),
      takesJson: endpoint.payload.has("application/json"),
    })
  },
})

const JARGON =
  /\bundefined\b|excess|Expected|decoded|\bSchema|Struct\b|\bunion\b|Codec|\bencod(?:ed|ing) side|ReadonlyArray|Encoded|FromString|representing|\| |\[object|NaN/

/** The reasons that also show the refused value. */
const SHOWS = /^must be (?:one of|between|true or false|a (?:finite |whole )?number)/

/** Wrong parameters per request. A reply reports up to 50 problems. */
const TOGETHER = 20

/** One value of each JSON type, and some that are nearly right. */
const WRONG: ReadonlyArray<unknown> = [
  null,
  true,
  0,
  -1.5,
  1e300,
  "",
  "x",
  "x".repeat(5000),
  "a\0b",
  [],
  [null],
  [{}],
  [["x"]],
  ["x".repeat(3000)],
  {},
  { nosuch: 1 },
  { min: "1", maxx: 2 },
  { from: "yesterday", to: 5 },
  { property: 5, operator: "iz", value: null, crmm: 1 },
  [{ property: 5, operator: "iz", value: null }],
  [{ property: { map_to: "x" }, operator: "is" }],
  [{ role: "usr", content: 5, name: "x" }],
  [{ role: "assistant", content: "x" }],
  { include: ["tool_cal"] },
  { region: "EMEA", statuss: ["Won"], crm_filters: [{ operator: "iz" }], amount: {}, close_date: { from: "x" } },
]

const assertPlain = (reply: Reply, what: string) => {
  if (reply.status < 400) return
  const message: string = reply.json?.error?.message ?? ""
  assert.notStrictEqual(message, "", `${what}: ${reply.status} ${reply.text}`)
  assert.notMatch(message, JARGON, what)
  for (const { reason } of reply.json.error.details?.invalid_fields ?? []) {
    assert.notMatch(reason, JARGON, what)
    if (SHOWS.test(reason)) assert.match(reason, /, (?:not|unlike) /, what)
  }
  for (const name of SCHEMA_NAMES) {
    if (/[a-z][A-Z]/.test(name)) assert.notInclude(message.replaceAll(/'[^']*'/g, ""), name, what)
  }
}

describe("error messages", () => {
  layer(layerWeb(engines[0].database), { excludeTestServices: true })((it) => {
    const setUp = Effect.gen(function* () {
      const web = yield* Web
      const { org } = yield* web.tenant()
      const { key } = yield* (yield* ApiKeys).create(org, { name: "fast", role: "owner", requestsPerMinute: 100_000 })
      const send = (method: string, path: string, body?: unknown, type = "application/json") =>
        web.request(path, key, {
          method,
          ...(body !== undefined && {
            body: typeof body === "string" ? body : JSON.stringify(body),
            headers: { "content-type": type },
          }),
        })
      return { send, org }
    })

    it.effect("use the caller's words for every wrong value on every endpoint", () =>
      Effect.gen(function* () {
        assert.isAbove(SCHEMA_NAMES.size, 5)
        let sent = 0
        for (const { method, path, query, body } of ENDPOINTS) {
          // One organization per endpoint, so that no request exceeds the limit of its plan.
          let { send } = yield* setUp
          const check = Effect.fnUntraced(function* (address: string, payload?: unknown) {
            if (sent++ % 250 === 0) send = (yield* setUp).send
            const what = `${method} ${address.slice(0, 200)} ${String(JSON.stringify(payload)).slice(0, 200)}`
            assertPlain(yield* send(method, address, payload), what)
          })
          yield* check(`${path}?nosuch=1&page_sise=2`)
          for (let at = 0; at < query.length; at += TOGETHER) {
            for (const value of WRONG) {
              const text = typeof value === "string" ? value.slice(0, 1000) : JSON.stringify(value)
              const parameters = query.slice(at, at + TOGETHER).map((name) => [name, text])
              yield* check(`${path}?${new URLSearchParams(parameters)}`)
            }
          }
          if (body.length === 0) continue
          for (const value of WRONG) {
            yield* check(path, value)
            yield* check(path, Object.fromEntries([...body, "nosuch"].map((name) => [name, value])))
          }
        }
        assert.isAbove(sent, 500)
      }),
    )

    it.effect("suggest the intended parameter, field, column or value", () =>
      Effect.gen(function* () {
        const { send } = yield* setUp
        const suggested = Effect.fnUntraced(function* (method: string, path: string, body?: unknown) {
          const { status, json } = yield* send(method, `/api/v1${path}`, body)
          assert.strictEqual(status, 400, JSON.stringify(json))
          const { invalid_fields, unknown_fields } = json.error.details
          for (const { did_you_mean } of invalid_fields) {
            if (did_you_mean !== undefined) assert.include(json.error.message, `did you mean ${did_you_mean}?`)
          }
          return {
            unknown_fields,
            suggestions: Object.fromEntries(invalid_fields.map((each: any) => [each.field, each.did_you_mean])),
            reasons: invalid_fields.map(({ reason }: any) => reason).join("; "),
          }
        })
        const parameters = yield* suggested("GET", "/deals?statuss=x&pageSize=5&zzzzzz=1&sort=ammount")
        assert.deepStrictEqual(parameters.suggestions, {
          statuss: "status",
          pageSize: "page_size",
          zzzzzz: undefined,
          sort: "amount",
        })
        assert.sameMembers(parameters.unknown_fields, ["statuss", "pageSize", "zzzzzz"])
        assert.deepStrictEqual((yield* suggested("GET", "/deals?columns=name,deal_statu")).suggestions, {
          columns: "deal_status",
        })
        assert.deepStrictEqual((yield* suggested("GET", "/deals/d_1?columns=ammount")).suggestions, {
          columns: "amount",
        })
        const nested = yield* suggested("POST", "/deals/export", {
          columns: ["ammount"],
          filters: { statuss: ["Won"], crm_filters: [{ property: "x", operator: "equals", valu: 1, value: 2 }] },
        })
        assert.deepStrictEqual(nested.suggestions, {
          "columns[0]": "amount",
          "filters.statuss": "filters.status",
          "filters.crm_filters[0].valu": "filters.crm_filters[0].value",
          "filters.crm_filters[0].operator": undefined,
        })
        assert.include(nested.reasons, "property, operator, value, crm")
        const role = yield* suggested("POST", "/keys", { name: "x", role: "admn", nmae: "y" })
        assert.deepStrictEqual(role.suggestions, { nmae: "name", role: "admin" })
        assert.include(role.reasons, "viewer, member, admin, owner")
        const message = yield* suggested("POST", "/responses", { messages: [{ role: "usr", content: "Why?" }] })
        assert.deepStrictEqual(message.suggestions, { "messages[0].role": "user" })
        assert.deepStrictEqual((yield* suggested("GET", "/product-intelligence?sentimnet=positive")).suggestions, {
          sentimnet: "sentiment",
        })
        assert.deepStrictEqual((yield* suggested("GET", "/keys?page=1")).reasons, "is not accepted here: omit it")
        assert.deepStrictEqual((yield* suggested("GET", "/changes?types=deal,dael")).suggestions, { types: "deal" })
      }),
    )

    it.effect("name every way to give a document's owner and content", () =>
      Effect.gen(function* () {
        const { send } = yield* setUp
        const about = { file_name: "a.txt", content_type: "text/plain" }
        const none = yield* send("POST", "/api/v1/deals/documents", about)
        assert.include(none.json.error.message, "exactly one of deal_id, crm_one_id, crm_two_id must be given")
        assert.include(none.json.error.message, "exactly one of file_url, file_base64 must be given")
        const two = yield* send("POST", "/api/v1/documents/library", {
          ...about,
          type: "intel",
          competitor_id: "a",
          competitor_name: "b",
          file_url: "https://example.org/a.txt",
          file_base64: "!",
        })
        assert.sameMembers(
          two.json.error.details.invalid_fields.map(({ field }: any) => field),
          ["competitor_id", "competitor_name", "file_url", "file_base64", "file_base64"],
        )
        const form = new FormData()
        form.set("type", "intel")
        const { json } = yield* (yield* Web).request("/api/v1/documents/library", (yield* (yield* Web).tenant()).key, {
          method: "POST",
          body: form,
        })
        assert.deepStrictEqual(json.error.details.missing_fields, ["file_name", "content_type"])
        assert.include(json.error.message, "exactly one of file, file_url must be given")
        assert.include(json.error.message, "exactly one of competitor_id, competitor_name must be given")
      }),
    )

    it.effect("name the accepted types, sizes and methods, and the position where JSON breaks", () =>
      Effect.gen(function* () {
        const { send } = yield* setUp
        for (const { method, path, takesJson } of ENDPOINTS.filter(({ takesJson }) => takesJson)) {
          const type = yield* send(method, path, "a=b", "application/x-www-form-urlencoded")
          assert.deepStrictEqual([type.status, takesJson], [415, true], path)
          assert.include(type.json.error.message, "application/json", path)
          const broken = yield* send(method, path, '{"a": 1,\n  "b" 2}')
          assert.strictEqual(broken.status, 400, path)
          assert.include(broken.json.error.message, 'body must be JSON: line 2, column 7: expected :, but found "2"')
        }
        const large = yield* send("POST", "/api/v1/keys", { name: "x".repeat(1_100_000), role: "viewer" })
        assert.strictEqual(large.status, 413)
        assert.include(large.json.error.message, "larger than 1,048,576 bytes (1 MiB)")
        assert.strictEqual(large.json.error.details.max_bytes, 1_048_576)
        const base64 = yield* send("POST", "/api/v1/documents/library", "x".repeat(15 * 1024 * 1024))
        assert.strictEqual(base64.status, 413)
        assert.include(base64.json.error.message, "14,680,064 bytes (14 MiB)")
        assert.include(base64.json.error.message, "multipart/form-data")
        const imported = yield* send("POST", "/api/v1/import", "<xml/>", "text/xml")
        assert.strictEqual(imported.status, 415)
        assert.include(imported.json.error.message, "one of application/x-ndjson, application/jsonl, text/csv, ")
        const method = yield* send("PUT", "/api/v1/usage")
        assert.deepStrictEqual([method.status, method.headers.get("allow")], [405, "GET, HEAD, OPTIONS"])
        assert.include(method.json.error.message, "does not accept PUT, only GET, HEAD, OPTIONS")
      }),
    )

    it.effect("name the endpoint that a path without one may mean", () =>
      Effect.gen(function* () {
        const { send } = yield* setUp
        for (const [method, path, status, message] of [
          ["POST", "/api/v1/deals/deal_1/documents", 404, "Did you mean POST /api/v1/deals/documents? /openapi.json"],
          [
            "POST",
            "/api/v1/documents",
            405,
            "Did you mean POST /api/v1/deals/documents or POST /api/v1/documents/library",
          ],
          ["GET", "/api/v1/deal/deal_1", 404, "Did you mean GET /api/v1/deals or GET /api/v1/deals/:id"],
          ["GET", "/api/v1/reports/deals", 404, "Did you mean GET /api/v1/deals/report?"],
          ["POST", "/api/v1/login", 404, "this path does not exist; /openapi.json lists the paths"],
          ["GET", `/api/v1${"/deals".repeat(2_000)}`, 404, "this path does not exist"],
          ["GET", "/deals", 404, "this path does not exist; /openapi.json lists the paths"],
        ] as const) {
          const reply = yield* send(method, path)
          assert.strictEqual(reply.status, status, path)
          assert.include(reply.json.error.message, message)
        }
      }),
    )

    it.effect("refuse an empty list of columns", () =>
      Effect.gen(function* () {
        const { send } = yield* setUp
        for (const path of ["/deals?columns=", "/deals?columns=,%20,", "/deals/d_1?columns="]) {
          const { status, json } = yield* send("GET", `/api/v1${path}`)
          assert.deepStrictEqual([status, json.error.details.invalid_fields[0].field], [400, "columns"], path)
          assert.include(json.error.message, "omit it")
        }
      }),
    )

    it.effect("report many problems in bounded time and space", () =>
      Effect.gen(function* () {
        const { send } = yield* setUp
        const fields = Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`statu${n}`, n]))
        const reply = yield* send("POST", "/api/v1/deals/export", { columns: ["id"], ...fields })
        assert.strictEqual(reply.status, 400)
        assert.isBelow(reply.text.length, 50_000)
      }),
    )
  })
})
