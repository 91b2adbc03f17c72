import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Fragment } from "effect/sql/Statement"
import type { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"
import { Database, WhenDiskFull } from "../storage/Database.ts"

/** A reply with an encrypted body; null if the body was streamed and is stored in parts. */
export interface StoredReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array | null
}

type Claim =
  | { readonly _tag: "Claimed"; readonly epoch: number }
  | { readonly _tag: "InProgress" }
  | { readonly _tag: "Answered"; readonly fingerprint: string; readonly reply: StoredReply }

/** A name that this process has claimed. Each claim has a new `epoch`, which makes writes of earlier holders fail. */
export interface HeldClaim {
  readonly org: string
  readonly name: string
  readonly epoch: number
}

/** Another request may take over a claim that its holder has not renewed for this long. */
export const LEASE_SECONDS = 60

/** Stores the first reply to each Idempotency-Key of an organization for 24 hours. */
export class Replies extends Context.Service<
  Replies,
  {
    /** Claims the name for this request, or returns the state of the request that holds it. */
    readonly claim: (org: string, name: string) => Effect.Effect<Claim, DatabaseUnavailable>
    readonly renew: (held: HeldClaim) => Effect.Effect<void, DatabaseUnavailable>
    /** Returns false, and stores nothing, if another request holds the name. */
    readonly store: (
      held: HeldClaim,
      fingerprint: string,
      reply: StoredReply,
    ) => Effect.Effect<boolean, DatabaseUnavailable>
    /** Frees the name after a failed request, so that the client can retry. */
    readonly release: (held: HeldClaim) => Effect.Effect<void, DatabaseUnavailable>
    /** Deletes the oldest streamed replies of an organization beyond this size. */
    readonly evict: (org: string, maxBytes: number) => Effect.Effect<void, DatabaseUnavailable>
  }
>()("sightline/replies/Replies") {
  static readonly layer = Layer.effect(
    Replies,
    Effect.gen(function* () {
      const database = yield* Database
      const { sql } = database
      const lease = sql.literal(`now() + interval '${LEASE_SECONDS} seconds'`)
      const own = ({ org, name, epoch }: HeldClaim) => sql`org_id = ${org} and key = ${name} and epoch = ${epoch}`
      const write = ({ org }: HeldClaim, statement: Fragment) =>
        Effect.provideService(database.transaction(org, sql`${statement}`), WhenDiskFull, "proceed")

      return Replies.of({
        claim: (org, name) =>
          database.transaction(
            org,
            Effect.gen(function* () {
              yield* sql`delete from idempotent_replies where org_id = ${org} and expires_at < now()`
              const [inserted] = yield* sql<{ epoch: number }>`
                insert into idempotent_replies (org_id, key, fingerprint, locked_until, expires_at)
                values (${org}, ${name}, '', ${lease}, now() + interval '24 hours')
                on conflict (org_id, key) do nothing returning epoch`
              const [claimed] =
                inserted !== undefined
                  ? [inserted]
                  : yield* sql<{ epoch: number }>`
                      update idempotent_replies set locked_until = ${lease}, epoch = epoch + 1
                      where org_id = ${org} and key = ${name} and status is null and locked_until < now() returning epoch`
              if (claimed !== undefined) return { _tag: "Claimed", epoch: claimed.epoch } as const
              const [row] = yield* sql<StoredReply & { fingerprint: string; status: number | null }>`
                select fingerprint, status, headers, body from idempotent_replies where org_id = ${org} and key = ${name}`
              if (row === undefined || row.status === null) return { _tag: "InProgress" } as const
              const { fingerprint, status, headers, body } = row
              return { _tag: "Answered", fingerprint, reply: { status, headers, body } } as const
            }),
          ),
        renew: (held) =>
          Effect.asVoid(
            write(held, sql`update idempotent_replies set locked_until = ${lease} where ${own(held)} and body is null`),
          ),
        store: (held, fingerprint, { status, headers, body }) =>
          Effect.map(
            write(
              held,
              sql`update idempotent_replies set fingerprint = ${fingerprint}, status = ${status},
                  headers = ${JSON.stringify(headers)}::text::jsonb, body = ${body}
                where ${own(held)} and status is null returning key`,
            ),
            (stored) => stored.length > 0,
          ),
        release: (held) =>
          Effect.asVoid(write(held, sql`delete from idempotent_replies where ${own(held)} and status is null`)),
        evict: (org, maxBytes) =>
          Effect.asVoid(
            database.transaction(
              org,
              sql`delete from idempotent_replies r using (
                  select key, sum(size) over (order by expires_at desc, key) as total from (
                    select k.key, k.expires_at, sum(p.size) as size
                    from idempotent_replies k join idempotent_reply_parts p on p.org_id = k.org_id and p.key = k.key
                    where k.org_id = ${org} group by k.key, k.expires_at) kept) t
                where r.org_id = ${org} and r.key = t.key and t.total > ${maxBytes}::int and r.locked_until < now()`,
            ),
          ),
      })
    }),
  )
}
