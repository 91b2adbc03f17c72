import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { METRICS } from "../../deals/columns/metrics.ts"
import { utc } from "../../storage/sql.ts"

// The statements in this file run inside `Database.scoped`.

/** How many findings of each kind people have judged, and how. */
export const selectPrecision = (sql: SqlClient): Fragment => sql`
  select q.*, (q.state_accepted - q.changed) as accepted from (
    select f.kind, f.method as by, f.version,
      (count(*) filter (where f.state = 'proposed'))::int as proposed,
      (count(*) filter (where f.state = 'accepted'))::int as state_accepted,
      (count(*) filter (where f.state = 'accepted' and (f.target_id is distinct from f.found_target_id
        or f.effect is distinct from f.found_effect)))::int as changed,
      (count(*) filter (where f.state = 'rejected'))::int as rejected
    from findings f where f.org_id = scope.org group by f.kind, f.method, f.version
  ) q order by q.kind, q.by, q.version`

/**
 * Pairs of scores: what the model proposed last, and what a person wrote or verified. A score that is what the analysis published counts only
 * once the deal is verified.
 */
const SCORES = `select d.id as deal_id, d.name as deal_name, m.metric, p.score as found, m.score, a.written ->> 'model' as by,
    split_part(a.version, ' ', 1) as version
  from deal_analyses a join deals d on d.org_id = scope.org and d.id = a.deal_id
  cross join lateral (values ${METRICS.map((metric) => `('${metric}', d.wl_${metric}_score::float8)`).join(", ")}) m(metric, score)
  cross join lateral (select (w ->> 'score')::float8 as score from jsonb_array_elements(a.written -> 'scorecard') w
    where w ->> 'metric' = m.metric limit 1) p
  where a.org_id = scope.org and a.written is not null and m.score is not null and p.score is not null
    and (d.analysis_verified or m.score is distinct from (a.published #>> array['scores', m.metric, 'score'])::float8)`

/**
 * With quadratic weights, kappa is one less the mean squared difference of the pairs over that of all pairings of the two columns.
 */
export const selectAgreement = (sql: SqlClient): Fragment => sql`
  select s.metric, s.by, s.version, count(*)::int as scores, (count(*) filter (where s.found = s.score))::int as same,
    1 - avg((s.found - s.score) ^ 2)
      / nullif(avg(s.found ^ 2) + avg(s.score ^ 2) - 2 * avg(s.found) * avg(s.score), 0) as kappa
  from (${sql.literal(SCORES)}) s group by s.metric, s.by, s.version order by s.metric, s.by, s.version`

const nameIn = (table: string, kind: string) =>
  `when '${kind}' then (select n.name from ${table} n where n.org_id = scope.org and n.id = f.found_target_id)`

/** The name of the target that was found. If a person named another one, it is read from the catalogue. */
const FOUND_TARGET = `case when f.found_target_id is not distinct from f.target_id then f.target_name else coalesce(
  case f.kind ${nameIn("competitors", "competitor")} ${nameIn("features", "feature")} ${nameIn("reasons", "driver")} end,
  f.found_target_id) end`

const LABELS = `
  select f.id, f.kind, f.state, f.deal_id, d.name as deal_name, ${FOUND_TARGET} as found_target, f.found_effect, null::float8 as found_score,
    f.target_name as target, f.effect, null::float8 as score, f.side, f.speaker, f.quote, f.document_id, t.file_name as document_name,
    f.start_at as start, f.end_at as "end", f.method as by, f.version, f.judged_by, ${utc("f.judged_at")} as judged_at
  from findings f join deals d on d.org_id = scope.org and d.id = f.deal_id
    join documents t on t.org_id = scope.org and t.id = f.document_id
  where f.org_id = scope.org and f.state <> 'proposed'
  union all
  select 'score_' || s.deal_id || '_' || s.metric, 'score', case when s.found = s.score then 'accepted' else 'rejected' end, s.deal_id,
    s.deal_name, s.metric, null, s.found, s.metric, null, s.score, null, null, null, null, null, null, null, s.by, s.version, null, null
  from (${SCORES}) s`

/** Labels by id, from the one after `after`. */
export const selectLabels = (sql: SqlClient, after: string | undefined, size: number): Fragment => sql`
  select * from (${sql.literal(LABELS)}) l ${after === undefined ? sql`` : sql`where l.id collate "C" > ${after}`}
  order by l.id collate "C" limit ${size + 1}::int`
