import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Semaphore from "effect/Semaphore"
import * as Stream from "effect/Stream"
import { BoundedCache } from "../common/BoundedCache.ts"
import { makeId } from "../common/ids.ts"
import { CurrentRequest } from "../http/CurrentRequest.ts"
import { UrlFetcher } from "../ports/UrlFetcher.ts"
import { Database } from "../storage/Database.ts"
import { utc } from "../storage/sql.ts"
import { isDocumentAddress, keepSeconds, readMetadata } from "./clientDocument.ts"
import { type Client, Clients, type RegisteredClient, type UnknownClient } from "./Clients.ts"

const MAX_DOCUMENT_BYTES = 16 * 1024
const DOCUMENT_TIMEOUT_SECONDS = 10
/** A document that cannot be read is not fetched again for so long. */
const REFUSED_SECONDS = 30
const MAX_FETCHES = 4

/** Registrations by strangers that wait for a person, in the whole installation, and from one address in an hour. */
const MAX_WAITING = 1000
const MAX_PER_ADDRESS = 100
const HOUR_MS = 3_600_000

interface ClientRow extends RegisteredClient {
  readonly is_dynamic: boolean
}

export const layerClients = Layer.effect(
  Clients,
  Effect.gen(function* () {
    const { sql, unscoped } = yield* Database
    const fetcher = yield* UrlFetcher
    const columns = sql.literal(`id, name, redirect_uris, ${utc("created_at")} as created_at`)
    const kept = new BoundedCache<string, { readonly found: Client | UnknownClient; readonly untilMs: number }>(1000)
    const fetching = yield* Semaphore.make(MAX_FETCHES)

    const readDocument = Effect.fnUntraced(function* (id: string) {
      const limits = { maxBytes: MAX_DOCUMENT_BYTES, seconds: DOCUMENT_TIMEOUT_SECONDS, redirects: 0 }
      const { bytes, cacheControl } = yield* fetcher.fetch(id, limits)
      const text = yield* Stream.mkString(Stream.decodeText(bytes))
      const metadata = readMetadata(text)
      const isOwn = typeof metadata !== "string" && metadata.clientId === id
      const found: Client | UnknownClient = isOwn
        ? { id, name: metadata.name, redirectUris: metadata.redirectUris, source: "document" }
        : "not_its_own"
      return { found, seconds: isOwn ? keepSeconds(cacheControl) : REFUSED_SECONDS }
    }, Effect.scoped)

    const fetchDocument = Effect.fnUntraced(function* (id: string) {
      const known = kept.get(id)
      const nowMs = yield* Clock.currentTimeMillis
      if (known !== undefined && nowMs < known.untilMs) return known.found
      const { found, seconds } = yield* readDocument(id).pipe(
        Effect.orElseSucceed(() => ({ found: "unreachable" as const, seconds: REFUSED_SECONDS })),
        fetching.withPermits(1),
      )
      kept.set(id, { found, untilMs: nowMs + seconds * 1000 })
      return found
    })

    const insert = Effect.fnUntraced(function* (
      name: string,
      redirectUris: ReadonlyArray<string>,
      isDynamic: boolean,
      most: number,
    ) {
      const row = { id: yield* makeId("client"), name, redirect_uris: [...redirectUris], is_dynamic: isDynamic }
      const [made] = yield* unscoped<RegisteredClient>(sql`
        insert into oauth_clients (id, name, redirect_uris, is_dynamic)
        select ${row.id}, ${name}, ${row.redirect_uris}::text[], ${isDynamic}::boolean
        where not ${isDynamic}::boolean or (select count(*) from oauth_clients
          where is_dynamic and used_at is null and created_at > now() - interval '1 day') < ${most}::int
        returning ${columns}`)
      return made
    })

    /** The registrations of each address in the present hour. */
    const counts = new BoundedCache<string, { hour: number; used: number }>(10_000)
    const isWithinHour = Effect.gen(function* () {
      const { address = "" } = yield* CurrentRequest
      const hour = Math.floor((yield* Clock.currentTimeMillis) / HOUR_MS)
      const known = counts.get(address)
      const used = known?.hour === hour ? known.used : 0
      counts.set(address, { hour, used: used + 1 })
      return used < MAX_PER_ADDRESS
    })

    return Clients.of({
      find: Effect.fn("Clients.find")(function* (id) {
        if (isDocumentAddress(id)) return yield* fetchDocument(id)
        const [row] = yield* unscoped<ClientRow>(sql`select ${columns}, is_dynamic from oauth_clients where id = ${id}
          and (not is_dynamic or used_at is not null or created_at > now() - interval '1 day')`)
        if (row === undefined) return "unknown"
        return {
          id,
          name: row.name === "" ? undefined : row.name,
          redirectUris: row.redirect_uris,
          source: row.is_dynamic ? "dynamic" : "operator",
        }
      }),
      register: Effect.fn("Clients.register")(function* (name, redirectUris) {
        return (yield* isWithinHour) ? yield* insert(name, redirectUris, true, MAX_WAITING) : undefined
      }),
      add: Effect.fn("Clients.add")(function* (name, redirectUris) {
        return (yield* insert(name, redirectUris, false, 0)) ?? (yield* Effect.die("the client was not stored"))
      }),
      list: () =>
        unscoped<RegisteredClient>(
          sql`select ${columns} from oauth_clients where not is_dynamic order by oauth_clients.created_at, id collate "C"`,
        ),
      remove: (id) =>
        Effect.map(
          unscoped(sql`delete from oauth_clients where id = ${id} and not is_dynamic returning id`),
          ({ length }) => length > 0,
        ),
    })
  }),
)
