import type { ByteSize } from "effect/ByteSize"
import * as Context from "effect/Context"

/** On an endpoint: what its body may have where that is more than `envelope` lets by. Needs `Idempotency`, which sets it. */
export const LargestBody = Context.Reference<ByteSize | undefined>("sightline/http/LargestBody", {
  defaultValue: () => undefined,
})
