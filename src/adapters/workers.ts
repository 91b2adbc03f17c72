import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { open } from "../core/open.ts"
import { BulkRead } from "../core/ports/BulkRead.ts"
import { DocumentReader, UnreadableDocument } from "../core/ports/DocumentReader.ts"
import { Transcriber } from "../core/ports/Transcriber.ts"
import { layerDatabase as layerDatabaseBlobs } from "./blobs/database.ts"
import { layerS3 } from "./blobs/s3.ts"
import { withoutKind } from "./configuration/choices.ts"
import { portableOptions } from "./configuration/portableOptions.ts"
import { layerPostgres } from "./database/postgres.ts"
import { type Environment, type HostedConfiguration, hostedConfiguration } from "./deploy/settings.ts"
import { layerPlainFetcher } from "./fetch/plain.ts"
import { compressor } from "./serving/serving.ts"

/** The server's variables, and optionally a Hyperdrive in front of PostgreSQL. */
export interface Bindings {
  readonly HYPERDRIVE?: { readonly connectionString: string }
  readonly [name: string]: unknown
}

/** The used part of a Worker's context. */
interface Lifetime {
  readonly waitUntil: (promise: Promise<unknown>) => void
}

/** Requests of one Worker come at the same time, each with its own connections. */
const CONNECTIONS = 2

/** How long jobs may run after a request that may have enqueued one. A Worker may live for 30 s after its reply. */
const SECONDS_AFTER_REQUEST = 5

/** One of an isolate's requests works for those of the next second. */
const WORK_INTERVAL_MS = 1_000
let workedAtMs = 0

/** How long jobs may run for a cron trigger, which comes every minute. */
const SECONDS_OF_CRON = 45

/**
 * The service as a Worker. A socket belongs to the request that opened it, so each request opens the service and closes it
 * after its reply.
 */
export default {
  async fetch(request: Request, bindings: Bindings, context: Lifetime): Promise<Response> {
    const { handler, tick, dispose } = await openFor(bindings)
    const reply = await handler(request)
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    // The caller may hang up.
    const sent = (reply.body ?? new Blob().stream()).pipeTo(writable).catch(() => undefined)
    const work = async () => void (isDue(request) && (await tick({ seconds: SECONDS_AFTER_REQUEST })))
    context.waitUntil(sent.then(work).finally(dispose))
    const { status, headers } = reply
    // The service has compressed the body; Workers would do it again.
    const init = { status, headers, encodeBody: "manual" }
    return new Response(reply.body === null ? null : readable, init)
  },

  /** Runs due jobs: set a cron trigger of every minute. */
  async scheduled(_event: unknown, bindings: Bindings): Promise<void> {
    const { tick, dispose } = await openFor(bindings)
    try {
      await tick({ seconds: SECONDS_OF_CRON })
    } finally {
      await dispose()
    }
  },
}

const openFor = async ({ HYPERDRIVE, ...variables }: Bindings) => {
  const texts = Object.entries(variables).filter((entry): entry is [string, string] => typeof entry[1] === "string")
  const environment: Environment = {
    ...Object.fromEntries(texts),
    ...(HYPERDRIVE && { SIGHTLINE_DATABASE_URL: HYPERDRIVE.connectionString, SIGHTLINE_DATABASE_POOLED: "true" }),
  }
  const settings = await Effect.runPromise(hostedConfiguration(environment))
  return open({
    ...portableOptions(settings),
    background: false,
    compressor,
    database: layerDatabase(settings),
    library: layerParts(settings),
  })
}

/** Exports read a cursor: `COPY` needs a kind of socket that Workers lack. */
const layerDatabase = ({ database }: HostedConfiguration) =>
  Layer.effectContext(
    Effect.map(Layer.build(layerPostgres({ ...withoutKind(database), connections: CONNECTIONS })), (context) =>
      Context.add(context, BulkRead, { _tag: "cursor" }),
    ),
  )

/**
 * Exports and webhooks without documents: reading them takes threads. `layerLibrary` would bring the readers into a Worker's bundle,
 * which has limits of its size.
 */
const layerParts = ({ blobs, webhookHosts }: HostedConfiguration) =>
  Layer.mergeAll(
    blobs.kind === "s3" ? layerS3(blobs) : layerDatabaseBlobs,
    layerNoReader,
    layerPlainFetcher({ webhookHosts }),
    Transcriber.layerNone,
  )

const reason = "this deployment reads no documents: upload them to a server or a Deno deployment on the same database"
const layerNoReader = Layer.succeed(DocumentReader, {
  formatOf: () => undefined,
  refusal: () => reason,
  contentTypes: [],
  read: () => Effect.fail(new UnreadableDocument({ reason })),
  drawPage: () => Effect.fail(new UnreadableDocument({ reason })),
  chunk: ({ warnings }) => ({ text: "", elements: [], chunks: [], warnings }),
})

const isDue = ({ method }: Request) => {
  const now = Date.now()
  if (method === "GET" || method === "HEAD" || now < workedAtMs + WORK_INTERVAL_MS) return false
  workedAtMs = now
  return true
}
