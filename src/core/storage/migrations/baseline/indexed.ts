import { EXTENSIONS } from "../support.ts"

/** Indexes use these extensions, and functions whose text cannot change without the index. */
export const INDEXED = [
  EXTENSIONS,
  // A name in lower case without accents. Depends on no collation or locale but that of `lower`: accents are marks that follow their letter.
  `create function fold_name(p_name text) returns text language sql immutable strict parallel safe as $$
    select lower(normalize(regexp_replace(normalize(p_name, NFD), '[\\u0300-\\u036f]', '', 'g'), NFC)) $$`,
  // A link carries the beginning of an id's SHA-256 in place of the id. `convert_to` is unsuitable because it is not immutable.
  `create function link_hash(p_id text) returns bytea language sql immutable strict parallel safe as $$
    select substring(sha256(replace(p_id, '\\', '\\\\')::bytea) from 1 for 9) $$`,
  // Repeats each stem as often as it occurs: an index of pg_textsearch takes a text, and no column stores one.
  `create function words_of(p_lexemes tsvector) returns text
    language sql immutable parallel safe as $$
    select string_agg(repeat(lexeme || ' ', cardinality(positions)), '') from unnest(p_lexemes) $$`,
]

/** Finds a row of an organization's table by a link. */
export const linkIndex = (table: string) => `create index ${table}_by_link on ${table} (org_id, link_hash(id))`
