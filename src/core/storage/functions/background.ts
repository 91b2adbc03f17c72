import { overAllShards } from "./citus.ts"
import { define } from "./define.ts"
import { IS_DUE } from "./jobs.ts"
import { LACKS_VECTORS } from "./search.ts"
import { IS_ENABLED, IS_PENDING } from "./webhooks.ts"

/** Tell an idle process what to do. */
export const BACKGROUND = [
  // Returns which of the process's kinds of work are due: kinds of jobs, deliveries to webhooks, stale deal records, and missing
  // vectors of its model.
  define(
    "due_work(p_names text[], p_model text)",
    `returns setof text
    language sql volatile security definer set search_path = sightline, pg_temp as $$
    select k.kind from unnest(p_names) k(kind) where exists (
      select from jobs j where j.kind = k.kind and ${IS_DUE})
    union all select 'webhooks' where 'webhooks' = any(p_names) and (
      exists (select from webhooks_behind(1)) or exists (
        select from webhooks w join webhook_deliveries d on d.org_id = w.org_id and d.webhook_id = w.id
        where ${IS_ENABLED} and ${IS_PENDING}))
    union all select 'records' where 'records' = any(p_names) and exists (select from stale_organizations())
    union all select 'vectors' where 'vectors' = any(p_names) and exists (
      select from passage_totals t left join vector_sets s on s.org_id = t.org_id and s.model = p_model
      where t.passages > 0 and (s.org_id is null or ${LACKS_VECTORS})) $$`,
    `returns setof text ${overAllShards(
      "volatile",
      `begin
      return query select j.kind from jobs j where j.kind = any(p_names) and ${IS_DUE} group by j.kind;
      if 'webhooks' = any(p_names) then
        return query select 'webhooks'::text from webhooks_behind(1);
        return query select 'webhooks'::text from (
          select d.org_id from webhooks w join webhook_deliveries d on d.org_id = w.org_id and d.webhook_id = w.id
          where ${IS_ENABLED} and ${IS_PENDING} limit 1) x;
      end if;
      if 'records' = any(p_names) then
        return query select 'records'::text from stale_organizations() limit 1;
      end if;
      if 'vectors' = any(p_names) then
        return query select 'vectors'::text from (
          select t.org_id from passage_totals t left join vector_sets s on s.org_id = t.org_id and s.model = p_model
          where t.passages > 0 and (s.org_id is null or ${LACKS_VECTORS}) limit 1) x;
      end if;
    end`,
    )}`,
  ),
]
