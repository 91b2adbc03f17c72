import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** Loads a service and builds its layer on first use; later uses get the same instance. */
export const loadOnFirstUse = Effect.fnUntraced(function* <Self, S, R>(
  service: Context.Key<Self, S>,
  load: () => Promise<Layer.Layer<Self, never, R>>,
) {
  const scope = yield* Effect.scope
  const context = yield* Effect.context<R>()
  const loaded = Effect.flatMap(Effect.promise(load), (layer) => Layer.buildWithScope(layer, scope)).pipe(
    Effect.map(Context.get(service)),
    // Without this, the service would keep the first caller's context, and its request, for all later callers.
    Effect.updateContext((_: Context.Context<never>) => context),
    Effect.uninterruptible,
  )
  return yield* Effect.cached(loaded)
})

/** A service can load lazily only if each member is a method that returns an effect. */
type Methods<S> = { readonly [K in keyof S]: (...args: never) => Effect.Effect<unknown, unknown, unknown> }

/**
 * Makes a layer whose service loads its code and builds its own layer when one of its methods is first called. Each
 * module imported at start-up costs about a millisecond, so modules that few requests need load later.
 */
export const lazily = <Self, S extends Methods<S>, R>(
  service: Context.Key<Self, S>,
  load: () => Promise<Layer.Layer<Self, never, R>>,
): Layer.Layer<Self, never, R> =>
  Layer.effect(
    service,
    Effect.gen(function* () {
      const once = yield* loadOnFirstUse(service, load)
      const later =
        (method: keyof S) =>
        (...args: never) =>
          Effect.flatMap(once, (self) => self[method](...args))
      return new Proxy({} as S, { get: (_, name) => later(name as keyof S) })
    }),
  )
