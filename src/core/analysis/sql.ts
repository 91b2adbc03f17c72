import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { METRICS } from "../deals/columns/metrics.ts"
import { utc } from "../storage/sql.ts"
import type { Conversation } from "./conversation.ts"
import type { Rubrics } from "./rubrics.ts"
import type { Effect, FindingKind, Side } from "./finding.ts"
import { MAX_WINDOWS, WINDOW_CHARACTERS } from "./inputs/utterances.ts"
import type { Score } from "./publish/published.ts"
import { OF_DEAL, PARTIES, type PartiesRow, PEOPLE } from "./side/parties.ts"
import type { WrittenAnalysis } from "./written.ts"

/** Entries of a kind of the catalogue that texts are searched for. */
const MAX_NAMES = 5000
/** Documents of a deal that are read: the newest. */
const MAX_DOCUMENTS = 200
/** Parts of a document that are read: two million characters. */
const MAX_PARTS = 10

/** A hash of a table's names and aliases. */
const namesHash = (table: string) =>
  `(select coalesce(md5(string_agg(concat_ws(chr(31), n.id, n.name, array_to_string(n.aliases, chr(30))), chr(29) order by n.id)), '')
    from ${table} n where n.org_id = scope.org)`

const CATALOGUE_HASH = `md5(${["competitors", "features", "reasons"].map(namesHash).join(" || ")})`

/** Documents `t` of deal `d`, without those whose later version was read. */
const LATEST = `t.org_id = scope.org and t.deal_id = d.id and not exists (
  select from documents n where n.org_id = scope.org and n.id = t.replaced_by and n.status = 'ready')`

const DOCUMENTS_HASH = `(select coalesce(md5(string_agg(concat_ws(' ', p.document_id, p.n, md5(p.elements::text)), ',' order by p.document_id, p.n)), '')
  from documents t join document_parts p on p.org_id = scope.org and p.document_id = t.id
  where ${LATEST} and p.n < ${MAX_PARTS})`

/** Changes if the findings of deal \`d\` of client \`c\` in organization \`o\` can. */
const INPUTS = `md5(concat_ws(chr(31), ${CATALOGUE_HASH}, array_to_string(o.our_names, chr(30)), array_to_string(o.our_domains, chr(30)),
  array_to_string(${PEOPLE}, chr(30)), d.name, c.name, c.website_url, ${DOCUMENTS_HASH}))`

/** A hash of people's rejections and corrections: these change what a model writes. */
const JUDGED = `(select coalesce(md5(string_agg(concat_ws(' ', f.id, f.state, f.target_id, f.effect), ',' order by f.id)), '')
  from findings f where f.org_id = scope.org and f.deal_id = d.id and (f.state = 'rejected'
    or (f.state = 'accepted' and (f.target_id is distinct from f.found_target_id or f.effect is distinct from f.found_effect))))`

const ALL_QUESTIONS = `(
  select concat_ws(chr(31), 'metric', q.id, q.name, q.question) as body, q.filters from metrics q
    where q.org_id = scope.org and q.question is not null
  union all select concat_ws(chr(31), 'answer', q.id, q.name, q.question, q.form, array_to_string(q.options, chr(30))), q.filters from answers q
    where q.org_id = scope.org and q.question is not null)`

/**
 * A hash of the workspace's questions; empty without one. If some are asked of certain deals only, the deal's CRM fields decide which. The
 * answers of a model about the same texts are stored, so that a changed field costs nothing but the answers to other questions.
 */
const QUESTIONS = `(select case when count(*) = 0 then '' else md5(string_agg(x.body || x.filters::text, chr(29) order by x.body)
    || case when bool_or(x.filters <> '{}') then concat_ws(chr(31), '', d.status_id, d.amount, d.close_date, d.type, d.region, d.owner_id, d.client_id)
      else '' end) end from ${ALL_QUESTIONS} x)`

const RUBRICS = `case when o.rubrics = '{}' then '' else o.rubrics::text end`

/** The hash of a method's inputs. */
const methodInputs = (method: Method) =>
  method === "extracted" ? INPUTS : `md5(${INPUTS} || ${JUDGED} || ${QUESTIONS} || ${RUBRICS})`

