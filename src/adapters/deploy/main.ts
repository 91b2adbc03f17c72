import "../serving/withoutAsyncContext.ts"

const { start } = await import("./service.ts")
const { handler, tick } = await start()

interface Cron {
  readonly cron?: (name: string, schedule: string, run: () => Promise<unknown>) => Promise<void>
}
const { cron } = (globalThis as { readonly Deno?: Cron }).Deno ?? {}
// An instance works while it lives; the cron wakes one when no request does.
if (cron !== undefined) void cron("sightline", "* * * * *", () => tick({ seconds: 45 }))

/** The service as a module that `deno serve` and Deno Deploy run. */
export default { fetch: (request: Request) => handler(request) }
