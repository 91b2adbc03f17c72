import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import * as Stream from "effect/Stream"
import { concat } from "../../common/bytes.ts"
import { BlobStore } from "../../ports/BlobStore.ts"
import { DocumentReader, ReaderUnavailable, UnreadableDocument } from "../../ports/DocumentReader.ts"
import type { PagePicture } from "../../ports/document.ts"
import { originalKey } from "../removal.ts"

/** Pages that wait to be drawn, each with its file in memory; a browser loads the others when its reader comes to them. */
const MAX_WAITING = 8
/** A reader scrolls back and forth. A page takes some 300 KB. */
const MAX_KEPT = 32

/** Draws pages for readers, and keeps the last ones. */
export const makePictures = Effect.gen(function* () {
  const blobs = yield* BlobStore
  const reader = yield* DocumentReader
  const one = yield* Semaphore.make(1)
  const kept = new Map<string, PagePicture>()
  let waiting = 0

  const keep = (key: string, picture: PagePicture) => {
    kept.delete(key)
    kept.set(key, picture)
    if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value!)
    return picture
  }

  const drawNow = Effect.fnUntraced(function* (org: string, id: string, contentType: string, page: number) {
    const key = `${originalKey(org, id)}/${page}`
    const known = kept.get(key)
    if (known !== undefined) return keep(key, known)
    const format = reader.formatOf(contentType)
    // Pictures in other formats are the sender's own files, larger than a page that we draw.
    if (format !== "pdf") return yield* new UnreadableDocument({ reason: `${contentType} has no pages` })
    const bytes = concat(yield* Stream.runCollect(yield* blobs.get(originalKey(org, id))))
    return keep(key, yield* reader.drawPage(bytes, format, page))
  }, one.withPermits(1))

  return {
    draw: (...wanted: Parameters<typeof drawNow>) =>
      Effect.suspend(() => {
        if (waiting >= MAX_WAITING)
          return Effect.fail(new ReaderUnavailable({ reason: "too many pages are being drawn; try again shortly" }))
        waiting++
        return Effect.ensuring(
          drawNow(...wanted),
          Effect.sync(() => void waiting--),
        )
      }),
  }
})
