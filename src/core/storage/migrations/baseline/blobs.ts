import { isolate } from "../support.ts"

/** Files in the database, for hosts without another blob store. */
export const BLOBS = [
  // A row for every put; the blob of a key is the one that is committed.
  `create table blobs (
    org_id text not null references organizations on delete cascade,
    version text not null,
    key text not null,
    size bigint,
    sha256 text,
    started_at timestamptz(3) not null default now(),
    committed_at timestamptz(3),
    primary key (org_id, version)
  )`,
  `create unique index on blobs (org_id, key) where committed_at is not null`,
  `create index on blobs (org_id, started_at) where committed_at is null`,
  `create table blob_parts (
    org_id text not null,
    version text not null,
    n int not null,
    bytes bytea not null,
    primary key (org_id, version, n),
    foreign key (org_id, version) references blobs on delete cascade
  )`,
  // Documents and recordings are compressed already.
  `alter table blob_parts alter column bytes set storage external`,
  ...isolate(["blobs", "blob_parts"]),
]
