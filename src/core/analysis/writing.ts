import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { insertSelected, recordWritten } from "../storage/recordChanges.ts"
import type { Found } from "./finding.ts"
import { locate } from "./gate/gate.ts"
import type { Published } from "./publish/published.ts"
import type { FindingRow } from "./sql.ts"
import type { WrittenAnalysis } from "./written.ts"

/** Queues deals for a run; deals that another run has queued stay in that run. Returns the number of deals that the run has. */
export const queueDeals = Effect.fnUntraced(function* (
  sql: SqlClient,
  org: string,
  run: string,
  deals: ReadonlyArray<string>,
) {
  yield* insertSelected(
    sql,
    org,
    (home) => sql`insert into deal_analyses as a (org_id, deal_id, run_id, state)
      select ${home.org}, x.id, ${run}, 'queued' from ${home.from}json_array_elements_text(${JSON.stringify(deals)}::json) x(id) ${home.where} order by x.id
      on conflict (org_id, deal_id) do update set run_id = excluded.run_id, state = 'queued', queued_at = excluded.queued_at
        where a.state not in ('queued', 'running')`,
  )
  const [row] = yield* sql<{ count: number }>`
    select count(*)::int as count from deal_analyses where org_id = ${org} and run_id = ${run}`
  return row?.count ?? 0
})

export const beginDeal = (sql: SqlClient, org: string, deal: string, run: string) =>
  sql`update deal_analyses set state = 'running', failure_reason = null where org_id = ${org} and deal_id = ${deal} and run_id = ${run}`

/** Ends the deals of a run that failed. Findings of an earlier run stay. */
export const failDeals = (sql: SqlClient, org: string, run: string, reason: string) =>
  sql`update deal_analyses set state = 'failed', failure_reason = ${reason}
    where org_id = ${org} and run_id = ${run} and state in ('queued', 'running')`

/** Ends one deal of a run, which goes on with the others. */
export const failDeal = (sql: SqlClient, org: string, deal: string, run: string, reason: string) =>
  sql`update deal_analyses set state = 'failed', failure_reason = ${reason}
    where org_id = ${org} and deal_id = ${deal} and run_id = ${run}`

/** Says why the deals of a run wait. Returns whether the run has finished no deal for `hours`. */
export const postponeDeals = (sql: SqlClient, org: string, run: string, reason: string, hours: number) =>
  Effect.map(
    sql<{ is_late: boolean }>`update deal_analyses set state = 'queued', failure_reason = ${reason}
      where org_id = ${org} and run_id = ${run} and state in ('queued', 'running')
      returning greatest(queued_at, (select max(d.finished_at) from deal_analyses d where d.org_id = ${org} and d.run_id = ${run}))
        < now() - make_interval(hours => ${hours}::int) as is_late`,
    (rows) => rows.some(({ is_late }) => is_late),
  )

/** Ends a deal whose inputs have not changed since the findings that are stored. */
export const keepFindings = (sql: SqlClient, org: string, deal: string, run: string) =>
  sql`update deal_analyses set state = 'ready', failure_reason = null
    where org_id = ${org} and deal_id = ${deal} and run_id = ${run}`

export interface Result {
  readonly deal: string
  readonly run: string
  readonly method: "extracted" | "model"
  /** The finder: `extracted`, or the model's name. */
  readonly by: string
  /** The version of the extractor or prompt. */
  readonly version: string
  /** `version` with the model's name: stored to detect stale results. */
  readonly deciding: string
  readonly inputs: string
  readonly findings: ReadonlyArray<Found & { readonly document: string }>
  readonly conversation: object
  readonly omitted: number
}

/**
 * Replaces the findings of a deal, in the caller's transaction. The id of a finding is a hash of what it says and where, so that a
 * judged one keeps its judgement; one that is no longer found stays only if a person judged it.
 */
