import "../serving/withoutAsyncContext.ts"

const { start } = await import("./service.ts")
const { handler } = await start()

/** The service as a module that `deno serve` and Deno Deploy run. */
export default { fetch: (request: Request) => handler(request) }
