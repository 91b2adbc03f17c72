import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { DocumentReader, ReaderUnavailable, UnreadableDocument } from "../../core/ports/DocumentReader.ts"
import { chunk } from "../../ingest/chunk.ts"
import { isMedia } from "../../ingest/document.ts"
import type { DocumentFormat } from "../../ingest/readers.ts"
import { CONTENT_TYPES, formatOf } from "../../ingest/safety/sniff.ts"
import { isCompound, isOldFormat, OLD_FORMATS } from "../../ingest/safety/compound.ts"
import { findRefusal } from "../../ingest/safety/refusal.ts"
import { CannotStartThread } from "../../ingest/sandbox/errors.ts"
import { UnreadableError } from "../../ingest/UnreadableError.ts"
import type { ReaderOptions } from "../libraryOptions.ts"
import { layerTables } from "./layerTables.ts"

/** Reads documents and workbooks of records in threads, which end with the layer, or when a file exceeds its limits. */
export const makeReader = ({ workerUrl, inThread = false, libreOffice }: ReaderOptions = {}) =>
  Layer.merge(
    makeDocumentReader({ workerUrl, inThread, libreOffice }),
    layerTables({ workerUrl: workerUrl && (async () => workerUrl), inThread }),
  )

export const makeDocumentReader = ({ workerUrl, inThread = false, libreOffice = false }: ReaderOptions = {}) =>
  Layer.effect(
    DocumentReader,
    Effect.gen(function* () {
      const { read, draw } = yield* inThread ? unprotected : sandboxed(workerUrl)
      const convert = libreOffice ? yield* findConvert : undefined
      /** The file in a format that the readers know. */
      const modern = (bytes: Uint8Array, format: DocumentFormat) =>
        convert !== undefined && isOldFormat(format) && isCompound(bytes)
          ? Effect.map(convert(bytes, format), (bytes) => ({ bytes, format: OLD_FORMATS[format] }))
          : Effect.succeed({ bytes, format })
      return DocumentReader.of({
        formatOf,
        contentTypes: Object.values(CONTENT_TYPES).map(([first]) => first),
        refusal: (contentType, head, tail) => findRefusal(contentType, head, tail, convert !== undefined),
        read: (bytes, format, recognition) =>
          isMedia(format)
            ? Effect.fail(new UnreadableDocument({ reason: "a recording has no text of its own: it is transcribed" }))
            : Effect.flatMap(modern(bytes, format as DocumentFormat), ({ bytes, format }) =>
                inSandbox((signal) => read(bytes, format, { signal, recognition })),
              ),
        drawPage: (bytes, format, page) =>
          Effect.flatMap(modern(bytes, format as DocumentFormat), ({ bytes, format }) =>
            inSandbox((signal) => draw(bytes, format, page, { signal })),
          ),
        chunk,
      })
    }),
  )

export const layerReader = makeReader()

const inSandbox = <A>(work: (signal: AbortSignal) => Promise<A>) =>
  Effect.callback<A, UnreadableDocument | ReaderUnavailable>((resume, signal) => {
    work(signal).then(
      (result) => resume(Effect.succeed(result)),
      (error: unknown) => resume(explainFailure(error)),
    )
  })

const explainFailure = (error: unknown) => {
  if (error instanceof UnreadableError) return Effect.fail(new UnreadableDocument({ reason: error.reason }))
  if (!(error instanceof CannotStartThread)) return Effect.die(error)
  const failure = error.isTransient
    ? new ReaderUnavailable({ reason: "this server cannot read documents now; its log says why" })
    : new UnreadableDocument({ reason: CANNOT_START })
  return Effect.andThen(Effect.logError(error.message, error), Effect.fail(failure))
}

const CANNOT_START =
  "This server cannot read documents: the program of its reading thread does not start, and its log says why. A `workerUrl` must be the address of the bundled `sightline/worker`."

const findConvert = Effect.gen(function* () {
  const { findLibreOffice, makeConvert } = yield* Effect.promise(() => import("./libreOffice.ts"))
  const program = yield* Effect.promise(findLibreOffice)
  return program === undefined ? undefined : yield* makeConvert(program)
})

/** Drawing has a thread of its own: documents do not wait for the pictures that the viewer shows. */
const sandboxed = (workerUrl: URL | undefined) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(async () => {
        const { Sandbox } = await import("../../ingest/sandbox/Sandbox.ts")
        const { bundledThread } = await import("../../ingest/sandbox/bundledThread.ts")
        const worker = workerUrl ?? (await bundledThread("document"))
        return { reading: new Sandbox({ worker }), drawing: new Sandbox({ worker }) }
      }),
      ({ reading, drawing }) => Effect.promise(() => Promise.all([reading.close(), drawing.close()])),
    ),
    ({ reading, drawing }) => ({ read: reading.read.bind(reading), draw: drawing.draw.bind(drawing) }),
  )

/** Loads the readers only if the host chose this. */
const unprotected = Effect.map(
  Effect.promise(() => import("../../ingest/sandbox/inThread.ts")),
  ({ readInThread, drawInThread }) => ({ read: readInThread, draw: drawInThread }),
)
