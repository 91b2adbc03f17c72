import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"
import type { Database } from "../storage/Database.ts"
import { makeId } from "../common/ids.ts"
import type { Role } from "./permissions.ts"
import type { Principal } from "./principal.ts"
import { hash } from "./secret.ts"

/**
 * The text whose hash identifies an identity among the keys. No token has it: `isPlausible` refuses every other token that
 * starts with `sl_`, and no header contains a NUL.
 */
export const identityToken = ({ organization, identity }: Pick<Principal, "organization" | "identity">): string =>
  `sl_identity\0${JSON.stringify([organization, identity.id])}`

/**
 * Makes an identity known to its organization as a key without a secret, so that limits, usage, links and lineage treat both
 * alike. Updates its name and role. Returns the id of its row; undefined if there is no such organization.
 */
export const enrol = (
  { sql, transaction }: Database["Service"],
  principal: Principal,
): Effect.Effect<string | undefined, DatabaseUnavailable> =>
  transaction(principal.organization, enrolIn(sql, principal))

/** Gives an identity another role, in the transaction of its organization. Its open sessions have it with their next request. */
export const changeRole = (sql: SqlClient, org: string, identity: string, role: Role) =>
  sql`update api_keys set role = ${role} where org_id = ${org} and identity = ${identity} and revoked_at is null`

/** `enrol` in the transaction of its organization. */
export const enrolIn = Effect.fnUntraced(function* (sql: SqlClient, principal: Principal) {
  const { organization: org, role, identity } = principal
  const [id, digest] = [yield* makeId("identity"), yield* hash(identityToken(principal))]
  const [row] = yield* sql<{ id: string }>`
    with enrolled as (
      insert into api_keys (org_id, id, identity, name, role, display, hash)
      select o.id, ${id}, ${identity.id}, ${identity.name}, ${role}, '', ${digest} from organizations o where o.id = ${org}
      on conflict (org_id, identity) where identity is not null and revoked_at is null
        do update set name = excluded.name, role = excluded.role
      returning org_id, id
    ), counter as (
      insert into api_key_usage (org_id, key_id) select org_id, id from enrolled on conflict do nothing
    )
    select id from enrolled`
  return row?.id
})
