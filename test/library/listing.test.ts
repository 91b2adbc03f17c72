import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { Import } from "../../src/core/import/Import.ts"
import { engines } from "../support/engines.ts"
import { onPage, readDocument } from "../support/readDocument.ts"
import { layerLibrary, layerWeb, Web } from "../support/web.ts"

for (const engine of engines) {
  const harness = Layer.unwrap(Effect.sync(() => layerWeb(engine.database, layerLibrary())))
  describe(`the list of documents on ${engine.name}`, () => {
    layer(harness, { excludeTestServices: true })((it) => {
      it.effect("finds documents by a part of the name, and those of the library or of deals alone", () =>
        Effect.gen(function* () {
          const web = yield* Web
          const { org, key } = yield* web.tenant()
          yield* (yield* Import).records(org, Stream.fromIterable([{ type: "deal", id: "d1", name: "Deal" }]))
          yield* readDocument(org, [onPage(1, "40 a month.")], { file_name: "Rival 100%_Prices.md" })
          yield* readDocument(org, [onPage(1, "A call.")], { file_name: "Call.md", deal_id: "d1" })
          const names = Effect.fnUntraced(function* (query: string) {
            const { json } = yield* web.request(`/api/v1/documents?${query}`, key)
            return json.data.map(({ file_name }: { readonly file_name: string }) => file_name)
          })
          assert.deepStrictEqual(yield* names("searchQuery=100%25_pRICES"), ["Rival 100%_Prices.md"])
          assert.deepStrictEqual(yield* names("searchQuery=100_"), [])
          assert.deepStrictEqual(yield* names("belongs_to=competitor"), ["Rival 100%_Prices.md"])
          assert.deepStrictEqual(yield* names("belongs_to=deal"), ["Call.md"])
          const { status } = yield* web.request("/api/v1/documents?belongs_to=nobody", key)
          assert.strictEqual(status, 400)
        }),
      )
    })
  })
}
