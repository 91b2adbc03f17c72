import * as Effect from "effect/Effect"
import { yieldIfDue } from "../common/inSlices.ts"
import { inSectionOrder } from "../deals/summary.ts"
import { isSame } from "./isSame.ts"
import { type ChangedDeal, type DealRow, type Link, LINK_NAMES } from "./dealRows.ts"
import type { Entry } from "./entry.ts"
import {
  findCandidates,
  keptCrmId,
  keptName,
  match,
  matchedBy,
  noticeReuse,
  register,
  unregister,
  wantIdentity,
} from "./names/matching.ts"
import { isNamedOnly, loadSame } from "./names/namedDeals.ts"
import { checkFeatures, describeCreated, FeaturesOfDeals, wantExported, withExported } from "./exportedRows.ts"
import { toInstant } from "./values/instant.ts"
import type { Names } from "./names/Names.ts"
import { importedColumns, scoreColumns } from "./columns.ts"
import { distinct, mergeCompetitors, mergeNamed, namedValues } from "./mergeLists.ts"
import { mergeProperties } from "./properties.ts"
import type { Reference } from "../deals/record.ts"
import type { ImportRecord } from "./record.ts"
import { Checking, wantReference } from "./names/references.ts"
import { arrangeRows, LISTS } from "./repeats/joinRows.ts"
import { outcomesOfRows, Repeats, nameResult, rowsAlone, type Turn, findTurn, withLists } from "./repeats/Repeats.ts"
import { History, previousStage } from "./History.ts"
import { type Base, insertCreated, openSession, type RecordOutcome, type Session } from "./Session.ts"

type Deal = ImportRecord<"deal">

/** Writes a batch of deals. */
export const writeDeals = Effect.fnUntraced(function* (base: Base, entries: ReadonlyArray<Entry<"deal">>) {
  const session = yield* openSession(base, entries, want)
  const features = new FeaturesOfDeals()
  const { sql, org, names, store } = session
  const records = entries.map(({ record }) => record)
  const named = yield* loadSame(session, records)
  const ids = [...new Set([...findCandidates(names, "deal", records), ...named.ids])]
  const found = ids.length === 0 ? [] : yield* store.deals(ids)
  const rows = new Map(found.map((row) => [row.id, row]))
  named.choose(records, rows, (n, deal) => leaves(session, entries[n]!, deal))
  const stored = new Set(ids)
  const changed = new Map<string, ChangedDeal>()
  const deleted = new Set<string>()
  const history = new History(session.now)
  yield* history.load(sql, org, ids)
  const outcomes: Array<RecordOutcome> = []
  const repeats = new Repeats(session)
  const timeOf = ({ updated_at }: Deal) => toInstant(updated_at, session.zone)
  const queue = [...arrangeRows(base.state.isTable, entries, timeOf)]
  for (const { n, entry, joined, newest } of queue) {
    yield* yieldIfDue
    const { line, mustExist, exported } = entry
    let { record } = entry
    const checking = new Checking(session, line)
    const byName = isNamedOnly(record) ? named.take(n) : { id: undefined }
    if ("problem" in byName) checking.problem("name", byName.problem)
    const id = match(checking, names, "deal", record, rows, "id" in byName ? byName.id : undefined)
    const before = rows.get(id)
    if (record.deleted === true && checking.problems.length > 0) {
      outcomes.push({ line, problems: checking.problems })
      continue
    }
    if (before === undefined && (record.deleted === true || mustExist === true)) {
      outcomes.push({ line, result: "absent" })
      continue
    }
    if (before !== undefined && record.deleted === true) {
      unregister(names, "deal", before)
      rows.delete(id)
      changed.delete(id)
      history.forget(id)
      if (stored.delete(id)) deleted.add(id)
      store.show?.(line, record, before, undefined)
      outcomes.push({ line, result: "deleted" })
      continue
    }
    if (exported !== undefined) record = withExported(checking, names, record, exported, before)
    const complete = merge(session, checking, id, before, record)
    const shown = exported?.features && checkFeatures(checking, exported.features)
    if (checking.problems.length > 0) {
      // Each row alone, so that only bad ones fail.
      if (joined === undefined) outcomes.push({ line, problems: checking.problems })
      else queue.push(...rowsAlone(joined))
      continue
    }
    noticeReuse(checking, "deal", record, before)
    if (before !== undefined) session.batch.match(matchedBy(names, "deal", record, id))
    const turn = turnOfRow(session, entry, id, before, timeOf, newest)
    const other = turn === "skip" || turn === "replace" ? before?.updated_at : undefined
    if (newest !== undefined || other !== undefined) repeats.noticeNewest(line, record, timeOf(record), newest ?? other)
    if (turn === "skip") {
      outcomes.push({ line, result: "unchanged" })
      continue
    }
    repeats.noticeJoined(joined)
    session.batch.touched.add(id)
    if (base.state.isTable && record.updated_at !== undefined) session.batch.dated.add(id)
    const after = turn === "join" ? withLists(before!, complete()) : complete()
    if (turn === "join") {
      repeats.noticeGrown(line, record, before!, after)
      repeats.compareRow(true, line, record, before!, after)
    }
    if (shown !== undefined) features.set(after, line, shown())
    const result = nameResult(before, after)
    outcomes.push({ line, result }, ...outcomesOfRows(joined, line, result))
    if (result === "unchanged") continue
    const row = record.updated_at === undefined ? { ...after, updated_at: session.now } : after
    register(names, "deal", before, row)
    rows.set(id, row)
    history.add(before, row, toInstant(record.updated_at, session.zone))
    const links = new Set([
      ...(changed.get(id)?.links ?? []),
      ...LINK_NAMES.filter((link) => differs(link, before, row)),
    ])
    changed.delete(id)
    changed.set(id, { row, isNew: !stored.has(id), links })
    store.show?.(line, record, before, row)
  }
  describeCreated(names.created, entries)
  yield* insertCreated(session)
  yield* repeats.end()
  yield* store.putDeals(session, { found, deleted: [...deleted], changed: [...changed.values()], history })
  const changedLines = yield* features.write(session)
  return outcomes.map((each): RecordOutcome => {
    const isUnchanged = "result" in each && each.result === "unchanged"
    return isUnchanged && changedLines.has(each.line) ? { line: each.line, result: "updated" } : each
  })
})

