import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** A service that is loaded, and whose layer is built, when this is first run; the same ever after. */
export const whenFirstAsked = Effect.fnUntraced(function* <Self, S, R>(
  service: Context.Key<Self, S>,
  load: () => Promise<Layer.Layer<Self, never, R>>,
) {
  const scope = yield* Effect.scope
  const context = yield* Effect.context<R>()
  const loaded = Effect.flatMap(Effect.promise(load), (layer) => Layer.buildWithScope(layer, scope)).pipe(
    Effect.map(Context.get(service)),
    // Not beside the context of the first caller, whose request the service would keep and take for every other.
    Effect.updateContext((_: Context.Context<never>) => context),
    Effect.uninterruptible,
  )
  return yield* Effect.cached(loaded)
})

/** What a service must be to be loaded late: methods alone, each answering an effect. */
type Methods<S> = { readonly [K in keyof S]: (...args: never) => Effect.Effect<unknown, unknown, unknown> }

/**
 * A service whose code is loaded, and whose layer is built, when one of its methods is first called. A start waits for
 * every module that it imports, about a millisecond each: what few requests need is not among them.
 */
export const lazily = <Self, S extends Methods<S>, R>(
  service: Context.Key<Self, S>,
  load: () => Promise<Layer.Layer<Self, never, R>>,
): Layer.Layer<Self, never, R> =>
  Layer.effect(
    service,
    Effect.gen(function* () {
      const once = yield* whenFirstAsked(service, load)
      const later =
        (method: keyof S) =>
        (...args: never) =>
          Effect.flatMap(once, (self) => self[method](...args))
      return new Proxy({} as S, { get: (_, name) => later(name as keyof S) })
    }),
  )
