import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { DocumentReader, UnreadableDocument } from "../../core/ports/DocumentReader.ts"
import { chunk } from "../../ingest/chunk.ts"
import { isMedia } from "../../ingest/document.ts"
import type { DocumentFormat } from "../../ingest/readers.ts"
import { refusalOf } from "../../ingest/safety/refusal.ts"
import { Sandbox, type SandboxOptions } from "../../ingest/sandbox/Sandbox.ts"
import { CONTENT_TYPES, formatOf } from "../../ingest/safety/sniff.ts"
import { UnreadableError } from "../../ingest/UnreadableError.ts"

/** Reads documents in a thread apart, which is ended with the layer, and whenever a document asks too much of it. */
export const makeReader = (options: SandboxOptions = {}) =>
  Layer.effect(
    DocumentReader,
    Effect.gen(function* () {
      const sandbox = yield* Effect.acquireRelease(
        Effect.sync(() => new Sandbox(options)),
        (opened) => Effect.promise(() => opened.close()),
      )
      return DocumentReader.of({
        formatOf,
        contentTypes: Object.values(CONTENT_TYPES).map(([first]) => first),
        refusal: refusalOf,
        read: (bytes, format) =>
          isMedia(format)
            ? Effect.fail(new UnreadableDocument({ reason: "a recording has no text of its own: it is transcribed" }))
            : Effect.callback((resume, signal) => {
                sandbox.read(bytes, format as DocumentFormat, { signal }).then(
                  (document) => resume(Effect.succeed(document)),
                  (error: unknown) =>
                    resume(
                      error instanceof UnreadableError
                        ? Effect.fail(new UnreadableDocument({ reason: error.reason }))
                        : Effect.die(error),
                    ),
                )
              }),
        chunk,
      })
    }),
  )

export const layerReader = makeReader()
