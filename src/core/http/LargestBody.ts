import type { ByteSize } from "effect/ByteSize"
import * as Context from "effect/Context"

/** Annotates an endpoint with a body limit above `MAX_BODY`. The `Idempotency` middleware applies it. */
export const LargestBody = Context.Reference<ByteSize | undefined>("sightline/http/LargestBody", {
  defaultValue: () => undefined,
})
