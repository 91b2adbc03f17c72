import process from "node:process"

/*
 * Effect makes an AsyncResource wherever a fiber waits, and Deno (2.9) keeps each alive as long as those that were made
 * within its scope: a fiber that never ends would hold half a KiB more after every wait. Effect looks for the class once,
 * as it is loaded; here it finds none. To be imported before anything of Effect. What it gives up is AsyncLocalStorage
 * across fibers, which nothing here reads.
 */
if ("Deno" in globalThis) {
  const { getBuiltinModule } = process
  const withoutHooks = (id: string) => (id === "node:async_hooks" ? undefined : getBuiltinModule(id))
  process.getBuiltinModule = withoutHooks as typeof getBuiltinModule
  try {
    await import("effect/Effect")
  } finally {
    process.getBuiltinModule = getBuiltinModule
  }
}
