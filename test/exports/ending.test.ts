import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { ApiKeys } from "../../src/core/keys/ApiKeys.ts"
import { fileKey } from "../../src/core/exports/Exports.ts"
import { BlobStore } from "../../src/core/ports/BlobStore.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { engines } from "../support/engines.ts"
import { layerWeb, Web } from "../support/web.ts"
import { download, EXPORT, runExport, post } from "./support.ts"

for (const engine of engines) {
  describe(`exports that end on ${engine.name}`, () => {
    layer(layerWeb(engine.database), { excludeTestServices: true })((it) => {
      it.effect("are deleted with their file and link, also while a worker writes them", () =>
        Effect.gen(function* () {
          const web = yield* Web
          const { org, key } = yield* web.tenant()
          const other = yield* web.tenant()
          const member = yield* web.tenant({ role: "member" })
          const blobs = yield* BlobStore
          const { scoped, sql } = yield* Database
          const { status } = yield* runExport(key, { columns: ["name"] })
          const id = status.export_id
          const remove = (by: string) => web.request(`${EXPORT}/${id}`, by, { method: "DELETE" })
          assert.strictEqual((yield* remove(other.key)).status, 404)
          assert.strictEqual((yield* remove(member.key)).status, 403)
          assert.strictEqual((yield* download(status.download_url)).status, 200)
          assert.deepStrictEqual([(yield* remove(key)).status, (yield* remove(key)).status], [204, 404])
          assert.strictEqual((yield* download(status.download_url)).status, 404)
          assert.strictEqual((yield* web.request(`${EXPORT}/${id}`, key)).status, 404)
          assert.strictEqual((yield* Effect.flip(blobs.size(fileKey(org, id, 1, "csv"))))._tag, "BlobNotFound")
          const queued = (yield* post(key, { columns: ["name"] })).json.export_id
          assert.strictEqual((yield* web.request(`${EXPORT}/${queued}`, key, { method: "DELETE" })).status, 204)
          assert.deepStrictEqual(yield* scoped(org, sql`select id from jobs where org_id = scope.org`), [])
        }),
      )

      it.effect("cannot be downloaded after the key that requested the link is revoked", () =>
        Effect.gen(function* () {
          const web = yield* Web
          const { org, key } = yield* web.tenant()
          const keys = yield* ApiKeys
          const asking = yield* keys.create(org, { name: "asking", role: "admin" })
          const { status } = yield* runExport(asking.key, { columns: ["name"] })
          const { json } = yield* web.request(`${EXPORT}/${status.export_id}`, key)
          assert.strictEqual((yield* download(status.download_url)).status, 200)
          yield* keys.revoke(org, asking.id)
          const gone = yield* download(status.download_url)
          assert.deepStrictEqual([gone.status, gone.json.error.code], [410, "gone"])
          assert.strictEqual((yield* download(json.download_url)).status, 200)
        }),
      )
    })
  })
}
