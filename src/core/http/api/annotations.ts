import type { ByteSize } from "effect/ByteSize"
import * as Context from "effect/Context"

/** Annotates an endpoint that replies with bytes of their own type rather than JSON, so that `Accept` does not apply. */
export const AnswersBytes = Context.Reference<boolean>("sightline/http/AnswersBytes", { defaultValue: () => false })

/** Annotates an endpoint with a body limit above `MAX_BODY`. The `Idempotency` middleware applies it. */
export const LargestBody = Context.Reference<ByteSize | undefined>("sightline/http/LargestBody", {
  defaultValue: () => undefined,
})

/** Marks an endpoint that reads its body as a stream, whatever its Content-Type. */
export const StreamedBody = Context.Reference<boolean>("sightline/http/StreamedBody", { defaultValue: () => false })
