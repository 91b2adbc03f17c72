import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { BlobStore, BlobStoreError } from "../ports/BlobStore.ts"
import { DocumentReader, UnreadableDocument } from "../ports/DocumentReader.ts"
import { HasLibrary, NO_LIBRARY } from "../ports/HasLibrary.ts"
import { Transcriber } from "../ports/Transcriber.ts"
import { FetchRefused, UrlFetcher } from "../ports/UrlFetcher.ts"

const noStore = new BlobStoreError({ reason: "out_of_reach", message: NO_LIBRARY })
const noFetch = new FetchRefused({ message: NO_LIBRARY })

/** Used if the host configures no library: documents, exports and webhooks are refused, everything else works. */
export const layerUnconfigured = Layer.mergeAll(
  Layer.succeed(HasLibrary, false),
  Layer.succeed(BlobStore, {
    put: () => Effect.fail(noStore),
    get: () => Effect.fail(noStore),
    size: () => Effect.fail(noStore),
    remove: () => Effect.fail(noStore),
    list: () => Stream.empty,
    removeAll: () => Effect.void,
  }),
  Layer.succeed(UrlFetcher, {
    check: () => Effect.fail(noFetch),
    fetch: () => Effect.fail(noFetch),
    post: () => Effect.fail(noFetch),
  }),
  Layer.succeed(DocumentReader, {
    formatOf: () => undefined,
    refusal: () => NO_LIBRARY,
    contentTypes: ["none: this host does not store documents"],
    read: () => Effect.fail(new UnreadableDocument({ reason: NO_LIBRARY })),
    drawPage: () => Effect.fail(new UnreadableDocument({ reason: NO_LIBRARY })),
    chunk: ({ warnings }) => ({ text: "", elements: [], chunks: [], warnings }),
  }),
  Transcriber.layerNone,
)
