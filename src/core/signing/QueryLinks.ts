import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Base64Url from "effect/encoding/Base64Url"
import { CurrentRequest } from "../http/CurrentRequest.ts"
import type { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"
import { Database } from "../storage/Database.ts"
import { SigningKeys } from "./SigningKeys.ts"
import type { Refusal } from "./Links.ts"
import { HASH_BYTES, hashOfId, isMac } from "./token.ts"

/** In bytes, unpacked. */
const MAX_QUERY_BYTES = 16_384
/** In characters of a token. A longer link does not fit every place where people paste it. */
const MAX_TOKEN_LENGTH = 2_000
const MAC_BYTES = 12
/** One byte for who asked, the hash of the key or organization, and the time of expiry. */
const HEAD_BYTES = 1 + HASH_BYTES + 4
/** `open_link` looks a thing up by its hash; no thing has this one. */
const NO_ID = new Uint8Array(HASH_BYTES)

/**
 * Makes and opens tokens that carry a query, for pages that compute it again. A token needs no row in the database, so
 * that reads work on a full disk; it ends like every link, by its time or with the key that requested it.
 */
export class QueryLinks extends Context.Service<
  QueryLinks,
  {
    /** `expires` is in Unix seconds. Undefined if the query is too long for a link. */
    readonly token: (org: string, query: string, expires: number) => Effect.Effect<string | undefined>
    readonly open: (
      token: string,
    ) => Effect.Effect<{ readonly org: string; readonly query: string } | Refusal, DatabaseUnavailable>
  }
>()("sightline/signing/QueryLinks") {
  static readonly layer = Layer.effect(
    QueryLinks,
    Effect.gen(function* () {
      const { current, accepted } = yield* SigningKeys
      const { sql, unscoped } = yield* Database
      return QueryLinks.of({
        token: Effect.fnUntraced(function* (org, query, expires) {
          const { actor } = yield* CurrentRequest
          const key = actor !== undefined && "key_id" in actor ? actor.key_id : undefined
          return yield* Effect.promise(async () => {
            const packed = await pipe(new TextEncoder().encode(query), new CompressionStream("deflate-raw"))
            const content = new Uint8Array(HEAD_BYTES + packed.length)
            const view = new DataView(content.buffer)
            view.setUint8(0, key === undefined ? 0 : 1)
            content.set(await hashOfId(key ?? org), 1)
            view.setUint32(1 + HASH_BYTES, expires)
            content.set(packed, HEAD_BYTES)
            const mac = (await current.sign("queries", content)).subarray(0, MAC_BYTES)
            const whole = new Uint8Array([...content, ...mac])
            const token = Base64Url.encode(whole)
            return token.length > MAX_TOKEN_LENGTH ? undefined : token
          })
        }),

        open: Effect.fn("QueryLinks.open")(function* (token) {
          const whole = token.length > MAX_TOKEN_LENGTH ? undefined : Result.getOrUndefined(Base64Url.decode(token))
          if (whole === undefined || whole.length < HEAD_BYTES + MAC_BYTES || Base64Url.encode(whole) !== token)
            return "unknown"
          const [content, mac] = [whole.slice(0, -MAC_BYTES), whole.slice(-MAC_BYTES)]
          const isOurs = yield* Effect.promise(async () => {
            for (const { sign } of accepted) if (isMac(mac, await sign("queries", content))) return true
            return false
          })
          if (!isOurs) return "unknown"
          const view = new DataView(content.buffer)
          if (view.getUint32(1 + HASH_BYTES) * 1000 <= (yield* Clock.currentTimeMillis)) return "expired"
          const owner = content.slice(1, 1 + HASH_BYTES)
          const [found] = yield* unscoped<{ org_id: string }>(
            sql`select org_id from open_link(${owner}, ${view.getUint8(0) === 1}, 'deals', ${NO_ID})`,
          )
          if (found === undefined) return "revoked"
          const query = yield* Effect.promise(() =>
            pipe(content.slice(HEAD_BYTES), new DecompressionStream("deflate-raw")),
          )
          return { org: found.org_id, query: new TextDecoder().decode(query) }
        }),
      })
    }),
  )
}

/** Reads what the stream makes of the bytes, up to the limit of a query. */
const pipe = async (bytes: Uint8Array<ArrayBuffer>, through: CompressionStream | DecompressionStream) => {
  const parts: Array<number> = []
  const stream = new Blob([bytes]).stream().pipeThrough(through)
  for await (const chunk of stream as unknown as AsyncIterable<Uint8Array>) {
    parts.push(...chunk)
    if (parts.length > MAX_QUERY_BYTES) throw new Error("the query of a link is too long")
  }
  return new Uint8Array(parts)
}
