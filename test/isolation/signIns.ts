import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"

/** Sessions of the console, connected assistants, members and conversations, as stored rows. */
export const insertSignIns = (sql: SqlClient, org: string, tenant: string) =>
  Effect.forEach(
    ["same", tenant],
    Effect.fnUntraced(function* (own) {
      const key = sql`from api_keys where org_id = ${org} and identity is null order by created_at limit 1 on conflict do nothing`
      yield* sql`insert into sessions (org_id, id, key_id, key_hash, hash, is_link, expires_at)
        select org_id, ${`session_${own}`}, id, hash, sha256(convert_to(${`${org} ${own}`}, 'UTF8')), false, now() + interval '1 hour' ${key}`
      yield* sql`insert into grants (org_id, id, key_id, key_hash, client_id, client_name, redirect_uri, challenge, scopes, permissions,
          resource, expires_at)
        select org_id, ${`grant_${own}`}, id, hash, 'client', ${`Client of ${tenant}`}, 'https://a.example/', 'c', '{}', '{}', 'r',
          now() + interval '1 hour' ${key}`
      yield* sql`insert into members (org_id, id, email, folded_email, name, role, origin) values (${org}, ${`member_${own}`},
        ${`${own}@of-${tenant}.example`}, ${`${own}@of-${tenant}.example`}, ${`Member of ${tenant}`}, 'viewer', 'added')
        on conflict do nothing`
      // The caller: the key or identity that was made last.
      yield* sql`insert into conversations (org_id, id, key_id, title)
        select org_id, ${`conv_${own}`}, id, ${`Conversation of ${tenant}`} from api_keys where org_id = ${org}
        order by created_at desc, identity nulls last limit 1 on conflict do nothing`
    }),
    { discard: true },
  )
