import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { utc } from "../../storage/sql.ts"

// The statements in this file run inside `Database.scoped`.

const THIS_MONTH = `date_trunc('month', now() at time zone 'UTC')`

export interface SpendingRow {
  readonly month: string
  readonly input: number
  readonly output: number
  readonly budget: number | null
  readonly resets_at: string
  readonly seconds_left: number
}

export const selectSpending = (sql: SqlClient): Fragment => sql`
  select to_char(${sql.literal(THIS_MONTH)}, 'YYYY-MM') as month, s.input, s.output, o.analysis_budget as budget,
    ${sql.literal(utc(`(${THIS_MONTH} + interval '1 month') at time zone 'UTC'`))} as resets_at,
    ceil(extract(epoch from ${sql.literal(THIS_MONTH)} + interval '1 month' - (now() at time zone 'UTC')))::float8 as seconds_left
  from organizations o,
    (select coalesce(sum(p.input_tokens), 0)::float8 as input, coalesce(sum(p.output_tokens), 0)::float8 as output
      from analysis_spending p where p.org_id = scope.org and p.month = ${sql.literal(THIS_MONTH)}::date) s
  where o.id = scope.org`

export interface CallRow {
  readonly purpose: "find" | "write" | "score" | "answer"
  readonly input: number
  readonly output: number
}

/** The average tokens of the calls that are stored, by purpose. */
export const selectAverages = (sql: SqlClient): Fragment => sql`
  select c.purpose, avg(c.input_tokens)::float8 as input, avg(c.output_tokens)::float8 as output
  from analysis_calls c where c.org_id = scope.org group by c.purpose`

/** Whether the workspace has a question, whose answer is a call for each deal. */
export const selectAsks = (sql: SqlClient): Fragment => sql`
  select exists (select from answers q where q.org_id = scope.org and q.question is not null) as asks`

export interface RunRow {
  readonly status: "queued" | "running" | "completed" | "failed" | "cancelled"
  readonly progress: number
  readonly error: string | null
  readonly deals: number
  readonly ready: number
  readonly failed: number
  readonly findings: number
  readonly failures: ReadonlyArray<{ readonly deal_id: string; readonly deal_name: string; readonly reason: string }>
  readonly input: number
  readonly output: number
}

const MAX_FAILURES = 20

export const selectRun = (sql: SqlClient, run: string, kind: string): Fragment => sql`
  select j.state as status, j.progress, j.error, d.deals, d.ready, d.failed,
    (select count(*)::int from findings f join deal_analyses a on a.org_id = scope.org and a.deal_id = f.deal_id
      where f.org_id = scope.org and a.run_id = ${run} and a.state = 'ready') as findings,
    (select coalesce(json_agg(x order by x.deal_id), '[]') from (
      select a.deal_id, l.name as deal_name, a.failure_reason as reason
      from deal_analyses a join deals l on l.org_id = scope.org and l.id = a.deal_id
      where a.org_id = scope.org and a.run_id = ${run} and a.state = 'failed' order by a.deal_id limit ${MAX_FAILURES}::int) x) as failures,
    s.input, s.output
  from jobs j,
    (select count(*)::int as deals, (count(*) filter (where a.state = 'ready'))::int as ready,
      (count(*) filter (where a.state = 'failed'))::int as failed
      from deal_analyses a where a.org_id = scope.org and a.run_id = ${run}) d,
    (select coalesce(sum(p.input_tokens), 0)::float8 as input, coalesce(sum(p.output_tokens), 0)::float8 as output
      from analysis_spending p where p.org_id = scope.org and p.run_id = ${run}) s
  where j.org_id = scope.org and j.id = ${run} and j.kind = ${kind}`
