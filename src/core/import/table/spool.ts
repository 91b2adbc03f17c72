import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { makeId } from "../../common/ids.ts"
import { BlobNotFound, type BlobStore, BlobStoreError, blobKey } from "../../ports/BlobStore.ts"
import { FileReaderUnavailable, FileRefused } from "../../ports/TableReader.ts"
import type { Spooled } from "./openTable.ts"

/** A workbook that inflates to 500 MiB has some 60. */
const MAX_MIB = 100

/** Keeps a file in the blob store until the scope closes. `reconcile` deletes what a crash leaves there. */
export const spoolIn = Effect.fnUntraced(function* <E>(
  org: string,
  blobs: BlobStore["Service"],
  bytes: Stream.Stream<Uint8Array, E>,
): Effect.fn.Return<Spooled, E | FileRefused | FileReaderUnavailable, Scope.Scope> {
  const key = blobKey(org, "imports", yield* makeId("file"))
  yield* Effect.addFinalizer(() => Effect.ignore(blobs.remove(key)))
  let size = 0
  const limited = Stream.mapEffect(bytes, (piece) => {
    size += piece.length
    return size > MAX_MIB * 1024 * 1024
      ? Effect.fail(new FileRefused({ reason: `is larger than ${MAX_MIB} MiB: save it as CSV, which has no limit` }))
      : Effect.succeed(piece)
  })
  yield* Effect.mapError(blobs.put(key, limited), unavailable<E | FileRefused>)
  const load = Effect.gen(function* () {
    const whole = new Uint8Array(size)
    let at = 0
    yield* Stream.runForEach(yield* blobs.get(key), (piece) =>
      Effect.sync(() => {
        whole.set(piece, at)
        at += piece.length
      }),
    )
    return whole
  }).pipe(Effect.mapError(unavailable<never>))
  return { load }
})

const unavailable = <E>(error: E | BlobStoreError | BlobNotFound): E | FileReaderUnavailable =>
  error instanceof BlobStoreError || error instanceof BlobNotFound
    ? new FileReaderUnavailable({ reason: error.message })
    : error
