import * as Effect from "effect/Effect"
import type { BlobNotFound, BlobStoreError } from "../../ports/BlobStore.ts"
import { DatabaseUnavailable } from "../../ports/DatabaseUnavailable.ts"
import { NotFound } from "./errors.ts"

/** Replies 503 if the blob store is unreachable, and 404 if it lacks the file. */
export const mapBlobErrors = <A, E, R>(effect: Effect.Effect<A, E | BlobStoreError | BlobNotFound, R>) =>
  Effect.catchTags(effect as Effect.Effect<A, BlobStoreError | BlobNotFound, R>, {
    BlobStoreError: ({ message }) => new DatabaseUnavailable({ message }),
    BlobNotFound: ({ message }) => new NotFound({ message }),
  }) as Effect.Effect<A, Exclude<E, BlobStoreError | BlobNotFound> | DatabaseUnavailable | NotFound, R>
