import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Base64Url from "effect/encoding/Base64Url"
import { actorOf, allows, type Caller } from "../access/permissions.ts"
import { hash, isPlausible, makeSecret } from "../access/secret.ts"
import { recordAct } from "../audit/recordAct.ts"
import { makeId } from "../common/ids.ts"
import { CurrentRequest } from "../http/CurrentRequest.ts"
import { NotFound } from "../http/errors/errors.ts"
import { Database } from "../storage/Database.ts"
import { utc } from "../storage/sql.ts"
import type { GrantedAccess } from "./contract.ts"
import { ACCESS_SECONDS, CODE_SECONDS, type EndReason, type FoundGrant, GRANT_DAYS, Grants } from "./Grants.ts"

/** Live grants of one key or identity; the oldest ends when there is one more. */
const MAX_LIVE = 50
const MAX_LISTED = 500

export const layerGrants = Layer.effect(
  Grants,
  Effect.gen(function* () {
    const { sql, scoped, transaction, unscoped } = yield* Database
    const ofGrant = ({ org_id, id }: { readonly org_id: string; readonly id: string }) =>
      sql`org_id = ${org_id} and id = ${id}`

    /** The live grant of a secret, whose person becomes the actor of the request. */
    const look = Effect.fnUntraced(function* (secret: string, kind: FoundGrant["kind"]) {
      if (!isPlausible(secret) || !secret.startsWith(PREFIX[kind])) return undefined
      const digest = yield* hash(secret)
      const [found] = yield* unscoped<FoundGrant>(sql`select * from grant_of(${digest})`)
      return found?.kind === kind ? { ...found, digest } : undefined
    })

    const actAs = Effect.fnUntraced(function* ({ org_id, key_id, identity, name }: FoundGrant) {
      const state = yield* CurrentRequest
      state.organization = org_id
      state.keyId = key_id
      state.actor = actorOf(key_id, identity === null ? undefined : { id: identity, name })
    })

    /** In the organization's transaction. */
    const endGrant = Effect.fnUntraced(function* (
      grant: { readonly org_id: string; readonly id: string },
      reason: EndReason | "too_many",
    ) {
      const ended =
        yield* sql`update grants set revoked_at = now() where ${ofGrant(grant)} and revoked_at is null returning id`
      if (ended.length > 0) yield* recordAct(sql, grant.org_id, "grant.revoked", grant.id, { reason })
      return ended.length > 0
    })

    const insertSecret = Effect.fnUntraced(function* (
      grant: { readonly org_id: string; readonly id: string },
      kind: FoundGrant["kind"],
      seconds: number,
    ) {
      const secret = yield* makeSecret(KINDS[kind])
      yield* sql`insert into grant_secrets (org_id, hash, grant_id, kind, expires_at)
        select org_id, ${yield* hash(secret)}, id, ${kind}, least(expires_at, now() + ${seconds}::int * interval '1 second')
        from grants where ${ofGrant(grant)} returning 1`
      return secret
    })

    /** Marks a secret as used; false if it was before. */
    const use = (org: string, digest: Uint8Array) =>
      Effect.map(
        sql`update grant_secrets set used_at = now() where org_id = ${org} and hash = ${digest} and used_at is null returning 1`,
        ({ length }) => length > 0,
      )

    const issue = Effect.fnUntraced(function* (grant: FoundGrant) {
      const access = yield* insertSecret(grant, "access", ACCESS_SECONDS)
      const refresh = yield* insertSecret(grant, "refresh", GRANT_DAYS * DAY_SECONDS)
      return { access, refresh, scopes: grant.scopes }
    })

    return Grants.of({
      create: Effect.fn("Grants.create")(function* (caller, credential, grant) {
        const { organizationId: org, keyId } = caller
        // Several people may be signed in: this one decided.
        const state = yield* CurrentRequest
        state.actor = actorOf(keyId, caller.identity)
        const [id, given] = [yield* makeId("grant"), yield* hash(credential)]
        return yield* transaction(
          org,
          Effect.gen(function* () {
            const { client, redirectUri, challenge, scopes, permissions, resource } = grant
            // Until the code is exchanged, the grant lives as long as the code.
            const made = yield* sql`
              insert into grants (org_id, id, key_id, key_hash, client_id, client_name, redirect_uri, challenge, scopes, permissions, resource,
                expires_at)
              select k.org_id, ${id}, k.id, g.key_hash, ${client.id}, ${client.name}, ${redirectUri}, ${challenge}, ${scopes}::text[],
                ${permissions}::text[], ${resource}, now() + ${CODE_SECONDS}::int * interval '1 second'
              from api_keys k cross join (
                select coalesce((select s.key_hash from sessions s where s.org_id = ${org} and s.hash = ${given}), ${given}::bytea)
              ) g(key_hash)
              where k.org_id = ${org} and k.id = ${keyId} and (k.hash = g.key_hash or k.previous_hash = g.key_hash)
              returning id`
            if (made.length === 0) return undefined
            const code = yield* insertSecret({ org_id: org, id }, "code", CODE_SECONDS)
            yield* recordAct(sql, org, "grant.created", id, { client_id: client.id, client_name: client.name, scopes })
            const older = yield* sql<{ id: string }>`select id from grants
              where org_id = ${org} and key_id = ${keyId} and revoked_at is null and expires_at > now()
              order by created_at desc, id offset ${MAX_LIVE}::int`
            for (const each of older) yield* endGrant({ org_id: org, id: each.id }, "too_many")
            yield* sql`update oauth_clients set used_at = now() where id = ${client.id}`
            return code
          }),
        )
      }),

      exchange: Effect.fn("Grants.exchange")(function* ({ secret, clientId, resource, redirectUri, verifier }) {
        const found = yield* look(secret, "code")
        if (found === undefined) return "invalid_grant"
        yield* actAs(found)
        const proof = Base64Url.encode(yield* hash(verifier))
        return yield* transaction(
          found.org_id,
          Effect.gen(function* () {
            if (!(yield* use(found.org_id, found.digest)))
              return yield* Effect.as(endGrant(found, "code_used_again"), "invalid_grant" as const)
            if (found.is_expired) return "invalid_grant"
            if (resource !== undefined && resource !== found.resource)
              return yield* Effect.as(endGrant(found, "wrong_proof"), "invalid_target" as const)
            const taken = yield* sql`update grants set expires_at = created_at + ${GRANT_DAYS}::int * interval '1 day'
              where ${ofGrant(found)} and revoked_at is null and client_id = ${clientId} and challenge = ${proof}
                and redirect_uri = coalesce(${redirectUri ?? null}, redirect_uri)
              returning 1`
            if (taken.length === 0) return yield* Effect.as(endGrant(found, "wrong_proof"), "invalid_grant" as const)
            return yield* issue(found)
          }),
        )
      }),

      refresh: Effect.fn("Grants.refresh")(function* ({ secret, clientId, resource }) {
        const found = yield* look(secret, "refresh")
        if (found === undefined || found.is_expired || found.client_id !== clientId) return "invalid_grant"
        if (resource !== undefined && resource !== found.resource) return "invalid_target"
        yield* actAs(found)
        return yield* transaction(
          found.org_id,
          Effect.gen(function* () {
            if (yield* use(found.org_id, found.digest)) return yield* issue(found)
            return yield* Effect.as(endGrant(found, "token_used_again"), "invalid_grant" as const)
          }),
        )
      }),

      revoke: Effect.fn("Grants.revoke")(function* (token, clientId) {
        const found = (yield* look(token, "access")) ?? (yield* look(token, "refresh"))
        if (found === undefined || found.client_id !== clientId) return
        yield* actAs(found)
        yield* transaction(found.org_id, endGrant(found, "by_application"))
      }),

      find: Effect.fn("Grants.find")(function* (token) {
        const found = yield* look(token, "access")
        if (found === undefined || found.is_expired) return undefined
        if (found.is_new_day) {
          yield* actAs(found)
          const { org_id: org, id, client_id, client_name } = found
          yield* transaction(
            org,
            Effect.gen(function* () {
              const first = yield* sql`update grants set used_at = now() where ${ofGrant(found)}
                and coalesce((used_at at time zone 'UTC')::date < (now() at time zone 'UTC')::date, true) returning 1`
              if (first.length > 0) yield* recordAct(sql, org, "grant.used", id, { client_id, client_name })
            }),
          )
        }
        return found
      }),

      list: (caller) =>
        scoped<GrantedAccess>(
          caller.organizationId,
          sql`select g.id, g.client_id, g.client_name, g.key_id, k.identity, k.name, g.scopes, g.permissions,
              ${sql.literal(utc("g.created_at"))} as created_at, ${sql.literal(utc("g.expires_at"))} as expires_at,
              to_char(g.used_at at time zone 'UTC', 'YYYY-MM-DD') as last_used_on
            from grants g join api_keys k on k.org_id = g.org_id and k.id = g.key_id
            where g.org_id = scope.org and ${visibleTo(caller)} and g.revoked_at is null and g.expires_at > now()
              and k.revoked_at is null and (k.hash = g.key_hash or (k.previous_hash = g.key_hash and k.previous_expires_at > now()))
            order by g.created_at desc, g.id collate "C" limit ${MAX_LISTED}`,
        ),

      end: (caller, id) =>
        transaction(
          caller.organizationId,
          Effect.gen(function* () {
            const org = caller.organizationId
            const [seen] =
              yield* sql`select 1 from grants g where g.org_id = ${org} and g.id = ${id} and ${visibleTo(caller)}`
            if (seen === undefined || !(yield* endGrant({ org_id: org, id }, "by_person"))) return yield* noGrant
          }),
        ),

      describe: Effect.fnUntraced(function* ({ organizationId: org, keyId }) {
        const [row] = yield* scoped<{ organization: string; name: string }>(
          org,
          sql`select o.name as organization, k.name from organizations o join api_keys k on k.org_id = o.id
            where o.id = scope.org and k.org_id = scope.org and k.id = ${keyId}`,
        )
        return row ?? (yield* Effect.die("the key that signed in is gone"))
      }),
    })

    function visibleTo(caller: Caller) {
      return sql`(g.key_id = ${caller.keyId} or ${allows(caller, "keys.manage")}::boolean)`
    }
  }),
)

const DAY_SECONDS = 86_400
const KINDS = { code: "oac", access: "oat", refresh: "ort" } as const
const PREFIX = { code: "sl_oac_", access: "sl_oat_", refresh: "sl_ort_" } as const

const noGrant = new NotFound({ message: "no connected assistant has this id" })
