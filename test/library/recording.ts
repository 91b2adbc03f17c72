import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import type { Placed } from "../../src/core/ports/document.ts"
import type { Transcriber } from "../../src/core/ports/Transcriber.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { Import } from "../../src/core/import/Import.ts"
import { engines } from "../support/engines.ts"
import { layerLibrary, layerWeb, Web } from "../support/web.ts"
import { untilRead } from "./untilReply.ts"

export const harness = (transcriber: Layer.Layer<Transcriber>) =>
  Layer.unwrap(Effect.sync(() => layerWeb(engines[0].database, layerLibrary([], transcriber))))

/** Uploads a recording and returns it after its run. */
export const send = Effect.fnUntraced(function* (
  bytes: Uint8Array<ArrayBuffer>,
  file_name: string,
  content_type: string,
) {
  const web = yield* Web
  const { org, key } = yield* web.tenant()
  yield* (yield* Import).records(org, Stream.succeed({ type: "deal", id: "d1", name: "Renewal" }))
  const body = new FormData()
  body.append("file_name", file_name)
  body.append("content_type", content_type)
  body.append("deal_id", "d1")
  body.append("file", new Blob([bytes]), file_name)
  const { status, text, json } = yield* web.request("/api/v1/deals/documents", key, { method: "POST", body })
  assert.strictEqual(status, 200, text)
  return {
    org,
    key,
    id: json.document.id as string,
    run: json.run_id as string,
    document: yield* untilRead(key, json.document.id),
  }
})

export interface StoredChunk {
  readonly body: string
  readonly places: ReadonlyArray<Placed>
}

export const chunksOf = Effect.fnUntraced(function* (org: string, id: string) {
  const database = yield* Database
  return yield* database.scoped<StoredChunk>(
    org,
    database.sql`select body, places from document_chunks where org_id = scope.org and document_id = ${id} order by n`,
  )
})
