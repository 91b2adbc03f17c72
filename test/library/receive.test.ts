import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { Documents, originalKey } from "../../src/core/library/Documents.ts"
import { Originals } from "../../src/core/library/Originals.ts"
import { BlobStore } from "../../src/core/ports/BlobStore.ts"
import { DatabaseUnavailable } from "../../src/core/ports/DatabaseUnavailable.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { engines } from "../support/engines.ts"
import { layerWeb, Web } from "../support/web.ts"

const gone = new DatabaseUnavailable({ message: "the answer got lost" })
const document = {
  type: "asset",
  source: "api",
  file_name: "a.md",
  content_type: "text/markdown",
  competitorId: null,
  dealId: null,
} as const

for (const engine of engines) {
  const harness = Layer.unwrap(Effect.sync(() => layerWeb(engine.database)))
  describe(`a document whose commit gets no reply, on ${engine.name}`, () => {
    layer(harness, { excludeTestServices: true })((it) => {
      for (const commits of [true, false]) {
        it.effect(commits ? "keeps its bytes if the commit succeeded" : "removes its bytes if the commit failed", () =>
          Effect.gen(function* () {
            const { org } = yield* (yield* Web).tenant()
            const database = yield* Database
            const transaction = (of: string, effect: Effect.Effect<unknown>) =>
              Effect.andThen(commits ? database.transaction(of, effect) : Effect.void, Effect.fail(gone))
            const broken = Layer.succeed(Database, { ...database, transaction: transaction as never })
            const documents = yield* Effect.provide(Documents, Layer.fresh(Documents.layer).pipe(Layer.provide(broken)))
            const bytes = Stream.succeed(new TextEncoder().encode("# Notes"))
            const original = yield* (yield* Originals).keep(org, "text/markdown", bytes)
            assert.strictEqual(yield* Effect.flip(documents.receive(org, document, original)), gone)
            const key = originalKey(org, "id" in original ? original.id : "")
            const found = yield* Effect.exit((yield* BlobStore).size(key))
            assert.strictEqual(found._tag, commits ? "Success" : "Failure")
          }),
        )
      }
    })
  })
}
