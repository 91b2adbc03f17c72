import * as Effect from "effect/Effect"
import { checkOptions } from "./checkOptions.ts"
import type { Options } from "./layers.ts"
import { open, type Sightline } from "./open.ts"

/** The present instance of each name. On `globalThis`, because a module that is evaluated again has new variables. */
const instances = (): Map<string, Promise<Sightline>> =>
  ((globalThis as { [INSTANCES]?: Map<string, Promise<Sightline>> })[INSTANCES] ??= new Map())

/** An edit waits this long for requests of before it. New ones wait for the new instance. */
const DRAIN_SECONDS = 2

const INSTANCES = Symbol.for("sightline/instances")

/**
 * Opens the service for a module that may be evaluated more than once in a process, as development servers do after each edit and bundlers
 * do for each route: closes the instance that an earlier evaluation opened under the same name, and then opens this one. What it returns
 * always calls the present instance of the name, so modules that still hold an earlier result keep working. Rejects as `open` does; the
 * earlier instance then stays open.
 */
export const openOnce = async <E>(name: string, options: Options<E>): Promise<Sightline> => {
  await Effect.runPromise(checkOptions(options))
  const all = instances()
  const earlier = all.get(name)
  const opening = (async () => {
    await (await earlier?.catch(() => undefined))?.dispose({ drainSeconds: DRAIN_SECONDS })
    return open(options)
  })()
  all.set(name, opening)
  await opening

  const present = () => all.get(name) ?? opening
  return {
    handler: async (request) => (await present()).handler(request),
    run: async (effect, options) => (await present()).run(effect, options),
    services: Effect.flatMap(Effect.promise(present), ({ services }) => services),
    ready: async (wait) => (await present()).ready(wait),
    tick: async (time) => (await present()).tick(time),
    token: async (token) => (await present()).token(token),
    dispose: async (drain) => (await present()).dispose(drain),
    [Symbol.asyncDispose]: async () => (await present())[Symbol.asyncDispose](),
  }
}