export const publishFindings = Effect.fnUntraced(function* (sql: SqlClient, org: string, result: Result) {
  const { deal, run, method, by, version } = result
  const [locked] = yield* sql`select from deals where org_id = ${org} and id = ${deal} for key share`
  if (locked === undefined) return
  const present = yield* sql<{ id: string }>`select id from documents
    where org_id = ${org} and deal_id = ${deal} order by id for key share`
  const documents = new Set(present.map(({ id }) => id))
  const rows = withKeys(result.findings.filter(({ document }) => documents.has(document)))
  yield* insertSelected(
    sql,
    org,
    (
      home,
    ) => sql`insert into findings as f (org_id, id, deal_id, document_id, kind, target_id, target_name, effect, side, speaker, quote,
        start_at, end_at, start_second, method, version, found_target_id, found_effect)
      select ${home.org}, 'fnd_' || md5(x.key), ${deal}, x.document_id, x.kind, x.target_id, x.target_name, x.effect, x.side, x.speaker, x.quote,
        x.start_at, x.end_at, x.start_second, ${by}, ${version}, x.target_id, x.effect
      from ${home.from}json_to_recordset(${JSON.stringify(rows)}::json) as x(key text, document_id text, kind text, target_id text, target_name text,
        effect text, side text, speaker text, quote text, start_at int, end_at int, start_second float8) ${home.where}
      on conflict (org_id, id) do update set start_at = excluded.start_at, end_at = excluded.end_at, start_second = excluded.start_second,
        side = excluded.side, speaker = excluded.speaker,
        effect = case when f.state = 'proposed' then excluded.effect else f.effect end,
        target_name = case when f.state = 'proposed' then excluded.target_name else f.target_name end,
        found_effect = case when f.state = 'proposed' then excluded.found_effect else f.found_effect end,
        method = case when f.state = 'proposed' then excluded.method else f.method end,
        version = case when f.state = 'proposed' then excluded.version else f.version end`,
  )
  yield* sql`delete from findings where org_id = ${org} and deal_id = ${deal} and state = 'proposed' and id <> all (array(
    select 'fnd_' || md5(x.key) from json_array_elements_text(${JSON.stringify(rows.map(({ key }) => key))}::json) x(key)))`
  yield* relocateJudged(sql, org, deal, rows)
  yield* sql`update deal_analyses set state = 'ready', failure_reason = null, method = ${method}, version = ${result.deciding}, written = null,
      inputs = ${result.inputs}, conversation = ${JSON.stringify(result.conversation)}::jsonb, omitted = ${result.omitted}::int,
      finished_at = now()
    where org_id = ${org} and deal_id = ${deal} and run_id = ${run}`
  yield* recordWritten("deal", [deal])
})

/** Moves the judged findings that were not found again to where their quotes stand now; without its quote there is no finding. */
const relocateJudged = Effect.fnUntraced(function* (
  sql: SqlClient,
  org: string,
  deal: string,
  found: ReadonlyArray<{ readonly key: string }>,
) {
  const judged = yield* sql<{ id: string; document_id: string; quote: string }>`
    select id, document_id, quote from findings where org_id = ${org} and deal_id = ${deal} and state <> 'proposed'
      and id <> all (array(select 'fnd_' || md5(x.key) from json_array_elements_text(${JSON.stringify(found.map(({ key }) => key))}::json) x(key)))
    order by document_id, id`
  let text: { readonly document: string; readonly body: string | undefined } | undefined
  for (const { id, document_id, quote } of judged) {
    if (text?.document !== document_id) {
      const [row] = yield* sql<{ body: string }>`
        select body from document_texts where org_id = ${org} and document_id = ${document_id}`
      text = { document: document_id, body: row?.body }
    }
    const place = text.body === undefined ? undefined : findPlace(text.body, quote)
    if (place === undefined) yield* sql`delete from findings where org_id = ${org} and id = ${id}`
    else
      yield* sql`update findings set start_at = ${place.start}::int, end_at = ${place.end}::int
        where org_id = ${org} and id = ${id}`
  }
})

/** Folding a long text takes a second, so an exact quote is looked for first. */
const findPlace = (body: string, quote: string) => {
  const at = body.indexOf(quote)
  return at >= 0 ? { start: at, end: at + quote.length } : locate(body, quote)
}

/** The rows of findings; a sentence that a document repeats has a number in its key. */
export const withKeys = (findings: Result["findings"]) => {
  const counts = new Map<string, number>()
  return findings.map(({ document, kind, target, effect, side, speaker, quote, start, end, startSecond }) => {
    const same = [document, kind, target.id ?? target.name, quote].join("\u001f")
    const count = counts.get(same) ?? 0
    counts.set(same, count + 1)
    return {
      key: `${same}\u001f${count}`,
      document_id: document,
      kind,
      target_id: target.id,
      target_name: target.name,
      effect,
      side,
      speaker,
      quote,
      start_at: start,
      end_at: end,
      start_second: startSecond,
    }
  })
}

