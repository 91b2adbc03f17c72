import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Database, type DatabaseUnavailable } from "../storage/Database.ts"

/** A reply, its body sealed; null where it was streamed, and lies in parts of its own. */
export interface StoredReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array | null
}

export type Claim =
  | { readonly _tag: "Claimed" }
  | { readonly _tag: "InProgress" }
  | { readonly _tag: "Answered"; readonly fingerprint: string; readonly reply: StoredReply }

/** A claim that its holder did not renew for this long is another's to take: the holder is gone. */
export const LEASE_SECONDS = 60

/** First answers to requests with an Idempotency-Key, kept for 24 hours per organization. */
export class Replies extends Context.Service<
  Replies,
  {
    /** Takes the name for this request, or says what became of the one that has it. */
    readonly claim: (org: string, name: string) => Effect.Effect<Claim, DatabaseUnavailable>
    readonly renew: (org: string, name: string) => Effect.Effect<void, DatabaseUnavailable>
    readonly store: (
      org: string,
      name: string,
      fingerprint: string,
      reply: StoredReply,
    ) => Effect.Effect<void, DatabaseUnavailable>
    /** Lets the name go: the request failed, and may be tried again. */
    readonly release: (org: string, name: string) => Effect.Effect<void, DatabaseUnavailable>
  }
>()("sightline/access/Replies") {
  static readonly layer = Layer.effect(
    Replies,
    Effect.gen(function* () {
      const database = yield* Database
      const { sql } = database
      const lease = sql.literal(`now() + interval '${LEASE_SECONDS} seconds'`)
      const write = <E>(org: string, statement: Effect.Effect<unknown, E>) =>
        Effect.asVoid(database.transaction(org, statement))

      return Replies.of({
        claim: (org, name) =>
          database.transaction(
            org,
            Effect.gen(function* () {
              yield* sql`delete from idempotent_replies where org_id = ${org} and expires_at < now()`
              const claimed = yield* sql`
                insert into idempotent_replies (org_id, key, fingerprint, locked_until, expires_at)
                values (${org}, ${name}, '', ${lease}, now() + interval '24 hours')
                on conflict (org_id, key) do update set locked_until = excluded.locked_until
                  where idempotent_replies.status is null and idempotent_replies.locked_until < now()
                returning key`
              if (claimed.length > 0) return { _tag: "Claimed" } as const
              const [row] = yield* sql<StoredReply & { fingerprint: string; status: number | null }>`
                select fingerprint, status, headers, body from idempotent_replies where org_id = ${org} and key = ${name}`
              if (row === undefined || row.status === null) return { _tag: "InProgress" } as const
              const { fingerprint, status, headers, body } = row
              return { _tag: "Answered", fingerprint, reply: { status, headers, body } } as const
            }),
          ),
        renew: (org, name) =>
          write(
            org,
            sql`update idempotent_replies set locked_until = ${lease}
              where org_id = ${org} and key = ${name} and body is null`,
          ),
        store: (org, name, fingerprint, { status, headers, body }) =>
          write(
            org,
            sql`update idempotent_replies set fingerprint = ${fingerprint}, status = ${status},
                headers = ${JSON.stringify(headers)}::text::jsonb, body = ${body}
              where org_id = ${org} and key = ${name} and status is null`,
          ),
        release: (org, name) =>
          write(org, sql`delete from idempotent_replies where org_id = ${org} and key = ${name} and status is null`),
      })
    }),
  )
}
