import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { makeId } from "../common/ids.ts"
import { CurrentRequest } from "../http/CurrentRequest.ts"
import { Forbidden, NotFound } from "../http/errors/errors.ts"
import type { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"
import { Database } from "../storage/Database.ts"
import { utc } from "../storage/sql.ts"
import { recordAct } from "../audit/recordAct.ts"
import { actorOf, allows, type Caller } from "../access/permissions.ts"
import { hash, isLinkToken, isSessionToken, makeSecret } from "../access/secret.ts"
import { isTokenText } from "../access/tokenContent.ts"
import type { Session } from "./contract.ts"

export const SESSION_SECONDS = 12 * 60 * 60
const LINK_SECONDS = 15 * 60
const MAX_BROWSER_CHARACTERS = 300

/** A one-time link's token. `isLocal`: only a browser on the server's machine may use it. */
interface NewLink {
  readonly keyId: string
  /** The token that authenticated the caller: the session ends with this secret. */
  readonly credential: string
  readonly isLocal: boolean
}

/** Manages sign-ins to the console. A session acts as the key that it was made with, and ends with that key's secret. */
export class Sessions extends Context.Service<
  Sessions,
  {
    /** Starts a session of a caller who sent a key; returns the token of its cookie. */
    readonly start: (
      caller: Caller,
      credential: string,
      browser: string | undefined,
    ) => Effect.Effect<string, Forbidden | DatabaseUnavailable>
    /** Makes the token of a one-time link. */
    readonly createLink: (
      org: string,
      link: NewLink,
    ) => Effect.Effect<{ readonly token: string; readonly expires_at: string }, Forbidden | DatabaseUnavailable>
    /** Turns a link into a session, once; undefined if it is unknown, used or expired, or local and the caller is not. */
    readonly open: (
      link: string,
      from: { readonly isLocal: boolean; readonly browser: string | undefined },
    ) => Effect.Effect<string | undefined, DatabaseUnavailable>
    /** With keys.manage, the sessions of the organization; otherwise those of the caller's key. */
    readonly list: (caller: Caller) => Effect.Effect<ReadonlyArray<Session>, DatabaseUnavailable>
    readonly end: (caller: Caller, id: string) => Effect.Effect<void, NotFound | DatabaseUnavailable>
  }
>()("sightline/sessions/Sessions") {
  static readonly layer = Layer.effect(
    Sessions,
    Effect.gen(function* () {
      const { sql, scoped, transaction, unscoped } = yield* Database

      /** The secret behind a credential: a session that makes another one passes on the secret that it was made with. */
      const insert = Effect.fnUntraced(function* (
        org: string,
        row: { readonly id: string; readonly token: string; readonly seconds: number; readonly browser?: string },
        { keyId, credential, isLocal }: NewLink,
        isLink: boolean,
      ) {
        const [digest, given] = [yield* hash(row.token), yield* hash(credential)]
        const { address = null } = yield* CurrentRequest
        const [made] = yield* sql<{ expires_at: string }>`
          insert into sessions (org_id, id, key_id, key_hash, hash, is_link, is_local, browser, address, expires_at)
          select k.org_id, ${row.id}, k.id, g.key_hash, ${digest}, ${isLink}, ${isLocal}, ${row.browser ?? null}, ${address},
            least(now() + ${row.seconds}::int * interval '1 second', k.expires_at,
              case when k.hash <> g.key_hash then k.previous_expires_at end)
          from api_keys k cross join (
            select coalesce((select s.key_hash from sessions s where s.org_id = ${org} and s.hash = ${given}), ${given}::bytea)
          ) g(key_hash)
          where k.org_id = ${org} and k.id = ${keyId} and (k.hash = g.key_hash or k.previous_hash = g.key_hash)
          returning ${sql.literal(utc("expires_at"))} as expires_at`
        return made ?? (yield* needsKey)
      })

      return Sessions.of({
        start: Effect.fn("Sessions.start")(function* ({ organizationId: org, keyId }, credential, browser) {
          const [id, token] = [yield* makeId("session"), yield* makeSecret("session")]
          const row = { id, token, seconds: SESSION_SECONDS, ...shorten(browser) }
          yield* transaction(
            org,
            Effect.gen(function* () {
              yield* insert(org, row, { keyId, credential, isLocal: false }, false)
              yield* recordAct(sql, org, "session.started", id)
            }),
          )
          return token
        }),
        createLink: Effect.fn("Sessions.createLink")(function* (org, link) {
          const [id, token] = [yield* makeId("session"), yield* makeSecret("link")]
          const { expires_at } = yield* transaction(org, insert(org, { id, token, seconds: LINK_SECONDS }, link, true))
          return { token, expires_at }
        }),
        open: Effect.fn("Sessions.open")(function* (link, { isLocal, browser }) {
          if (!isLinkToken(link)) return undefined
          const token = yield* makeSecret("session")
          const [digest, given] = [yield* hash(token), yield* hash(link)]
          const state = yield* CurrentRequest
          const [opened] = yield* unscoped<Opened>(
            sql`select * from open_session(${given}, ${digest}, ${isLocal}, ${SESSION_SECONDS}::int * interval '1 second',
              ${shorten(browser).browser ?? null}, ${state.address ?? null})`,
          )
          if (opened === undefined) return undefined
          const { key_id, identity, name } = opened
          state.actor = actorOf(key_id, identity === null ? undefined : { id: identity, name })
          yield* transaction(opened.org_id, recordAct(sql, opened.org_id, "session.started", opened.id))
          return token
        }),
        list: (caller) =>
          scoped<Session>(
            caller.organizationId,
            sql`select s.id, s.key_id, k.name, k.identity, k.role, k.permissions, s.browser, s.address,
                s.id = ${caller.sessionId ?? ""} as current,
                ${sql.literal(utc("s.created_at"))} as created_at, ${sql.literal(utc("s.expires_at"))} as expires_at,
                case when s.minute > 0 then ${sql.literal(utc("to_timestamp(s.minute * 60.0)"))} end as last_used_at
              from sessions s join api_keys k on k.org_id = s.org_id and k.id = s.key_id
              where s.org_id = scope.org and ${visibleTo(caller)} and not s.is_link and s.expires_at > now() and k.revoked_at is null
                and (k.hash = s.key_hash or (k.previous_hash = s.key_hash and k.previous_expires_at > now()))
              order by s.created_at desc, s.id collate "C" limit ${MAX_LISTED}`,
          ),
        end: (caller, id) =>
          transaction(
            caller.organizationId,
            Effect.gen(function* () {
              const org = caller.organizationId
              const ended = yield* sql`delete from sessions s
                where s.org_id = ${org} and s.id = ${id} and not s.is_link and ${visibleTo(caller)} returning id`
              if (ended.length === 0) return yield* new NotFound({ message: "no session has this id" })
              yield* recordAct(sql, org, "session.ended", id)
            }),
          ),
      })

      function visibleTo(caller: Caller) {
        return sql`(s.key_id = ${caller.keyId} or ${allows(caller, "keys.manage")}::boolean)`
      }
    }),
  )
}

interface Opened {
  readonly org_id: string
  readonly id: string
  readonly key_id: string
  readonly identity: string | null
  readonly name: string
}

/** The newest. Each is a sign-in of the last 12 hours. */
const MAX_LISTED = 500

const shorten = (browser: string | undefined) =>
  browser === undefined ? {} : { browser: browser.slice(0, MAX_BROWSER_CHARACTERS).toWellFormed() }

const needsKey = new Forbidden({
  message: "only an API key can sign in to the console; the application that embeds this service has its own sign-in",
})

/** A token that may start a session: a key, not the token of another session or link, or of a host's page. */
export const isKey = (token: string): boolean => !isSessionToken(token) && !isLinkToken(token) && !isTokenText(token)