/** Remembers what the acceptance of a finding wrote, for `withdraw`. */
export const savePublished = (sql: SqlClient, org: string, finding: string, published: string | null) =>
  sql`update findings set published = ${published}::text where org_id = ${org} and id = ${finding}`

/** Stores a judgement, unless another one came first. Returns whether it did. */
export const judgeFinding = (
  sql: SqlClient,
  org: string,
  before: FindingRow,
  after: Pick<FindingRow, "state" | "target_id" | "target_name" | "effect" | "published"> & {
    readonly judgedBy: string
  },
) =>
  Effect.map(
    sql`update findings set state = ${after.state}, target_id = ${after.target_id}, target_name = ${after.target_name},
        effect = ${after.effect}, published = ${after.published}, judged_by = ${after.judgedBy}, judged_at = now()
      where org_id = ${org} and id = ${before.id} and state = ${before.state}
        and published is not distinct from ${before.published}::text returning id`,
    (rows) => rows.length > 0,
  )

export interface Call {
  readonly deal: string
  readonly run: string
  readonly key: string
  readonly purpose: string
  readonly document: string | null
  readonly answer: unknown
  readonly inputTokens: number
  readonly outputTokens: number
}

/** Counts a call, and keeps its answer unless the deal or document was deleted meanwhile. */
export const saveCall = Effect.fnUntraced(function* (sql: SqlClient, org: string, call: Call) {
  const { deal, key, purpose, document, inputTokens, outputTokens } = call
  yield* addTokens(sql, org, call)
  const [present] = yield* sql`select from deals where org_id = ${org} and id = ${deal} for key share`
  const [read] =
    document === null
      ? [{}]
      : yield* sql`select from documents where org_id = ${org} and id = ${document} for key share`
  if (present === undefined || read === undefined) return
  yield* sql`insert into analysis_calls (org_id, deal_id, key, document_id, purpose, answer, input_tokens, output_tokens)
    values (${org}, ${deal}, ${key}, ${document}, ${purpose}, ${asJsonb(call.answer)}::jsonb, ${inputTokens}::int, ${outputTokens}::int)
    on conflict do nothing`
})

/** Counts tokens of a deal and of its run in this month (UTC). */
export const addTokens = Effect.fnUntraced(function* (
  sql: SqlClient,
  org: string,
  { deal, run, inputTokens, outputTokens }: Pick<Call, "deal" | "run" | "inputTokens" | "outputTokens">,
) {
  yield* sql`update deal_analyses set input_tokens = input_tokens + ${inputTokens}::int, output_tokens = output_tokens + ${outputTokens}::int
    where org_id = ${org} and deal_id = ${deal}`
  yield* sql`insert into analysis_spending as s (org_id, month, run_id, input_tokens, output_tokens)
    values (${org}, date_trunc('month', now() at time zone 'UTC')::date, ${run}, ${inputTokens}::bigint, ${outputTokens}::bigint)
    on conflict (org_id, month, run_id) do update set input_tokens = s.input_tokens + excluded.input_tokens,
      output_tokens = s.output_tokens + excluded.output_tokens`
})

/** PostgreSQL stores neither U+0000 nor half of a surrogate pair. */
const asJsonb = (value: unknown) =>
  JSON.stringify(value, (_, each: unknown) =>
    typeof each === "string" ? each.toWellFormed().replaceAll("\0", "") : each,
  )

/** Deletes the answers that the last analysis did not need. */
export const pruneCalls = (sql: SqlClient, org: string, deal: string, keys: Iterable<string>) =>
  sql`delete from analysis_calls where org_id = ${org} and deal_id = ${deal} and key <> all(${[...keys]}::text[])`

/** Stores what a model wrote, and the part of it that the deal's columns have. */
export const saveWritten = (
  sql: SqlClient,
  org: string,
  deal: string,
  written: WrittenAnalysis,
  published: Published,
) =>
  sql`update deal_analyses set written = ${asJsonb(written)}::jsonb, published = ${asJsonb(published)}::jsonb
    where org_id = ${org} and deal_id = ${deal}`

export const verifyAnalysis = (sql: SqlClient, org: string, deal: string) =>
  Effect.map(
    sql`update deal_analyses set verified_at = now() where org_id = ${org} and deal_id = ${deal} and state = 'ready' returning deal_id`,
    (rows) => rows.length > 0,
  )
