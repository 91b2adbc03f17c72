import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { isolate, statements } from "./support.ts"

/** Vectors of passages, where an embedding endpoint is configured. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* statements(sql, TABLES)
  // Not forced on their owner: the functions below run as the owner.
  yield* isolate(sql, ["vector_sets", "passage_vectors"], { force: false })
  yield* statements(sql, FUNCTIONS)
})

const TABLES = [
  // An organization's vectors by one model. A set serves once it was complete; `vectors` counts it exactly.
  `create table vector_sets (
    org_id text not null references organizations on delete cascade,
    model text not null,
    dimensions int,
    vectors int not null default 0,
    complete boolean not null default false,
    leased_until timestamptz not null default '-infinity',
    primary key (org_id, model)
  )`,
  // The vector is of unit length, in parts of 32,767: half the size of float4, and read nine times as fast. The signature
  // is the sign of each of its numbers, positive as 1.
  `create table passage_vectors (
    passage_id bigint not null,
    model text not null,
    org_id text not null,
    signature bit varying not null,
    vector smallint[] not null,
    primary key (passage_id, model),
    foreign key (org_id, model) references vector_sets on delete cascade
  )`,
  // Out of the row, for signatures are read of all passages and vectors of few; and numbers do not compress.
  `alter table passage_vectors alter column vector set storage external`,
  `create index passage_vectors_by_model on passage_vectors (org_id, model)`,
]

const FUNCTIONS = [
  // A foreign key would delete them one by one, and count each.
  `create function forget_vectors() returns trigger
    language plpgsql security definer set search_path = sightline, pg_temp as $$
    begin
      with gone as (
        delete from passage_vectors v using former f where v.passage_id = f.id returning v.org_id, v.model
      )
      update vector_sets s set vectors = s.vectors - g.vectors
        from (select org_id, model, count(*) as vectors from gone group by org_id, model) g
        where s.org_id = g.org_id and s.model = g.model;
      return null;
    end $$`,
  `create trigger forget_vectors after delete on passages
    referencing old table as former for each statement execute function forget_vectors()`,
  // Counts tell which organization lacks vectors; whoever takes the lease makes them, the others look elsewhere.
  `create function lease_vectors(p_model text, p_seconds int) returns table (org_id text)
    language sql security definer set search_path = sightline, pg_temp as $$
    insert into vector_sets (org_id, model)
      select t.org_id, p_model from passage_totals t
      where t.passages > 0 and not exists (select from vector_sets s where s.org_id = t.org_id and s.model = p_model)
      on conflict do nothing;
    update vector_sets s set leased_until = now() + make_interval(secs => p_seconds)
      where s.model = p_model and s.org_id = (
        select v.org_id from vector_sets v join passage_totals t on t.org_id = v.org_id
        where v.model = p_model and (v.vectors < t.passages or not v.complete) and v.leased_until < now()
        order by v.leased_until, v.org_id limit 1 for update of v skip locked)
      returning s.org_id $$`,
  `revoke all on function lease_vectors(text, int) from public`,
  `grant execute on function lease_vectors(text, int) to sightline_app`,
]
