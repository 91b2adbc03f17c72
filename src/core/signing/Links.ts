import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { BoundedCache } from "../common/BoundedCache.ts"
import { BaseUrl } from "../http/addresses/BaseUrl.ts"
import { CurrentRequest } from "../http/CurrentRequest.ts"
import type { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"
import { Database } from "../storage/Database.ts"
import { SealedCursors } from "./SealedCursors.ts"
import { isSigned, SigningKeys } from "./SigningKeys.ts"
import {
  hashOfId,
  type LinkContent,
  type LinkedPassage,
  pack,
  type PassageToLink,
  seal,
  type Target,
  unpack,
  unseal,
} from "./token.ts"

/** The thing that a link opens. */
export interface Opened<T extends Target> {
  readonly target: T
  readonly org: string
  readonly id: string
  /** Hash of the id of the key that requested the link; undefined if no key did. */
  readonly keyHash: Uint8Array | undefined
  /** The permissions of that key; undefined if no key requested the link. */
  readonly grant: { readonly role: string; readonly permissions: ReadonlyArray<string> | null } | undefined
  /** Unix seconds. */
  readonly expires: number
  readonly passage: LinkedPassage | undefined
  /** The content of a figure's page without a key. Undefined for other links. */
  readonly shows: "deals" | "figures" | undefined
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
    /**
     * Makes a token bound to the key of the current request, or to the organization outside one. `expires` is in Unix seconds; a request
     * whose credential expires earlier bounds it.
     */
    readonly token: (
      org: string,
      link: {
        readonly target: Target
        readonly id: string
        readonly expires: number
        readonly passage?: PassageToLink | undefined
      },
    ) => Effect.Effect<string>
    /** Makes a token that ends with `opened`, bound to the same key. */
    readonly within: (
      opened: Opened<Target>,
      link: { readonly target: Target; readonly id: string; readonly passage?: PassageToLink | undefined },
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

      const findHash = async (id: string) => {
        const known = hashes.get(id)
        if (known !== undefined) return known
        const hash = await hashOfId(id)
        hashes.set(id, hash)
        return hash
      }

      const sealed = async (link: LinkContent<PassageToLink>) => {
        const content = pack(link)
        return seal(content, await current.sign("links", content))
      }

      return Links.of({
        token: Effect.fnUntraced(function* (org, { id, passage, ...link }) {
          const { keyId: key, expires = Infinity } = yield* CurrentRequest
          return yield* Effect.promise(async () =>
            sealed({
              ...link,
              expires: Math.min(link.expires, expires),
              passage,
              owner: await findHash(key ?? org),
              byKey: key !== undefined,
              id: await findHash(id),
            }),
          )
        }),

        within: ({ org, keyHash, expires }, { target, id, passage }) =>
          Effect.promise(async () => {
            const owner = keyHash ?? (await findHash(org))
            return sealed({ target, owner, byKey: keyHash !== undefined, id: await findHash(id), expires, passage })
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
          if (!(yield* Effect.promise(() => isSigned(accepted, "links", parts)))) return "unknown"
          if (link.expires * 1000 <= (yield* Clock.currentTimeMillis)) return "expired"
          const { owner, byKey, id, passage, expires } = link
          const [found] = yield* unscoped<OpenedRow>(
            sql`
            select * from open_link(${owner}, ${byKey}, ${target}, ${id}) l, grant_of_link(${owner}, ${byKey}, l.org_id)`,
          )
          if (found === undefined) return "revoked"
          if (found.id === null) return "unknown"
          const { role, permissions, links } = found
          return {
            org: found.org_id,
            id: found.id,
            keyHash: byKey ? owner : undefined,
            grant: role === null ? undefined : { role, permissions },
            target,
            expires,
            passage,
            shows: links ?? undefined,
          }
        }),
      })
    }),
  )
}

interface OpenedRow {
  readonly org_id: string
  readonly id: string | null
  /** The role of the key that requested the link. */
  readonly role: string | null
  readonly permissions: ReadonlyArray<string> | null
  readonly links: "deals" | "figures" | null
}

export const layerLinks = Layer.mergeAll(Links.layer, SealedCursors.layer).pipe(
  Layer.provideMerge(Layer.merge(BaseUrl.layer, SigningKeys.layer)),
)