/** Whether the analysis `a` of deal `d` has nothing to write: only a verified deal keeps it from that. */
const IS_WRITTEN = "(d.analysis_verified or a.published -> 'isHeld' is null)"

export type Method = "extracted" | "model"

export interface InputRow extends PartiesRow {
  readonly rubrics: Rubrics
  readonly documents: ReadonlyArray<{ readonly id: string; readonly name: string }>
  readonly catalogue: string
  readonly inputs: string
  /** The inputs of the analysis that is stored; null without one, and while it has something to write. */
  readonly stored: string | null
}

/** Selects a deal's inputs and their hash. The statements in this file run inside `Database.scoped`. */
export const selectInputs = (sql: SqlClient, deal: string, method: Method): Fragment => sql`
  select ${sql.literal(PARTIES)}, o.rubrics,
    (select coalesce(json_agg(json_build_object('id', x.id, 'name', x.file_name) order by x.created_at, x.id), '[]') from (
      select t.id, t.file_name, t.created_at from documents t where ${sql.literal(LATEST)}
      and exists (select from document_parts p where p.org_id = scope.org and p.document_id = t.id)
      order by t.created_at desc, t.id limit ${MAX_DOCUMENTS}::int) x) as documents,
    ${sql.literal(CATALOGUE_HASH)} as catalogue, ${sql.literal(methodInputs(method))} as inputs,
    (select concat(a.version, ' ', a.inputs) from deal_analyses a
      where a.org_id = scope.org and a.deal_id = d.id and a.finished_at is not null and ${sql.literal(IS_WRITTEN)}) as stored
  from ${sql.literal(OF_DEAL)} where d.org_id = scope.org and d.id = ${deal}`

/** How much of a deal is to be read; nothing of one whose inputs are those of its analysis. */
export interface WorkRow {
  readonly is_unchanged: boolean
  readonly documents: number
  readonly windows: number
}

export const selectWork = (
  sql: SqlClient,
  deals: ReadonlyArray<string>,
  method: Method,
  deciding: string,
): Fragment => sql`
  select exists (select from deal_analyses a where a.org_id = scope.org and a.deal_id = d.id and a.finished_at is not null
      and a.version = ${deciding} and a.inputs = ${sql.literal(methodInputs(method))} and ${sql.literal(IS_WRITTEN)}) as is_unchanged, w.documents, w.windows
  from ${sql.literal(OF_DEAL)} cross join lateral (
    select count(*)::int as documents, least(coalesce(sum(ceil(length(b.body) / ${WINDOW_CHARACTERS}::float8)), 0), ${MAX_WINDOWS}::int)::int as windows
    from documents t join document_texts b on b.org_id = scope.org and b.document_id = t.id where ${sql.literal(LATEST)}) w
  where d.org_id = scope.org and d.id = any(${[...deals]}::text[])`

const named = (table: string) =>
  `(select coalesce(json_agg(json_build_object('id', n.id, 'name', n.name, 'aliases', n.aliases)), '[]')
    from (select * from ${table} where org_id = scope.org order by id limit ${MAX_NAMES}) n)`

export const selectCatalogue = (sql: SqlClient): Fragment => sql`
  select ${sql.literal(CATALOGUE_HASH)} as hash, ${sql.literal(named("competitors"))} as competitors,
    ${sql.literal(named("features"))} as features, ${sql.literal(named("reasons"))} as reasons`

export const selectElements = (sql: SqlClient, document: string): Fragment => sql`
  select elements from document_parts where org_id = scope.org and document_id = ${document} and n < ${MAX_PARTS}::int order by n`

export const selectBody = (sql: SqlClient, document: string): Fragment => sql`
  select body from document_texts where org_id = scope.org and document_id = ${document}`

/** The ids of findings by their keys, in order. */
export const selectIds = (sql: SqlClient, keys: ReadonlyArray<string>): Fragment => sql`
  select 'fnd_' || md5(x.key) as id from json_array_elements_text(${JSON.stringify(keys)}::json) with ordinality x(key, n) order by x.n`

