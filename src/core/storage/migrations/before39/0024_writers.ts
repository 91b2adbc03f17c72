import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { statements } from "./support.ts"

/** Writers replace the last triggers. Numbers that each organization counts replace identity columns and shared keys. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* statements(sql, [
    ...FORMER_FUNCTIONS,
    ...WITHOUT_TRIGGERS,
    ...PASSAGES,
    ...DELIVERIES,
    ...STAGE_CHANGES,
    ...KEYS,
  ])
})

/** Functions whose parameters changed; the current text defines another function. */
const FORMER_FUNCTIONS = [`drop function if exists admit(bytea, int)`]

const WITHOUT_TRIGGERS = [
  `do $$ declare former record; begin
    for former in
      select p.oid::regprocedure as name from pg_proc p
      where p.pronamespace = 'sightline'::regnamespace and p.prorettype = 'trigger'::regtype
    loop
      execute format('drop function %s cascade', former.name);
    end loop;
  end $$`,
  // Written when an organization is erased.
  `grant insert on erasures to sightline_app`,
]

/** Passages count from 1 in each organization. Existing ones keep their numbers, because vectors name them. */
const PASSAGES = [
  `alter table passage_totals add column last_id bigint not null default 0`,
  `update passage_totals t set last_id = coalesce((select max(p.id) from passages p where p.org_id = t.org_id), 0)`,
  `alter table passages alter column id drop identity`,
  `alter table passages drop constraint passages_pkey, add primary key (org_id, id)`,
  `alter table passage_vectors drop constraint passage_vectors_pkey, add primary key (org_id, passage_id, model)`,
]

/** `deliveries` counts the deliveries that a webhook has queued so far. */
const DELIVERIES = [
  `alter table webhooks add column deliveries bigint not null default 0`,
  `update webhooks w set deliveries = coalesce((
    select max(d.n) from webhook_deliveries d where d.org_id = w.org_id and d.webhook_id = w.id), 0)`,
  `alter table webhook_deliveries alter column n drop identity`,
]

const STAGE_CHANGES = [`alter table deal_stage_changes alter column n drop identity`]

/** A key is looked up by its hash before its organization is known. 256 random bits make hashes unique. */
const KEYS = [
  `alter table api_keys drop constraint api_keys_hash_key, drop constraint api_keys_previous_hash_key`,
  `create index api_keys_by_hash on api_keys (hash)`,
  `create index api_keys_by_previous_hash on api_keys (previous_hash) where previous_hash is not null`,
]
