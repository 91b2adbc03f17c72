import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { BoundedCache } from "../common/BoundedCache.ts"
import { BaseUrl } from "../http/BaseUrl.ts"
import { CurrentRequest } from "../http/CurrentRequest.ts"
import type { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"
import { Database } from "../storage/Database.ts"
import { QueryLinks } from "./QueryLinks.ts"
import { SealedCursors } from "./SealedCursors.ts"
import { type SecretKeys, SigningKeys } from "./SigningKeys.ts"
import { hashOfId, isMac, type LinkContent, pack, seal, type Target, unpack, unseal } from "./token.ts"

/** The thing that a link opens. */
export interface Opened<T extends Target> {
  readonly target: T
  readonly org: string
  readonly id: string
  /** Hash of the id of the key that requested the link; undefined if no key did. */
  readonly keyHash: Uint8Array | undefined
  readonly passage: LinkContent["passage"]
}

/**
 * `unknown`: the signature is not ours, or the target was deleted; `expired`: the link's own time is over; `revoked`: the
 * key that requested it was revoked or has expired.
 */
export type Refusal = "unknown" | "expired" | "revoked"

/** Makes and opens tokens that open one thing without a key, until they expire or the requesting key ends. */
export class Links extends Context.Service<
  Links,
  {
    /** Makes a token bound to the key of the current request, or to the organization outside one. `expires` is in Unix seconds. */
    readonly token: (
      org: string,
      link: {
        readonly target: Target
        readonly id: string
        readonly expires: number
        readonly passage?: LinkContent["passage"]
      },
    ) => Effect.Effect<string>
    readonly open: <T extends Target>(
      token: string,
      targets: ReadonlyArray<T>,
    ) => Effect.Effect<Opened<T> | Refusal, DatabaseUnavailable>
  }
>()("sightline/signing/Links") {
  static readonly layer = Layer.effect(
    Links,
    Effect.gen(function* () {
      const { current, accepted } = yield* SigningKeys
      const { sql, unscoped } = yield* Database
      const hashes = new BoundedCache<string, Uint8Array>(10_000)

      const hashOf = async (id: string) => {
        const known = hashes.get(id)
        if (known !== undefined) return known
        const hash = await hashOfId(id)
        hashes.set(id, hash)
        return hash
      }

      return Links.of({
        token: Effect.fnUntraced(function* (org, { target, id, expires, passage }) {
          const { keyId: key } = yield* CurrentRequest
          return yield* Effect.promise(async () => {
            const [owner, hash] = [await hashOf(key ?? org), await hashOf(id)]
            const content = pack({ target, owner, byKey: key !== undefined, id: hash, expires, passage })
            return seal(content, await current.sign("links", content))
          })
        }),

        open: Effect.fn("Links.open")(function* <T extends Target>(
          token: string,
          targets: ReadonlyArray<T>,
        ): Effect.fn.Return<Opened<T> | Refusal, DatabaseUnavailable> {
          const parts = unseal(token)
          if (parts === undefined) return "unknown"
          const link = unpack(parts.content)
          const target = targets.find((each) => each === link?.target)
          if (link === undefined || target === undefined) return "unknown"
          if (!(yield* Effect.promise(() => isSigned(accepted, parts)))) return "unknown"
          if (link.expires * 1000 <= (yield* Clock.currentTimeMillis)) return "expired"
          const { owner, byKey, id, passage } = link
          const [found] = yield* unscoped<{ org_id: string; id: string | null }>(
            sql`select * from open_link(${owner}, ${byKey}, ${target}, ${id})`,
          )
          if (found === undefined) return "revoked"
          return found.id === null
            ? "unknown"
            : { org: found.org_id, id: found.id, keyHash: byKey ? owner : undefined, target, passage }
        }),
      })
    }),
  )
}

export const layerLinks = Layer.mergeAll(Links.layer, QueryLinks.layer, SealedCursors.layer).pipe(
  Layer.provideMerge(Layer.merge(BaseUrl.layer, SigningKeys.layer)),
)

const isSigned = async (
  accepted: ReadonlyArray<SecretKeys>,
  { content, mac }: { readonly content: Uint8Array; readonly mac: Uint8Array },
) => {
  for (const { sign } of accepted) if (isMac(mac, await sign("links", content))) return true
  return false
}