/** How a row counts if other rows of the file are about its deal. Undefined: as any record. */
const turnOfRow = (
  session: Session,
  entry: Entry<"deal">,
  id: string,
  before: DealRow | undefined,
  timeOf: (record: Deal) => string | undefined,
  newest: string | undefined,
): Turn | undefined => {
  if (before === undefined || !session.state.isTable) return undefined
  const isRepeated = session.batch.hasTouched(id)
  if (newest === undefined && !isRepeated) return undefined
  const at = timeOf(entry.record)
  // The file says what the deal was before, and the workspace has it or what came later.
  if (newest !== undefined && at !== undefined && at < newest && at <= before.updated_at) return "skip"
  if (!isRepeated) return undefined
  const rest = Object.fromEntries(
    Object.entries(entry.record).filter(([field]) => field !== "updated_at" && !LISTS.has(field)),
  ) as unknown as Deal
  const isOnlyLists = leaves(session, { ...entry, record: rest }, before)
  return findTurn({ before, at, isOnlyLists }, session.batch.isDated(id))
}

/** Whether a record would leave a deal as it is. Creates nothing. */
const leaves = (session: Session, { line, record }: Entry<"deal">, deal: DealRow): boolean => {
  if (record.deleted === true) return false
  const checking = new Checking(session, line)
  const complete = merge(session, checking, deal.id, deal, record)
  return checking.problems.length === 0 && !checking.wouldCreate && isSame(deal, complete())
}

const differs = (link: Link, before: DealRow | undefined, after: DealRow): boolean =>
  before === undefined ? after[link].length > 0 : !isSame(before[link], after[link])

const readCompetitor = (each: NonNullable<Deal["competitors"]>[number]) =>
  typeof each === "string" ? { competitor: each } : each
const readDriver = (each: NonNullable<Deal["drivers"]>[number]) => (typeof each === "string" ? { reason: each } : each)

const want = (names: Names, record: Deal, { exported }: Entry): void => {
  wantIdentity(names, "deal", record)
  wantReference(names, "stage", record.status)
  wantReference(names, "stage", record.previous_status)
  wantReference(names, "owner", record.owner)
  wantReference(names, "client", record.client)
  for (const each of record.collaborators ?? []) wantReference(names, "owner", each)
  for (const each of record.competitors ?? []) wantReference(names, "competitor", readCompetitor(each).competitor)
  for (const each of record.drivers ?? []) wantReference(names, "reason", readDriver(each).reason)
  for (const name of Object.keys(record.custom_metrics ?? {})) wantReference(names, "metric", name)
  for (const name of Object.keys(record.custom_answers ?? {})) wantReference(names, "answer", name)
  if (exported !== undefined) wantExported(names, exported)
}

