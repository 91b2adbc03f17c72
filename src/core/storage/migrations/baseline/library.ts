import { isolate } from "../support.ts"
import { linkIndex } from "./indexed.ts"

/** Documents and recordings, their text, and its citable chunks. */
export const LIBRARY = [
  // `parent_id` names the mail to which the document was attached: the code that deletes the mail deletes the attachment and its file.
  // A version that is replaced is kept, and not searched once the new one is read.
  `create table documents (
    org_id text not null references organizations on delete cascade,
    id text not null,
    type text not null check (type in ('asset', 'intel')),
    source text not null,
    file_name text not null,
    content_type text not null,
    competitor_id text,
    deal_id text,
    parent_id text,
    version int not null default 1,
    replaces text,
    replaced_by text,
    file_url text,
    size_bytes float8,
    sha256 text,
    status text not null default 'processing' check (status in ('processing', 'ready', 'failed')),
    failure_reason text,
    warnings jsonb not null default '[]',
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    primary key (org_id, id),
    foreign key (org_id, competitor_id) references competitors,
    foreign key (org_id, deal_id) references deals on delete cascade
  )`,
  `create index documents_by_created_at on documents (org_id, created_at, id collate "C")`,
  `create index documents_by_sha256 on documents (org_id, sha256)`,
  `create index documents_by_deal on documents (org_id, deal_id, created_at)`,
  `create index documents_by_competitor on documents (org_id, competitor_id, created_at)`,
  ...[
    ["parent", "parent_id"],
    ["replaces", "replaces"],
    ["replaced_by", "replaced_by"],
  ].map(
    ([name, column]) =>
      `create index documents_by_${name} on documents (org_id, ${column}) where ${column} is not null`,
  ),
  linkIndex("documents"),
  `create table document_texts (
    org_id text not null,
    document_id text not null,
    body text not null,
    primary key (org_id, document_id),
    foreign key (org_id, document_id) references documents on delete cascade
  )`,
  // The viewer shows one part on a page. viewer/parts.ts explains `reach`.
  `create table document_parts (
    org_id text not null,
    document_id text not null,
    n int not null,
    start_at int not null,
    reach jsonb not null,
    elements json not null,
    primary key (org_id, document_id, n),
    foreign key (org_id, document_id) references documents on delete cascade
  )`,
  // Offsets are in UTF-16 units of the document's text: body.slice(start_at, end_at) is the chunk. `tables` says which parts are rows of
  // tables, with the labels of their columns.
  `create table document_chunks (
    org_id text not null,
    document_id text not null,
    n int not null,
    start_at int not null,
    end_at int not null,
    body text not null,
    headings jsonb not null,
    places jsonb not null,
    tables jsonb not null default '[]',
    primary key (org_id, document_id, n),
    foreign key (org_id, document_id) references documents on delete cascade
  )`,
  // Documents are not forced: retention reads all organizations, as the tables' owner.
  ...isolate(["documents"], { force: false }),
  ...isolate(["document_texts", "document_parts", "document_chunks"]),
]
