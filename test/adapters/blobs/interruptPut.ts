import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import { BlobStore } from "../../../src/core/ports/BlobStore.ts"

/** Puts a blob that never ends, and interrupts the put after the store took `bytes`. */
export const interruptPut = Effect.fnUntraced(function* (key: string, bytes: Stream.Stream<Uint8Array>) {
  const { put } = yield* BlobStore
  const reached = yield* Deferred.make<void>()
  const waiting = Stream.fromEffect(Effect.andThen(Deferred.succeed(reached, undefined), Effect.never))
  const putting = yield* Effect.forkChild(put(key, Stream.concat(bytes, waiting)))
  yield* Deferred.await(reached)
  yield* Fiber.interrupt(putting)
})
