import { isolate } from "../support.ts"

/** Sessions of the console, and the one-time links that open them. */
export const SESSIONS = [
  // `key_hash` names the secret that signed in: the session ends with it. `hash` is of the link's token, then of the cookie's.
  `create table sessions (
    org_id text not null,
    id text not null,
    key_id text not null,
    key_hash bytea not null,
    hash bytea not null,
    is_link boolean not null,
    is_local boolean not null default false,
    browser text,
    address text,
    minute bigint not null default 0,
    minute_used int not null default 0,
    created_at timestamptz(3) not null default now(),
    expires_at timestamptz(3) not null,
    primary key (org_id, id),
    foreign key (org_id, key_id) references api_keys on delete cascade
  )`,
  `create index on sessions (hash)`,
  `create index on sessions (expires_at)`,
  `create index on sessions (org_id, key_id)`,
  // Not forced: a session is looked up before its organization is known.
  ...isolate(["sessions"], { force: false }),
]
