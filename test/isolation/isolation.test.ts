import { assert, describe, it, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { ApiKeys } from "../../src/core/keys/ApiKeys.ts"
import { originalKey } from "../../src/core/library/Documents.ts"
import { BlobStore } from "../../src/core/ports/BlobStore.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { allEngines, engines, whereIs } from "../support/engines.ts"
import { ALL } from "../support/extent.ts"
import { findPrincipal, layerWeb, type Reply, Web } from "../support/web.ts"
import { type Endpoint, ENDPOINTS, type Field, fieldsOf, pathOf } from "./endpoints.ts"
import { ID_FIELDS } from "./idFields.ts"
import type { Kind } from "./kinds.ts"
import { insertSignIns } from "./signIns.ts"
import { insertAnalyses, markOf } from "./analyses.ts"
import { MALFORMED } from "./malformed.ts"
import {
  boardsOf,
  documentsOf,
  exportsOf,
  idOf,
  importsOf,
  KINDS,
  planOf,
  recordsOf,
  TABLES,
  webhooksOf,
} from "./tenants.ts"

const paramsOf = (path: string) => [...path.matchAll(/:([^/]+)/g)].map(([, name]) => name ?? "")

const UNKNOWN = "unknown_0123"

const ndjson = (records: ReadonlyArray<object>) => records.map((record) => `${JSON.stringify(record)}\n`).join("")

/** A reply without its request id, the requested ids, generated ids, and similar names of the caller's own. */
const shapeOf = ({ status, text, headers }: Reply, ...ids: ReadonlyArray<string>) => ({
  status,
  type: headers.get("content-type"),
  body: (status === 202 ? [(JSON.parse(text).export_id ?? JSON.parse(text).run_id) as string, ...ids] : ids).reduce(
    (body, id) => body.replaceAll(JSON.stringify(id).slice(1, -1), "<id>").replaceAll(id, "<id>"),
    // A report's link repeats its filters, encoded for an address.
    text.replaceAll(/ \(did you mean .*?\?\)|,"(?:did_you_mean|deals_url)":"[^"]*"|"import_id":"[^"]*",/g, ""),
  ),
})

/** The ways in: keys on each engine, and identities of an embedding host, who differ from keys before the database is asked. */
const WAYS = [
  ...allEngines.map((engine) => ({ ...engine, caller: "keys" }) as const),
  { ...engines[1], caller: "identities" } as const,
]

for (const { name: engine, database, caller } of WAYS) {
  describe(`isolation of ${caller} on ${engine}`, whereIs({ name: engine }), () => {
    const malformed = ALL || (caller === "keys" && engine === "PostgreSQL") ? MALFORMED : []
    const web = layerWeb(database, undefined, undefined, true, findPrincipal)
    layer(web, { excludeTestServices: true })((it) => {
      const send = (path: string, key: string, init?: RequestInit) =>
        Effect.flatMap(Web, (web) => web.request(path, key, init))
      const importing = (key: string, records: ReadonlyArray<object>) =>
        send("/api/v1/import", key, {
          method: "POST",
          body: ndjson(records),
          headers: { "content-type": "application/x-ndjson" },
        })

      /** Inserts the documents of a tenant with texts and runs, and its webhooks, unless they exist. */
      const documents = Effect.fnUntraced(function* (org: string, name: string) {
        const blobs = yield* BlobStore
        const database = yield* Database
        const { sql } = database
        for (const { job, export: made } of exportsOf(name)) {
          yield* database.transaction(
            org,
            Effect.andThen(
              sql`insert into jobs ${sql.insert({ org_id: org, ...job })} on conflict do nothing`,
              sql`insert into exports ${sql.insert({ org_id: org, ...made })} on conflict do nothing`,
            ),
          )
        }
        const put = (table: string, row: Readonly<Record<string, unknown>>) =>
          database.transaction(
            org,
            sql`insert into ${sql.literal(table)} ${sql.insert({ org_id: org, ...row })} on conflict do nothing`,
          )
        for (const plan of ["same", name].map(planOf)) yield* put("import_plans", plan)
        for (const made of importsOf(name)) yield* put("imports", made)
        for (const { document, run, text } of documentsOf(name)) {
          yield* database.transaction(
            org,
            Effect.gen(function* () {
              yield* sql`insert into documents ${sql.insert({ org_id: org, ...document })} on conflict do nothing`
              yield* sql`insert into jobs ${sql.insert({ org_id: org, ...run })} on conflict do nothing`
            }),
          )
          yield* blobs.put(originalKey(org, document.id), Stream.succeed(new TextEncoder().encode(text)))
        }
        yield* database.transaction(org, insertAnalyses(sql, org, name))
        yield* database.transaction(org, insertSignIns(sql, org, name))
        for (const { board, view } of boardsOf(name)) {
          yield* put("boards", board)
          yield* put("views", view)
        }
        for (const { webhook, delivery } of webhooksOf(name)) {
          yield* database.transaction(
            org,
            Effect.gen(function* () {
              yield* sql`insert into webhooks ${sql.insert({ org_id: org, ...webhook })} on conflict do nothing`
              yield* sql`insert into webhook_deliveries ${sql.insert({ org_id: org, ...delivery })} on conflict do nothing`
            }),
          )
        }
      })

      /** A caller, by a key with a very high limit or as an identity, which has the same id in every tenant. */
      const tenant = Effect.fnUntraced(function* (name: string) {
        const web = yield* Web
        const { org } = yield* web.tenant()
        const made = yield* (yield* ApiKeys).create(org, { name, role: "owner", requestsPerMinute: 100_000 })
        const reply = yield* importing(made.key, recordsOf(name))
        assert.deepStrictEqual([reply.status, reply.json?.failed], [200, 0], reply.text)
        const principal = { organization: org, role: "owner", identity: { id: "same", name: `Identity of ${name}` } }
        const key = caller === "keys" ? made.key : JSON.stringify(principal)
        // An identity has its row with its first request.
        yield* send("/api/v1/workspace", key)
        yield* documents(org, name)
        return { name, org, key, keyId: made.id }
      })
      type Tenant = Effect.Success<ReturnType<typeof tenant>>

      /** Resets the rate limits of the organization and its identities. */
      const refill = ({ org }: Tenant) =>
        Effect.flatMap(Database, ({ sql, transaction }) =>
          transaction(
            org,
            Effect.andThen(
              sql`update organization_usage set minute_used = 0, identities_used = 0 where org_id = ${org}`,
              sql`update api_key_usage set minute_used = 0 where org_id = ${org}`,
            ),
          ),
        )

      /** Everything that a tenant can read of itself, except what time changes: usage, and links, which are others in the next hour. */
      const everything = Effect.fnUntraced(function* ({ key }: Tenant) {
        const replies: Record<string, string> = {}
        for (const path of [
          "/deals?columns=*&page_size=100",
          "/product-intelligence",
          "/keys",
          "/workspace",
          "/documents",
          "/documents/doc_same/original",
          "/runs/run_same",
          "/deals/d_same/analysis",
          "/deals/export/exp_same",
          "/import/imp_same",
          "/boards",
          "/views?board_id=board_same",
          "/webhooks",
          "/webhooks/wh_same/deliveries",
        ]) {
          const reply = yield* send(`/api/v1${path}`, key)
          assert.strictEqual(reply.status, 200)
          replies[path] = reply.text.replaceAll(/"last_used_at":(?:null|"[^"]*")|(?<=\/v\/)[\w-]+/g, "")
        }
        return replies
      })

      /** Calls an endpoint with one id in one field. */
      const call = (endpoint: Endpoint, key: string, field: Field, id: string) => {
        const given = field.place === "path" ? { [field.name]: id } : {}
        const path = pathOf(endpoint.path, { ...ID_FIELDS[endpoint.name].fixed, ...given })
        const query =
          field.place === "query" ? `?${new URLSearchParams({ [field.name]: String(field.write(id)) })}` : ""
        const body =
          field.name === "plan_id"
            ? { body: "name\nx\n", headers: { "content-type": "text/csv" } }
            : field.place !== "body"
              ? {}
              : endpoint.name === "workspace.import"
                ? { body: ndjson([field.write(id) as object]), headers: { "content-type": "application/x-ndjson" } }
                : { body: JSON.stringify(field.write(id)), headers: { "content-type": "application/json" } }
        return send(`${path}${query}`, key, { method: endpoint.method, ...body })
      }

      it.effect("two tenants with the same ids see only their own rows", () =>
        Effect.gen(function* () {
          const [a, b] = [yield* tenant("alfa"), yield* tenant("bravo")]
          for (const endpoint of ENDPOINTS.filter(({ method, path }) => method === "GET" && !path.includes(":"))) {
            for (const [mine, theirs] of [
              [a, b],
              [b, a],
            ] as const) {
              const query = endpoint.queryFields.includes("columns")
                ? "?columns=*"
                : endpoint.queryFields.includes("group_by")
                  ? "?group_by=client"
                  : ""
              const reply = yield* send(endpoint.path + query, mine.key)
              assert.strictEqual(reply.status, 200)
              assert.include(reply.text, markOf(endpoint.name, mine))
              assert.notInclude(reply.text, theirs.name)
              assert.notInclude(reply.text, theirs.keyId)
              assert.notInclude(reply.text, theirs.org)
            }
          }
          for (const [path, what] of [
            ["/api/v1/deals/d_same", "Deal same of"],
            ['/api/v1/deals?columns=*&deal_ids=["d_same"]', "Deal same of"],
            ["/api/v1/documents/doc_same", "Document same of"],
            ["/api/v1/documents?deal_id=d_same", "Document same of"],
            ["/api/v1/documents/doc_same/original", "What"],
          ]) {
            for (const { key, name } of [a, b]) {
              assert.include((yield* send(path ?? "", key)).text, `${what} ${name}`)
            }
          }
          const [found] = (yield* send('/api/v1/deals?crm_one_ids=["006_same"]', b.key)).json
          assert.strictEqual(found.name, "Deal same of bravo")
        }),
      )

      it.effect("an upsert by another tenant's id or CRM id creates the caller's own row", () =>
        Effect.gen(function* () {
          const [a, b] = [yield* tenant("charlie"), yield* tenant("delta")]
          const before = yield* everything(b)
          const records = recordsOf("delta").map((record) =>
            "name" in record ? { ...record, name: `taken ${record.id}` } : record,
          )
          const reply = yield* importing(a.key, records)
          assert.strictEqual(reply.json.failed, 0, reply.text)
          assert.strictEqual((yield* send("/api/v1/deals/d_delta", a.key)).json.name, "taken d_delta")
          assert.deepStrictEqual(yield* everything(b), before)
        }),
      )

      it.effect("a foreign, deleted or malformed id, or one of another table, is answered like an unknown id", () =>
        Effect.gen(function* () {
          const [a, b, gone] = [yield* tenant("echo"), yield* tenant("foxtrot"), yield* tenant("golf")]
          const keys = yield* ApiKeys
          const database = yield* Database
          // Imports the rows that only `golf` has into `echo`, and deletes them again.
          assert.strictEqual((yield* importing(a.key, recordsOf("golf"))).json.failed, 0)
          yield* documents(a.org, "golf")
          const revoked = yield* keys.create(a.org, { name: "gone", role: "viewer" })
          yield* keys.revoke(a.org, revoked.id)
          const { sql } = database
          yield* database.transaction(
            a.org,
            Effect.forEach(KINDS, (kind) => {
              const [table, column] = TABLES[kind]
              return sql`delete from ${sql.literal(table)} where org_id = ${a.org}
                  and ${sql.literal(column)} = ${idOf(kind, gone.name)}`
            }),
          )
          assert.strictEqual((yield* importing(a.key, recordsOf("echo"))).json.failed, 0)
          yield* documents(a.org, "echo")
          const before = [yield* everything(a), yield* everything(b)]

          const foreign = (kind: Kind) => (kind === "key" ? b.keyId : idOf(kind, b.name))
          const deleted = (kind: Kind) => (kind === "key" ? revoked.id : idOf(kind, gone.name))
          const others = (kind: Kind) =>
            KINDS.filter((other) => TABLES[other][0] !== (kind === "key" ? "" : TABLES[kind][0])).map((other) =>
              idOf(other, a.name),
            )
          let calls = 0
          for (const endpoint of ENDPOINTS) {
            for (const field of fieldsOf(endpoint)) {
              yield* refill(a)
              const answer = yield* call(endpoint, a.key, field, UNKNOWN)
              const unknown = shapeOf(answer, UNKNOWN)
              assert.notInclude([429, 500, 401], unknown.status)
              const alike = [foreign(field.kind), deleted(field.kind), ...(field.alike ? [] : others(field.kind))]
              for (const id of alike) {
                const reply = yield* call(endpoint, a.key, field, id)
                assert.deepStrictEqual(shapeOf(reply, id), unknown, `${endpoint.name} ${field.name} ${id}`)
                calls++
              }
              yield* refill(a)
              for (const id of malformed) {
                const reply = yield* call(endpoint, a.key, field, id)
                const where = `${endpoint.name} ${field.name} ${JSON.stringify(id)}`
                assert.isBelow(reply.status, 500, where)
                assert.notInclude(reply.text, b.name, where)
                if (field.place === "body" && reply.status === 200) assert.strictEqual(reply.json.failed, 1, where)
                else if (reply.status < 300) {
                  assert.deepStrictEqual(shapeOf(reply, id), shapeOf(answer, UNKNOWN, id), where)
                }
                calls++
              }
            }
          }
          assert.isAbove(calls, 500)
          yield* refill(a)
          assert.deepStrictEqual([yield* everything(a), yield* everything(b)], before)
        }),
      )
    })
  })
}

describe("the table of identifiers", () => {
  it("covers every endpoint, path parameter, query parameter and body", () => {
    assert.deepStrictEqual(Object.keys(ID_FIELDS).sort(), ENDPOINTS.map(({ name }) => name).sort())
    for (const { name, path, queryFields, takesBody } of ENDPOINTS) {
      const row = ID_FIELDS[name]
      assert.sameMembers([...Object.keys(row.path ?? {}), ...Object.keys(row.fixed ?? {})], paramsOf(path), name)
      assert.sameMembers([...Object.keys(row.query ?? {}), ...(row.plain ?? [])], [...queryFields], name)
      assert.strictEqual(row.body !== undefined, takesBody, name)
    }
  })
})
