import process from "node:process"

/*
 * Effect makes an AsyncResource wherever a fiber waits. It looks for the class once, as it is loaded: here it finds none.
 * That spares a request a tenth of its CPU and more, and on Deno a leak. To be imported before anything of Effect. What it
 * gives up is AsyncLocalStorage across fibers, which nothing here reads.
 */
const { getBuiltinModule } = process
const withoutHooks = (id: string) => (id === "node:async_hooks" ? undefined : getBuiltinModule(id))
process.getBuiltinModule = withoutHooks as typeof getBuiltinModule
try {
  await import("effect/Effect")
} finally {
  process.getBuiltinModule = getBuiltinModule
}
