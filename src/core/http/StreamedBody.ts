import * as Context from "effect/Context"

/** Marks an endpoint that reads its body as a stream, whatever its Content-Type. */
export const StreamedBody = Context.Reference<boolean>("sightline/http/StreamedBody", { defaultValue: () => false })
