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

// `deno serve` stops listening at the first signal and ends once nothing is open; the database would keep it alive.
process.once("SIGTERM", () => void dispose({ drainSeconds: DRAIN_SECONDS }))

/** The service as a module that `deno serve` and Deno Deploy run. */
export default { fetch: handler }
