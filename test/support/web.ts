import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { SqlClient } from "effect/sql/SqlClient"
import { layerGuarded } from "../../src/adapters/fetch/guarded.ts"
import { layerReader } from "../../src/adapters/reading/layerReader.ts"
import { ApiKeys } from "../../src/core/keys/ApiKeys.ts"
import type { FindPrincipal } from "../../src/core/access/principal.ts"
import type { Role } from "../../src/core/access/permissions.ts"
import type { Answerer } from "../../src/core/answers/Answerer.ts"
import { BlobStore } from "../../src/core/ports/BlobStore.ts"
import type { DocumentReader } from "../../src/core/ports/DocumentReader.ts"
import { Transcriber } from "../../src/core/ports/Transcriber.ts"
import type { UrlFetcher } from "../../src/core/ports/UrlFetcher.ts"
import * as Sightline from "../../src/core/Sightline.ts"
import type { Plan } from "../../src/core/access/plans.ts"
import { DefinedPlans } from "../../src/core/storage/plans.ts"
import { Organizations } from "../../src/core/catalogue/Organizations.ts"
import { UNLIMITED, UNLIMITED_PLANS } from "./unlimited.ts"

/** The web handler and the services behind it, over one database. */
export class Web extends Context.Service<
  Web,
  {
    /** Takes a path, or a URL from a reply. Instead of a key, `key` may be a principal for `findPrincipal`, as JSON. */
    readonly request: (path: string, key: string, init?: RequestInit) => Effect.Effect<Reply>
    /** Creates an organization with a key of `role`. */
    readonly tenant: (options?: {
      readonly plan?: Plan
      readonly role?: Role
    }) => Effect.Effect<{ readonly org: string; readonly key: string }>
  }
>()("test/Web") {}

const PRINCIPAL = "x-test-principal"

/** A host that believes its callers. */
export const findPrincipal: FindPrincipal = (request) => {
  const principal = request.headers.get(PRINCIPAL)
  return principal === null ? undefined : JSON.parse(principal)
}

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array
  readonly text: string
  readonly json: any
}

type Library = BlobStore | DocumentReader | UrlFetcher | Transcriber

/** Keeps originals in memory, uses the real readers, has no transcriber by default, and fetches only from `loopback` ports. */
export const layerLibrary = (
  loopback: ReadonlyArray<number> = [],
  transcriber: Layer.Layer<Transcriber> = Transcriber.layerNone,
) => Layer.mergeAll(BlobStore.layerMemory, layerReader, layerGuarded({ allowLoopback: loopback }), transcriber)

export const layerWeb = <E>(
  database: Layer.Layer<SqlClient, E>,
  library: Layer.Layer<Library> = layerLibrary(),
  answerer?: Layer.Layer<Answerer>,
  background = true,
  principal?: FindPrincipal,
  analyst?: Layer.Layer<never>,
) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const options = {
        database: Layer.succeedContext(
          yield* Effect.provideService(Layer.build(database), DefinedPlans, UNLIMITED_PLANS),
        ) as Layer.Layer<SqlClient>,
        library: Layer.succeedContext(yield* Layer.build(library)) as Layer.Layer<Library>,
        answerer,
        analyst,
        background,
        principal,
      }
      const web = yield* Effect.acquireRelease(
        Effect.promise(() => Sightline.open(options)),
        ({ dispose }) => Effect.promise(() => dispose()),
      )
      const harness = Layer.effect(
        Web,
        Effect.gen(function* () {
          const organizations = yield* Organizations
          const keys = yield* ApiKeys
          return Web.of({
            request: (path, key, init = {}) =>
              Effect.promise(async () => {
                const caller = key.startsWith("{") ? { [PRINCIPAL]: key } : { authorization: `Bearer ${key}` }
                const headers = { ...caller, ...(init.headers as Record<string, string>) }
                const reply = await web.handler(new Request(new URL(path, "http://localhost"), { ...init, headers }))
                const bytes = new Uint8Array(await reply.arrayBuffer())
                const text = new TextDecoder().decode(bytes)
                const json = reply.headers.get("content-type")?.startsWith("application/json") && text !== ""
                const { status, headers: received } = reply
                return { status, headers: received, bytes, text, json: json ? JSON.parse(text) : undefined }
              }),
            tenant: ({ plan = UNLIMITED, role = "owner" } = {}) =>
              Effect.orDie(
                Effect.gen(function* () {
                  const { id } = yield* organizations.create({ name: "Tenant", plan })
                  return { org: id, key: (yield* keys.create(id, { name: "test", role })).key }
                }),
              ),
          })
        }),
      )
      return harness.pipe(Layer.provideMerge(Layer.effectContext(web.services)))
    }),
  )
