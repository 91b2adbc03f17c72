import process from "node:process"

/*
 * Effect creates an AsyncResource wherever a fiber waits. It looks the class up once, while it loads; here it finds none.
 * This saves at least a tenth of a request's CPU, and a leak on Deno. Import it before any module of Effect. The
 * price is AsyncLocalStorage across fibers, which this code does not use.
 */
const { getBuiltinModule } = process
const withoutHooks = (id: string) => (id === "node:async_hooks" ? undefined : getBuiltinModule(id))
process.getBuiltinModule = withoutHooks as typeof getBuiltinModule
try {
  await import("effect/Effect")
} finally {
  process.getBuiltinModule = getBuiltinModule
}