/** Selects the findings that people accepted or rejected. */
export const selectJudged = (sql: SqlClient, deal: string): Fragment => sql`
  select f.id, f.kind, f.target_id, f.target_name, f.effect, f.side, f.speaker, f.quote, f.state from findings f
  where f.org_id = scope.org and f.deal_id = ${deal} and f.state <> 'proposed' order by f.id`

/** Whether a deal is in this run, and whether another one has still to read it. No row: there is no such deal. */
export const selectHolder = (sql: SqlClient, deal: string, run: string): Fragment => sql`
  select coalesce(a.run_id = ${run}, false) as is_ours, coalesce(a.state in ('queued', 'running'), false) as is_busy
  from deals d left join deal_analyses a on a.org_id = scope.org and a.deal_id = d.id
  where d.org_id = scope.org and d.id = ${deal}`

/** The deals of a run that are not done. */
export const selectPending = (sql: SqlClient, run: string, size: number): Fragment => sql`
  select deal_id, count(*) over ()::int as remaining,
    (select count(*)::int from deal_analyses t where t.org_id = scope.org and t.run_id = ${run}) as total
  from deal_analyses
  where org_id = scope.org and run_id = ${run} and state in ('queued', 'running') order by deal_id limit ${size}::int`

/** How the deals of a run ended: how many are ready, and why the first of the others is not. */
export const selectOutcome = (sql: SqlClient, run: string): Fragment => sql`
  select (count(*) filter (where state = 'ready'))::int as ready,
    (array_agg(failure_reason order by deal_id) filter (where state = 'failed'))[1] as reason
  from deal_analyses where org_id = scope.org and run_id = ${run}`

export interface FindingRow {
  readonly id: string
  readonly deal_id: string
  readonly document_id: string
  readonly document_name: string
  readonly kind: FindingKind
  readonly target_id: string | null
  readonly target_name: string
  readonly effect: Effect | null
  readonly side: Side
  readonly speaker: string | null
  readonly quote: string
  readonly start_at: number
  readonly end_at: number
  readonly start_second: number | null
  readonly state: "proposed" | "accepted" | "rejected"
  readonly method: string
  readonly published: string | null
  readonly judged_by: string | null
  readonly judged_at: string | null
}

const FINDING = `f.id, f.deal_id, f.document_id, t.file_name as document_name, f.kind, f.target_id, f.target_name, f.effect, f.side, f.speaker,
  f.quote, f.start_at, f.end_at, f.start_second, f.state, f.method, f.published, f.judged_by, ${utc("f.judged_at")} as judged_at`

/** The findings of a deal, in the order of its documents; with `finding`, that one. */
export const selectFindings = (sql: SqlClient, deal: string, finding?: string): Fragment => sql`
  select ${sql.literal(FINDING)} from findings f
  join documents t on t.org_id = scope.org and t.id = f.document_id
  where f.org_id = scope.org and f.deal_id = ${deal} ${finding === undefined ? sql`` : sql`and f.id = ${finding}`}
  order by t.created_at, f.document_id, f.start_at, f.kind, f.id`

export interface AnalysisRow {
  readonly name: string
  readonly state: "none" | "queued" | "running" | "ready" | "failed"
  readonly stale: boolean
  readonly method: Method | null
  readonly run_id: string | null
  readonly failure_reason: string | null
  readonly conversation: Conversation | null
  readonly omitted: number
  readonly finished_at: string | null
  readonly verified_at: string | null
  readonly written: WrittenAnalysis | null
  readonly input_tokens: number
  readonly output_tokens: number
  readonly scores: Readonly<Partial<Record<string, number | null>>>
  readonly custom_metrics: Readonly<Partial<Record<string, Score>>>
  readonly custom_answers: Readonly<Partial<Record<string, string>>>
  readonly drivers: ReadonlyArray<Recorded>
  readonly features: ReadonlyArray<Recorded>
}

/** A reason or feature that the deal itself records. */
export interface Recorded {
  readonly id: string
  readonly name: string
  readonly positive: boolean
}

