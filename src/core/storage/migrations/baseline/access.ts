import { isolate } from "../support.ts"

/** Plans, organizations with the settings of their workspace, keys, what both have spent, and replies kept for Idempotency-Key. */
export const ACCESS = [
  `create table plans (
    name text primary key,
    requests_per_minute int not null,
    requests_per_key_minute int not null,
    requests_per_month int not null,
    exports_per_month int not null
  )`,
  `insert into plans (name, requests_per_minute, requests_per_key_minute, requests_per_month, exports_per_month) values
    ('essentials', 10, 5, 10000, 50),
    ('growth', 60, 20, 30000, 200),
    ('enterprise', 300, 100, 100000, 1000)`,
  `grant select on plans to sightline_app`,

  // `analysis_budget`: tokens that analyses may use in a month.
  `create table organizations (
    id text primary key,
    name text not null,
    plan text not null references plans,
    created_at timestamptz(3) not null default now(),
    currency text check (currency ~ '^[A-Z]{3}$'),
    fiscal_start int not null default 1 check (fiscal_start between 1 and 12),
    our_names text[] not null default '{}',
    our_domains text[] not null default '{}',
    analysis_budget int check (analysis_budget >= 0)
  )`,
  `create index organizations_by_link on organizations (link_hash(id))`,

  // The hash has no unique key: every unique key begins with org_id, and 256 random bits make hashes unique.
  // A row with an `identity` is a user of an embedding host, who has no secret.
  `create table api_keys (
    org_id text not null references organizations on delete cascade,
    id text not null,
    name text not null,
    role text not null check (role in ('viewer', 'member', 'admin', 'owner')),
    permissions text[],
    display text not null,
    hash bytea not null,
    previous_hash bytea,
    previous_expires_at timestamptz(3),
    requests_per_minute int check (requests_per_minute > 0),
    created_at timestamptz(3) not null default now(),
    created_by text,
    expires_at timestamptz(3),
    revoked_at timestamptz(3),
    identity text,
    primary key (org_id, id)
  )`,
  // A key is looked up by its hash before its organization is known.
  `create index api_keys_by_hash on api_keys (hash)`,
  `create index api_keys_by_previous_hash on api_keys (previous_hash) where previous_hash is not null`,
  `create index api_keys_by_link on api_keys (link_hash(id))`,
  `create index api_keys_of on api_keys (org_id, created_by)`,
  `create index api_keys_display on api_keys (display)`,
  // After a revocation, the same identity gets a new row.
  `create unique index api_keys_by_identity on api_keys (org_id, identity)
    where identity is not null and revoked_at is null`,

  // One narrow row an organization and one a key: every admission updates both, in place (HOT).
  `create table organization_usage (
    org_id text primary key references organizations on delete cascade,
    minute bigint not null default 0,
    minute_used int not null default 0,
    month int not null default 0,
    month_used int not null default 0,
    exports_used int not null default 0
  ) with (fillfactor = 20)`,
  `create table api_key_usage (
    org_id text not null,
    key_id text not null,
    minute bigint not null default 0,
    minute_used int not null default 0,
    month int not null default 0,
    month_used int not null default 0,
    primary key (org_id, key_id),
    foreign key (org_id, key_id) references api_keys on delete cascade
  ) with (fillfactor = 20)`,
  // The function `admit` returns this type.
  `create type admission as (
    outcome text, org_id text, key_id text, role text, permissions text[],
    scope text, "limit" int, remaining int, reset_at float8, retry_after_ms float8
  )`,

  `create table idempotent_replies (
    org_id text not null references organizations on delete cascade,
    key text not null,
    fingerprint text not null,
    epoch int not null default 1,
    locked_until timestamptz(3) not null,
    status int,
    headers jsonb,
    body bytea,
    expires_at timestamptz(3) not null,
    primary key (org_id, key)
  )`,
  `create index on idempotent_replies (expires_at)`,
  // Replies that were streamed; their head is in `idempotent_replies`, without a body. Events `first` to `last`, numbered from 1, sealed
  // together. The part with `ends` is the last.
  `create table idempotent_reply_parts (
    org_id text not null,
    key text not null,
    first int not null,
    last int not null,
    ends boolean not null,
    body bytea not null,
    size int not null,
    primary key (org_id, key, first),
    foreign key (org_id, key) references idempotent_replies on delete cascade
  )`,

  ...isolate(["organizations"], { column: "id", force: false }),
  // Not forced: keys are looked up and charged before an organization is known, and replies expire across organizations.
  ...isolate(["api_keys", "organization_usage", "api_key_usage", "idempotent_replies"], { force: false }),
  ...isolate(["idempotent_reply_parts"]),
]
