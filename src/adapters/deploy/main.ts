import "../serving/withoutAsyncContext.ts"
import process from "node:process"
import { DRAIN_SECONDS } from "../serving/serving.ts"

const { start } = await import("./service.ts")
const { handler, tick, dispose } = await start()

interface Cron {
  readonly cron?: (name: string, schedule: string, run: () => Promise<unknown>) => Promise<void>
}
const { cron } = (globalThis as { readonly Deno?: Cron }).Deno ?? {}
// An instance works while it lives; the cron wakes one when no request does.
if (cron !== undefined) void cron("sightline", "* * * * *", () => tick({ seconds: 45 }))

const inFlight = new Set<Promise<unknown>>()
const track = <A>(work: Promise<A>): Promise<A> => {
  inFlight.add(work)
  const end = () => inFlight.delete(work)
  work.then(end, end)
  return work
}

const fetch = async (request: Request): Promise<Response> => {
  const reply = await track(handler(request))
  if (reply.body === null || reply.headers.has("content-length")) return reply
  // A stream, such as an answer, is in flight until its last byte.
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  track(reply.body.pipeTo(writable)).catch(() => {})
  return new Response(readable, reply)
}

// `deno serve` stops listening at the first signal and ends once nothing is open; the database would keep it alive.
process.once("SIGTERM", () => {
  const late = setTimeout(dispose, DRAIN_SECONDS * 1000)
  void Promise.allSettled(inFlight).then(() => {
    clearTimeout(late)
    return dispose()
  })
})

/** The service as a module that `deno serve` and Deno Deploy run. */
export default { fetch }