/** The columns of deal `d` that an analysis can contradict. */
const RECORDED = `
  json_build_object(${METRICS.map((metric) => `'${metric}', d.wl_${metric}_score`).join(", ")}) as scores,
  d.custom_metrics, d.custom_answers,
  (select coalesce(json_agg(json_build_object('id', l.reason_id, 'name', r.name, 'positive', l.positive) order by l.position), '[]')
    from deal_drivers l join reasons r on r.org_id = scope.org and r.id = l.reason_id
    where l.org_id = scope.org and l.deal_id = d.id and l.positive is not null) as drivers,
  (select coalesce(json_agg(json_build_object('id', s.feature_id, 'name', r.name, 'positive', s.sentiment) order by s.id), '[]')
    from associations s join features r on r.org_id = scope.org and r.id = s.feature_id
    where s.org_id = scope.org and s.deal_id = d.id and s.sentiment is not null) as features`

export const selectAnalysis = (sql: SqlClient, deal: string, version: string, method: Method): Fragment => sql`
  select d.name, coalesce(a.state, 'none') as state, a.method, a.run_id, a.failure_reason, a.conversation, coalesce(a.omitted, 0) as omitted,
    a.finished_at is not null and ((a.version, a.inputs) is distinct from (${version}, ${sql.literal(methodInputs(method))})
      or not ${sql.literal(IS_WRITTEN)}) as stale,
    ${sql.literal(utc("a.finished_at"))} as finished_at, ${sql.literal(utc("a.verified_at"))} as verified_at,
    a.written, coalesce(a.input_tokens, 0)::float8 as input_tokens, coalesce(a.output_tokens, 0)::float8 as output_tokens,
    ${sql.literal(RECORDED)}
  from ${sql.literal(OF_DEAL)}
  left join deal_analyses a on a.org_id = scope.org and a.deal_id = d.id
  where d.org_id = scope.org and d.id = ${deal}`

/** A deal of the queue: its recorded values, and the findings that may contradict them. */
export interface ContradictedRow extends Pick<
  AnalysisRow,
  "written" | "scores" | "custom_metrics" | "custom_answers" | "drivers" | "features"
> {
  readonly deal_id: string
  readonly findings: ReadonlyArray<Pick<FindingRow, "id" | "kind" | "target_id" | "side" | "state" | "effect">>
}

export const selectContradicted = (sql: SqlClient, deals: ReadonlyArray<string>): Fragment => sql`
  select d.id as deal_id, a.written, ${sql.literal(RECORDED)},
    (select coalesce(json_agg(json_build_object('id', f.id, 'kind', f.kind, 'target_id', f.target_id, 'side', f.side, 'state', f.state,
        'effect', f.effect)), '[]')
      from findings f where f.org_id = scope.org and f.deal_id = d.id and f.kind in ('driver', 'feature')) as findings
  from deals d left join deal_analyses a on a.org_id = scope.org and a.deal_id = d.id
  where d.org_id = scope.org and d.id = any(${[...deals]}::text[])`

/** The end of a page of the queue. */
export interface QueuePosition {
  readonly amount: number
  readonly doubtful: number
  readonly id: string
}

/** A deal without an amount comes last. Amounts are finite. */
export const NO_AMOUNT = -1e308

export const selectQueue = (sql: SqlClient, after: QueuePosition | undefined, size: number): Fragment => sql`
  select * from (
    select d.id as deal_id, d.name as deal_name, d.amount, s.name as deal_status, a.method, w.proposed, w.doubtful,
      coalesce(d.amount, ${NO_AMOUNT}::float8) as sorted
    from (
      select f.deal_id, count(*)::int as proposed,
        (count(*) filter (where f.effect is null or f.side = 'unknown'))::int as doubtful
      from findings f where f.org_id = scope.org and f.state = 'proposed' group by f.deal_id
    ) w
    join deals d on d.org_id = scope.org and d.id = w.deal_id
    left join deal_analyses a on a.org_id = scope.org and a.deal_id = d.id
    left join stages s on s.org_id = scope.org and s.id = d.status_id
  ) q
  ${
    after === undefined
      ? sql``
      : sql`where (q.sorted, q.doubtful) < (${after.amount}::float8, ${after.doubtful}::bigint)
          or ((q.sorted, q.doubtful) = (${after.amount}::float8, ${after.doubtful}::bigint) and q.deal_id collate "C" > ${after.id})`
  }
  order by q.sorted desc, q.doubtful desc, q.deal_id collate "C" limit ${size + 1}::int`
