import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { makeId } from "../../src/core/common/ids.ts"
import type { Element, Warning } from "../../src/core/ports/document.ts"
import { Documents, originalKey } from "../../src/core/library/Documents.ts"
import { replaceText } from "../../src/core/library/writing.ts"
import { BlobStore } from "../../src/core/ports/BlobStore.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { chunk } from "../../src/ingest/chunk.ts"

interface Rest {
  readonly file_name?: string
  readonly content_type?: string
  readonly deal_id?: string
  readonly bytes?: Uint8Array
  readonly warnings?: ReadonlyArray<Warning>
}

/** Adds a document with these elements, as after its run. Returns its link. */
export const readDocument = Effect.fnUntraced(function* (
  org: string,
  elements: ReadonlyArray<Element>,
  {
    file_name = "notes.pdf",
    content_type = "application/pdf",
    bytes = new Uint8Array(10),
    warnings = [],
    deal_id,
  }: Rest = {},
) {
  const database = yield* Database
  const { sql } = database
  const id = yield* makeId("doc")
  const { sha256, size } = yield* (yield* BlobStore).put(originalKey(org, id), Stream.succeed(bytes))
  const row = {
    org_id: org,
    id,
    type: "asset",
    source: "api",
    file_name,
    content_type,
    size_bytes: size,
    sha256,
    deal_id: deal_id ?? null,
  }
  const document = chunk({ elements, warnings })
  yield* database.transaction(
    org,
    Effect.andThen(sql`insert into documents ${sql.insert(row)}`, replaceText(sql, org, id, document)),
  )
  return { id, url: (yield* (yield* Documents).get(org, id)).url, text: document.text }
})

export const onPage = (page: number, text: string, kind: Element["kind"] = "paragraph"): Element => ({
  kind,
  text,
  place: { kind: "page", page },
  ...(kind === "heading" && { level: 2 }),
})

export const inRow = (sheet: string, row: number, text: string): Element => ({
  kind: "table-row",
  text,
  place: { kind: "sheet", sheet, row },
})
