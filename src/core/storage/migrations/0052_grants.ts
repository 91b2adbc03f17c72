import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { isolate, statements } from "./support.ts"

/** The applications that people connected to `/mcp` by signing in, and the secrets that these hold. */
export default Effect.flatMap(SqlClient, (sql) =>
  statements(sql, [
    // Belong to no organization: a client is known before anybody signs in.
    `create table oauth_clients (
      id text primary key,
      name text not null,
      redirect_uris text[] not null,
      is_dynamic boolean not null,
      created_at timestamptz(3) not null default now(),
      used_at timestamptz(3)
    )`,
    `create index on oauth_clients (created_at) where is_dynamic`,
    `grant select, insert, update, delete on oauth_clients to sightline_app`,
    `create table grants (
      org_id text not null,
      id text not null,
      key_id text not null,
      key_hash bytea not null,
      client_id text not null,
      client_name text not null,
      redirect_uri text not null,
      challenge text not null,
      scopes text[] not null,
      permissions text[] not null,
      resource text not null,
      created_at timestamptz(3) not null default now(),
      expires_at timestamptz(3) not null,
      used_at timestamptz(3),
      revoked_at timestamptz(3),
      primary key (org_id, id),
      foreign key (org_id, key_id) references api_keys on delete cascade
    )`,
    `create index on grants (org_id, key_id)`,
    `create index on grants (expires_at)`,
    `create table grant_secrets (
      org_id text not null,
      hash bytea not null,
      grant_id text not null,
      kind text not null check (kind in ('code', 'access', 'refresh')),
      expires_at timestamptz(3) not null,
      used_at timestamptz(3),
      primary key (org_id, hash),
      foreign key (org_id, grant_id) references grants on delete cascade
    )`,
    `create index on grant_secrets (hash)`,
    `create index on grant_secrets (org_id, grant_id)`,
    `create index on grant_secrets (expires_at)`,
    // Not forced: a secret is looked up before its organization is known.
    ...isolate(["grants", "grant_secrets"], { force: false }),
  ]),
)
