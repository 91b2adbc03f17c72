import { define } from "./define.ts"

/** Finds members before the organization of a request is known. */
export const MEMBERS = [
  // A member that an administrator added has an address alone until the first sign-in.
  define(
    "members_of(p_issuer text, p_subject text, p_email text)",
    `returns table (org_id text, id text, name text)
    language sql stable security definer set search_path = sightline, pg_temp as $$
    select m.org_id, m.id, o.name from members m join organizations o on o.id = m.org_id
    where (m.issuer = p_issuer and m.subject = p_subject) or (m.issuer is null and m.folded_email = p_email)
    order by m.signed_in_at desc nulls last, o.name, m.org_id
    limit 100 $$`,
  ),
]
