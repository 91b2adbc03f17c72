import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { withoutKind } from "../configuration/choices.ts"
import { loadOnFirstUse } from "../../core/common/lazily.ts"
import { DocumentReader } from "../../core/ports/DocumentReader.ts"
import { layerDatabaseBlobs, layerFetcher, layerLibrary, layerS3Blobs, layerTranscriber } from "../library.ts"
import type { HostedConfiguration } from "./settings.ts"

/** The library of a host without files. The programs of its threads are texts of this bundle. */
export const hostedLibrary = ({ blobs, transcription, webhookHosts }: HostedConfiguration) =>
  layerLibrary({
    blobs: blobs.kind === "s3" ? layerS3Blobs(withoutKind(blobs)) : layerDatabaseBlobs,
    reader: layerReader,
    fetcher: layerFetcher({ webhookHosts }),
    transcriber:
      transcription.kind === "openai"
        ? layerTranscriber({ ...withoutKind(transcription), worker: mediaThread })
        : undefined,
  })

/** The thread's program has megabytes: the first document loads it. */
const layerDocumentReader = Layer.effect(
  DocumentReader,
  Effect.gen(function* () {
    const { makeDocumentReader } = yield* Effect.promise(() => import("../reading/layerReader.ts"))
    const reader = yield* Effect.provide(DocumentReader, makeDocumentReader())
    const thread = async () => makeDocumentReader({ workerUrl: await documentThread() })
    const once = yield* loadOnFirstUse(DocumentReader, thread)
    return DocumentReader.of({
      ...reader,
      read: (...args) => Effect.flatMap(once, ({ read }) => read(...args)),
      drawPage: (...args) => Effect.flatMap(once, ({ drawPage }) => drawPage(...args)),
    })
  }),
)

const layerReader = Layer.merge(
  layerDocumentReader,
  Layer.unwrap(
    Effect.promise(async () => {
      const { layerTables } = await import("../reading/layerTables.ts")
      return layerTables({ workerUrl: documentThread })
    }),
  ),
)

const documentThread = async () => threadUrl((await import("sightline:documentThread")).default)
const mediaThread = async () => threadUrl((await import("sightline:mediaThread")).default)

/**
 * The address of a thread's program. Deno starts a thread from a file only with the permission to read it, even one of the
 * module graph; a `data:` URL needs none, and of megabytes takes seconds, so a short one imports a blob.
 */
const threadUrl = (program: string) => {
  const blob = URL.createObjectURL(new Blob([program], { type: "text/javascript" }))
  return new URL(`data:text/javascript,${encodeURIComponent(`import "${blob}"`)}`)
}
