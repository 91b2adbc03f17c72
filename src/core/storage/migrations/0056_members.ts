import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { isolate, statements } from "./support.ts"

/** The people who sign in through an OpenID provider. */
export default Effect.flatMap(SqlClient, (sql) =>
  statements(sql, [
    `create table members (
      org_id text not null references organizations on delete cascade,
      id text not null,
      email text,
      folded_email text,
      name text,
      role text not null check (role in ('viewer', 'member', 'admin', 'owner')),
      origin text not null check (origin in ('added', 'provider')),
      issuer text,
      subject text,
      created_at timestamptz(3) not null default now(),
      signed_in_at timestamptz(3),
      primary key (org_id, id)
    )`,
    `create unique index members_by_email on members (org_id, folded_email) where folded_email is not null`,
    `create unique index members_by_subject on members (org_id, issuer, subject) where issuer is not null`,
    // Before the organization is known.
    `create index members_to_sign_in on members (issuer, subject)`,
    `create index members_to_join on members (folded_email) where issuer is null`,
    // Not forced: a member is looked up before the organization is known.
    ...isolate(["members"], { force: false }),
  ]),
)