/** Paths next to `/deals/{id}`, present or planned. */
const RESERVED_IDS: ReadonlySet<string> = new Set(["report", "export", "documents", "analysis"])

/** Checks the whole record, then returns a function that makes the deal. Only a valid record may create what it names. */
const merge = (
  session: Session,
  checking: Checking,
  id: string,
  before: DealRow | undefined,
  record: Deal,
): (() => DealRow) => {
  const name = keptName("deal", record, before)
  if (name === undefined) checking.problem("name", "must be given for a new deal")
  if (before === undefined && RESERVED_IDS.has(id)) {
    checking.problem("id", `must not be '${id}', because /deals/${id} is a path of the API; choose another id`)
  }
  const one = (
    field: string,
    kind: "stage" | "owner" | "client",
    given: Reference | null | undefined,
    old: string | null | undefined,
  ): (() => string | null) => {
    if (given === undefined) return () => old ?? null
    return given === null ? () => null : checking.reference(field, kind, given, old)
  }
  const status = one("status", "stage", record.status, before?.status_id)
  const previous = one("previous_status", "stage", record.previous_status, before?.previous_status_id)
  const owner = one("owner", "owner", record.owner, before?.owner_id)
  const client = one("client", "client", record.client, before?.client_id)
  const collaborators =
    record.collaborators &&
    record.collaborators.map((each, at) => checking.reference(`collaborators[${at}]`, "owner", each))
  const competitors =
    record.competitors &&
    record.competitors.map(readCompetitor).map(({ competitor, is_primary, is_incumbent }, at) => {
      const competitor_id = checking.reference(`competitors[${at}].competitor`, "competitor", competitor)
      return () => ({
        competitor_id: competitor_id(),
        is_primary: is_primary ?? false,
        is_incumbent: is_incumbent ?? false,
      })
    })
  const drivers =
    record.drivers &&
    record.drivers.map(readDriver).map(({ reason, positive, summary }, at) => {
      const reason_id = checking.reference(`drivers[${at}].reason`, "reason", reason)
      return () => ({ reason_id: reason_id(), positive: positive ?? null, summary: summary ?? null })
    })
  const metrics = namedValues(checking, "custom_metrics", "metric", record.custom_metrics)
  const answers = namedValues(checking, "custom_answers", "answer", record.custom_answers)
  const crm_properties = mergeProperties(
    checking,
    session.properties,
    "deal",
    before?.crm_properties ?? {},
    record.crm_properties,
    session,
  )
  /** The given value, else the stored one; `none` if there is neither, or if null clears it. */
  const kept = <T>(given: NoInfer<T> | null | undefined, old: T | undefined, none: NoInfer<T>): T =>
    given === undefined ? (old ?? none) : (given ?? none)

  return () => {
    const status_id = status()
    return {
      id,
      name: name ?? "",
      crm_one_id: keptCrmId(before?.crm_one_id, record.crm_one_id),
      crm_two_id: keptCrmId(before?.crm_two_id, record.crm_two_id),
      ...importedColumns(record, before),
      status_id,
      previous_status_id: record.previous_status === undefined ? previousStage(before, status_id) : previous(),
      created_at: toInstant(record.created_at, session.zone) ?? before?.created_at ?? session.now,
      updated_at: toInstant(record.updated_at, session.zone) ?? before?.updated_at ?? session.now,
      owner_id: owner(),
      client_id: client(),
      ...scoreColumns(record.scorecard, before),
      summary: kept(
        typeof record.summary === "object" && record.summary !== null ? inSectionOrder(record.summary) : record.summary,
        before?.summary,
        null,
      ),
      crm_properties,
      custom_metrics: mergeNamed(before?.custom_metrics ?? {}, metrics, ({ score, explanation }) => ({
        score: score ?? null,
        explanation: explanation ?? null,
      })),
      custom_answers: mergeNamed(before?.custom_answers ?? {}, answers, (text) => text),
      collaborators: kept(collaborators && distinct(collaborators.map((each) => each())), before?.collaborators, []),
      product_labels: kept(
        record.product_labels && distinct(record.product_labels.map((label) => label.trim())),
        before?.product_labels,
        [],
      ),
      competitors: kept(competitors && mergeCompetitors(competitors.map((each) => each())), before?.competitors, []),
      drivers: kept(drivers && drivers.map((each) => each()), before?.drivers, []),
    }
  }
}
