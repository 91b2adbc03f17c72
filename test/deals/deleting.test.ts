import { afterAll, assert, beforeAll, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { originalKey } from "../../src/core/library/Documents.ts"
import { BlobStore } from "../../src/core/ports/BlobStore.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { engines } from "../support/engines.ts"
import { untilEffect } from "../support/until.ts"
import { layerLibrary, layerWeb } from "../support/web.ts"
import { startEndpoint } from "../webhooks/endpoint.ts"
import { tools } from "../webhooks/tools.ts"
import { feedAfter, send, tenantWithDeals } from "./changing.ts"

const endpoint = await startEndpoint()
afterAll(() => endpoint.stop())

for (const engine of engines) {
  describe(`deleting deals by HTTP on ${engine.name}`, () => {
    beforeAll(() => {
      endpoint.received.length = 0
    })
    layer(layerWeb(engine.database, layerLibrary([endpoint.port])), { excludeTestServices: true })((it) => {
      const { newPath, createWebhook, receivedBy } = tools(endpoint, `deleting-${engine.name}`)

      it.effect("DELETE of a deal deletes its associations and documents, and feed and webhooks report it", () =>
        Effect.gen(function* () {
          const { org, key } = yield* tenantWithDeals
          const blobs = yield* BlobStore
          const { scoped, sql } = yield* Database
          const upload = Effect.fnUntraced(function* (deal_id: string, text: string) {
            const reply = yield* send(key, "POST", "/deals/documents", {
              deal_id,
              file_name: "notes.md",
              content_type: "text/markdown",
              file_base64: Buffer.from(text).toString("base64"),
            })
            assert.strictEqual(reply.status, 200, reply.text)
            const { id } = reply.json.document
            yield* untilEffect(
              "the document is read",
              Effect.map(send(key, "GET", `/documents/${id}`), ({ json }) => json.status !== "processing"),
            )
            return id as string
          })
          const [first, second, other] = [
            yield* upload("d1", "# One\n\nWords."),
            yield* upload("d1", "# Two\n\nWords."),
            yield* upload("d2", "# Three\n\nWords."),
          ]
          const path = newPath()
          yield* createWebhook(key, path, {
            event_types: ["deal.deleted", "association.deleted", "document.deleted"],
          })
          const { next_cursor } = (yield* send(key, "GET", "/changes?since=now")).json

          const deleted = yield* send(key, "DELETE", "/deals/d1")
          assert.deepStrictEqual([deleted.status, deleted.text], [204, ""])
          for (const [method, address] of [
            ["GET", "/deals/d1"],
            ["GET", "/deals/d1/stages"],
            ["DELETE", "/deals/d1"],
            ["GET", `/documents/${first}`],
            ["GET", `/documents/${second}`],
          ] as const) {
            assert.strictEqual((yield* send(key, method, address)).status, 404, `${method} ${address}`)
          }
          for (const [id, size] of [
            [first, undefined],
            [second, undefined],
            [other, 15],
          ] as const) {
            const found = yield* Effect.orElseSucceed(blobs.size(originalKey(org, id)), () => undefined)
            assert.strictEqual(found, size, id)
          }
          assert.strictEqual((yield* send(key, "GET", `/documents/${other}`)).json.status, "ready")
          const { data } = (yield* send(key, "GET", "/product-intelligence")).json
          assert.deepStrictEqual(
            data.map(({ id }: { id: string }) => id),
            ["a3"],
          )
          for (const table of ["deal_stage_changes", "deal_json", "passages", "deal_records"]) {
            const rows = yield* scoped(
              org,
              sql`select from ${sql.literal(table)} where org_id = scope.org and deal_id = 'd1'`,
            )
            assert.lengthOf(rows, 0, table)
          }

          const tombstones = [
            "association.deleted a1",
            "association.deleted a2",
            "deal.deleted d1",
            `document.deleted ${first}`,
            `document.deleted ${second}`,
          ].toSorted()
          const feed = feedAfter(key, next_cursor)
          yield* untilEffect(
            "the feed tells",
            Effect.map(feed, (changes) => tombstones.every((each) => changes.includes(each))),
          )
          yield* untilEffect(
            "the webhook tells",
            Effect.sync(() => receivedBy(path).length >= 5),
          )
          assert.deepStrictEqual(receivedBy(path).toSorted(), tombstones)
        }),
      )

      it.effect("DELETE of a deal cancels the runs of its documents", () =>
        Effect.gen(function* () {
          const { org, key } = yield* tenantWithDeals
          const { transaction, scoped, sql } = yield* Database
          const row = {
            org_id: org,
            id: "doc",
            type: "asset",
            source: "api",
            file_name: "a.md",
            content_type: "text/markdown",
            deal_id: "d1",
          }
          yield* transaction(
            org,
            Effect.andThen(
              sql`insert into documents ${sql.insert(row)}`,
              sql`insert into jobs (org_id, id, kind, subject, due_at)
                values (${org}, 'run', 'document', 'doc', now() + interval '1 hour')`,
            ),
          )
          assert.strictEqual((yield* send(key, "DELETE", "/deals/d1")).status, 204)
          const [job] = yield* scoped<{ state: string }>(
            org,
            sql`select state from jobs where org_id = scope.org and id = 'run'`,
          )
          assert.strictEqual(job?.state, "cancelled")
        }),
      )

      it.effect("DELETE of an association keeps its deal, and the feed reports it", () =>
        Effect.gen(function* () {
          const { key } = yield* tenantWithDeals
          const { next_cursor } = (yield* send(key, "GET", "/changes?since=now")).json
          assert.strictEqual((yield* send(key, "DELETE", "/product-intelligence/a1")).status, 204)
          assert.strictEqual((yield* send(key, "DELETE", "/product-intelligence/a1")).status, 404)
          const { features } = (yield* send(key, "GET", "/deals/d1")).json
          assert.deepStrictEqual(
            features.map(({ name }: { name: string }) => name),
            ["Export"],
          )
          const feed = feedAfter(key, next_cursor)
          yield* untilEffect(
            "the feed tells",
            Effect.map(feed, (changes) => changes.includes("association.deleted a1")),
          )
        }),
      )
    })
  })
}
