import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { statements } from "./support.ts"

/** Indexes of `pgvector` over signatures, where whoever runs the database has installed it. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* statements(sql, FUNCTIONS)
})

const FUNCTIONS = [
  // How many have a vector of a model is told by its length; of signatures and vectors themselves there is nothing to be told.
  `create statistics passage_vector_lengths on length(signature) from passage_vectors`,
  `alter table passage_vectors alter signature set statistics 0, alter vector set statistics 0`,
  `create function vector_index_name(p_org text, p_model text, p_dimensions int) returns text
    language sql immutable as $$
    select 'passage_vectors_near_' || md5(concat_ws(' ', p_org, p_dimensions, p_model)) $$`,
  // One index an organization: in one of all, whoever has a small part of it would walk through the others' to find its own.
  // Makes or drops one, and answers which. Whoever holds the table for long is not waited for, since others would wait behind.
  `create function tend_vector_index(p_least int) returns text
    language plpgsql security definer set search_path = sightline, pg_temp set lock_timeout = '2s' as $$
    declare
      operators text;
      due record;
    begin
      select n.nspname into operators from pg_extension e join pg_namespace n on n.oid = e.extnamespace
        where e.extname = 'vector' and n.nspname in ('public', 'sightline')
          and (string_to_array(e.extversion, '.'))[1:2]::int[] >= '{0,8}';
      if operators is null or not pg_try_advisory_xact_lock(hashtextextended('sightline.vector_indexes', 0)) then
        return null;
      end if;
      select w.*, i.name as made into due
        from (
          select vector_index_name(s.org_id, s.model, s.dimensions) as name, s.org_id, s.model, s.dimensions, t.passages
          from vector_sets s join passage_totals t on t.org_id = s.org_id
          where s.dimensions is not null and t.passages >= p_least / 2) w
        full join (
          select c.relname::text as name from pg_index x join pg_class c on c.oid = x.indexrelid
          where x.indrelid = 'passage_vectors'::regclass and c.relname like 'passage\\_vectors\\_near\\_%') i on i.name = w.name
        where w.name is null or i.name is null and w.passages >= p_least
        order by w.passages desc nulls first limit 1;
      if due is null then
        return null;
      end if;
      if due.name is null then
        execute format('drop index %I', due.made);
        return due.made;
      end if;
      execute format(
        'create index %I on passage_vectors using hnsw ((signature::bit(%s)) %I.bit_hamming_ops)
          where org_id = %L and model = %L and length(signature) = %s',
        due.name, due.dimensions, operators, due.org_id, due.model, due.dimensions);
      analyze passage_vectors, passages (id, org_id, document_id, deal_id, competitor_id, type, created_at, n);
      return due.name;
    end $$`,
  `revoke all on function tend_vector_index(int) from public`,
  `grant execute on function tend_vector_index(int) to sightline_app`,
]
