import * as Effect from "effect/Effect"
import { yieldIfDue } from "../common/inSlices.ts"
import { canonicalize } from "../deals/filters/canonical.ts"
import { type DealFilters, partsOf } from "../deals/filters/filters.ts"
import { METRICS } from "../deals/columns/metrics.ts"
import { crmProblems } from "../deals/names/properties.ts"
import { reasonWithSuggestion } from "../http/validation/validation.ts"
import type { Entry } from "./entry.ts"
import {
  findCandidates,
  type Identity,
  keptCrmId,
  keptName,
  match,
  matchedBy,
  noticeReuse,
  register,
  wantIdentity,
} from "./names/matching.ts"
import type { Names } from "./names/Names.ts"
import { mergeProperties } from "./properties.ts"
import { Checking } from "./names/references.ts"
import { EMPTY, stageDefaults } from "./entityRows.ts"
import { type Arranged, arrangeRows } from "./repeats/joinRows.ts"
import { outcomesOfRows, Repeats, nameResult, rowsAlone } from "./repeats/Repeats.ts"
import { COLUMNS, type EntityType } from "./names/kinds.ts"
import { changesDependents } from "./dependents.ts"
import { type Base, type EntityRow, openSession, type RecordOutcome, type Session } from "./Session.ts"

/** Writes a batch of records of one type. */
export const writeEntities = Effect.fnUntraced(function* (
  type: EntityType,
  base: Base,
  entries: ReadonlyArray<Entry<EntityType>>,
) {
  const session = yield* openSession(base, entries, (names: Names, record) => wantIdentity(names, type, record))
  const { names, store } = session
  const ids = findCandidates(
    names,
    type,
    entries.map(({ record }) => record as Identity),
  )
  const found = ids.length === 0 ? [] : yield* store.entities(type, ids)
  const rows = new Map(found.map((row) => [row.id, row]))
  const changed = new Map<string, EntityRow>()
  const shown = new Set<string>()
  const renamed: Array<{ readonly id: string; readonly from: string }> = []
  const outcomes: Array<RecordOutcome> = []
  const repeats = new Repeats(session)
  const { isTable } = base.state
  const queue: Array<Arranged<EntityType>> = [...arrangeRows(isTable, entries, () => undefined)]
  for (const { entry, joined } of queue) {
    yield* yieldIfDue
    const { line, record } = entry
    const checking = new Checking(session, line)
    const id = match(checking, names, type, record, rows)
    const before = rows.get(id)
    const after = mergeEntity(session, type, checking, id, before, record)
    if (checking.problems.length > 0) {
      // Each row alone, so that only bad ones fail.
      if (joined === undefined) outcomes.push({ line, problems: checking.problems })
      else queue.push(...rowsAlone(joined))
      continue
    }
    if (before !== undefined) {
      noticeReuse(checking, type, record as Identity, before)
      session.batch.match(matchedBy(names, type, record as Identity, id))
      repeats.compareRow(isTable && session.batch.hasTouched(id), line, record, before, after)
    }
    repeats.noticeJoined(joined)
    session.batch.touched.add(id)
    const result = nameResult(before, after)
    outcomes.push({ line, result }, ...outcomesOfRows(joined, line, result))
    if (result === "unchanged") continue
    register(names, type, before, after)
    rows.set(id, after)
    changed.set(id, after)
    store.show?.(line, record, before, after)
    if (before !== undefined && changesDependents(type, before, after)) shown.add(id)
    if (before !== undefined && before.name !== after.name) renamed.push({ id, from: before.name })
    const isUnsaid =
      type === "stage" && before === undefined && !("category" in record && record.category !== undefined)
    if (isUnsaid) session.batch.stages.push({ name: after.name, field: "category", line })
  }
  yield* repeats.end()
  yield* store.putEntities(session, type, { found, changed: [...changed.values()], shown: [...shown], renamed })
  return outcomes
})

const mergeEntity = (
  session: Session,
  type: EntityType,
  checking: Checking,
  id: string,
  before: EntityRow | undefined,
  record: Entry<EntityType>["record"],
): EntityRow => {
  const given = record as unknown as Record<string, unknown> & Identity
  const name = keptName(type, given, before)
  if (name === undefined) checking.problem("name", `must be given for a new ${type}`)
  const after: Record<string, unknown> = { id, name }
  const initial: Record<string, unknown> = type === "stage" ? stageDefaults(session.state, name ?? "") : {}
  for (const [column, kind] of Object.entries(COLUMNS[type])) {
    const plain = trimmed(kind, given[column])
    if (column === "crm_one_id" || column === "crm_two_id") after[column] = keptCrmId(before?.[column], given[column])
    else after[column] = plain === undefined ? (before?.[column] ?? initial[column] ?? EMPTY[kind]()) : plain
  }
  if (type === "client") {
    const properties = (before?.["crm_properties"] ?? {}) as Readonly<Record<string, string>>
    after["crm_properties"] = mergeProperties(
      checking,
      session.properties,
      "account",
      properties,
      given["crm_properties"] as typeof properties | null | undefined,
      session,
    )
  }
  if ("filters" in COLUMNS[type] && given["filters"] !== undefined) {
    after["filters"] = checkedFilters(session, type, checking, (given["filters"] ?? {}) as DealFilters)
  }
  if (type === "metric" || type === "answer") checkQuestion(type, checking, after)
  return after as EntityRow
}

/** The value of a column without blanks around its texts. */
const trimmed = (kind: string, value: unknown): unknown => {
  if (kind === "text[]" && value !== undefined) return trimAll((value ?? []) as ReadonlyArray<string>)
  return typeof value === "string" ? value.trim() : value
}

const trimAll = (texts: ReadonlyArray<string>) => [...new Set(texts.map((text) => text.trim()))]

/** Reports what an analysis could not answer. */
const checkQuestion = (type: "metric" | "answer", checking: Checking, after: Readonly<Record<string, unknown>>) => {
  if (after["question"] === null) return
  if (after["question"] === "") checking.problem("question", "must be text, or null for none")
  const standard = new Set<unknown>(METRICS)
  const name = String(after["name"])
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, "_")
  if (type === "metric" && (standard.has(name) || standard.has(after["id"])))
    checking.problem("name", "must not be the name of a score that every deal has; choose another for a question")
  if (type === "answer" && after["form"] === "option" && (after["options"] as ReadonlyArray<string>).length < 2)
    checking.problem("options", "must have at least two values if the form is `option`")
}

const checkedFilters = (session: Session, type: EntityType, checking: Checking, given: DealFilters) => {
  const { filters, invalid } = canonicalize(given)
  for (const { field, reason } of invalid) checking.problem(`filters.${field}`, reason)
  for (const [part, prefix] of type === "segment" ? partsOf(filters) : []) {
    for (const name of ["segment_ids", "segment_ids_filter_type"] as const) {
      if (part[name] !== undefined) {
        checking.problem(`filters.${prefix}${name}`, "must be omitted: a segment cannot contain segments")
      }
    }
  }
  for (const problem of crmProblems(filters, session.properties)) {
    checking.problem(`filters.${problem.field}`, reasonWithSuggestion(problem))
  }
  return filters
}
