import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { statements } from "./support.ts"

/** How short links find what they open, and which signing secret the database is used with. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* statements(sql, [...HASHES, ...SECRETS])
})

/** A link carries the beginning of an id's SHA-256 in place of the id. `convert_to` is unsuitable because it is not immutable. */
const HASHES = [
  `create function link_hash(p_id text) returns bytea language sql immutable strict parallel safe as $$
    select substring(sha256(replace(p_id, '\\', '\\\\')::bytea) from 1 for 9) $$`,
  `create index organizations_by_link on organizations (link_hash(id))`,
  `create index api_keys_by_link on api_keys (link_hash(id))`,
  ...["deals", "documents", "exports"].map(
    (table) => `create index ${table}_by_link on ${table} (org_id, link_hash(id))`,
  ),
]

/**
 * The fingerprint of the secret that signs links and seals webhook secrets. Resumes webhooks that were paused only because their secret could not be opened; such webhooks now wait.
 */
const SECRETS = [
  `create table signing_secret (
    is_only boolean primary key default true check (is_only),
    fingerprint text not null,
    since timestamptz(3) not null default now()
  )`,
  `grant select, insert, update, delete on signing_secret to sightline_app`,
  `update webhooks set status = 'enabled', notice = null
    where status = 'paused' and notice like 'its secret cannot be read any more%'`,
]
