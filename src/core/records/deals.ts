import * as Effect from "effect/Effect"
import { yieldIfDue } from "../common/inSlices.ts"
import { shorten } from "../common/shorten.ts"
import { isSame } from "./isSame.ts"
import { type ChangedDeal, type DealRow, type Link, LINK_NAMES } from "./dealRows.ts"
import type { Entry } from "./entry.ts"
import {
  findCandidates,
  match,
  matchedBy,
  noticeOtherDeal,
  noticeReuse,
  register,
  unregister,
} from "./names/matching.ts"
import { loadSame, noticeSame } from "./names/namedDeals.ts"
import { checkFeatures, describeCreated, FeaturesOfDeals, withExported } from "./exportedRows.ts"
import { mergeDeal, wantDeal } from "./mergeDeal.ts"
import { toInstant } from "./values/instant.ts"
import type { ImportRecord } from "./record.ts"
import { Checking } from "./names/references.ts"
import { type Arranged, arrangeRows, LISTS } from "./repeats/joinRows.ts"
import { outcomesOfRows, Repeats, nameResult, rowsAlone, type Turn, findTurn, withLists } from "./repeats/Repeats.ts"
import { History } from "./History.ts"
import { type Base, insertCreated, openSession, type RecordOutcome, type Session } from "./Session.ts"

type Deal = ImportRecord<"deal">

/** Writes a batch of deals. */
export const writeDeals = Effect.fnUntraced(function* (base: Base, entries: ReadonlyArray<Entry<"deal">>) {
  const session = yield* openSession(base, entries, wantDeal)
  const { sql, org, names, store } = session
  const records = entries.map(({ record }) => record)
  const named = yield* loadSame(session, records)
  const ids = [...new Set([...findCandidates(names, "deal", records), ...named.ids])]
  const found = ids.length === 0 ? [] : yield* store.deals(ids)
  const rows = new Map(found.map((row) => [row.id, row]))
  named.choose(records, rows, (n, deal) => leaves(session, entries[n]!, deal))
  const history = new History(session.now)
  yield* history.load(sql, org, ids)
  const batch = new DealBatch(session, named, rows, ids, history)
  const queue = [...arrangeRows(base.state.isTable, entries, batch.timeOf)]
  for (const row of queue) {
    yield* yieldIfDue
    queue.push(...batch.write(row))
  }
  describeCreated(names.created, entries)
  yield* insertCreated(session)
  yield* batch.repeats.end()
  const { deleted, changed } = batch
  yield* store.putDeals(session, { found, deleted: [...deleted], changed: [...changed.values()], history })
  const changedLines = yield* batch.features.write(session)
  return batch.outcomes.map((each): RecordOutcome => {
    const isUnchanged = "result" in each && each.result === "unchanged"
    return isUnchanged && changedLines.has(each.line) ? { line: each.line, result: "updated" } : each
  })
})

/** The deals of a batch as its rows leave them, one after the other. */
class DealBatch {
  readonly changed = new Map<string, ChangedDeal>()
  readonly deleted = new Set<string>()
  readonly outcomes: Array<RecordOutcome> = []
  readonly features = new FeaturesOfDeals()
  readonly repeats: Repeats
  readonly #session: Session
  readonly #named: Effect.Success<ReturnType<typeof loadSame>>
  readonly #rows: Map<string, DealRow>
  readonly #stored: Set<string>
  readonly #history: History

  constructor(
    session: Session,
    named: Effect.Success<ReturnType<typeof loadSame>>,
    rows: Map<string, DealRow>,
    stored: ReadonlyArray<string>,
    history: History,
  ) {
    this.#session = session
    this.#named = named
    this.#rows = rows
    this.#stored = new Set(stored)
    this.#history = history
    this.repeats = new Repeats(session)
  }

  readonly timeOf = ({ updated_at }: Deal) => toInstant(updated_at, this.#session.zone)

  /** Writes a row. Returns the rows that it joins if each must be written alone. */
  write(arranged: Arranged<"deal">): ReadonlyArray<Arranged<"deal">> {
    const { n, entry, joined } = arranged
    const { line, mustExist, exported } = entry
    const { names } = this.#session
    const checking = new Checking(this.#session, line)
    const byName = this.#named.take(n)
    if ("problem" in byName) checking.problem("name", byName.problem)
    const id = match(checking, names, "deal", entry.record, this.#rows, "id" in byName ? byName.id : undefined)
    const before = this.#rows.get(id)
    if (entry.record.deleted === true) this.#remove(entry, checking, id, before)
    else if (before === undefined && mustExist === true) this.outcomes.push({ line, result: "absent" })
    else {
      const whole =
        exported === undefined ? entry.record : withExported(checking, names, entry.record, exported, before)
      const record = before === undefined ? this.#nameNew(entry, whole) : whole
      const complete = mergeDeal(this.#session, checking, id, before, record)
      const shown = exported?.features && checkFeatures(checking, exported.features)
      if (checking.problems.length === 0) this.#put(arranged, checking, { id, before, record, complete, shown })
      // Each row alone, so that only bad ones fail.
      else if (joined !== undefined) return rowsAlone(joined)
      else this.outcomes.push({ line, problems: checking.problems })
    }
    return []
  }

  /** Names a new deal whose file has no names. */
  #nameNew({ line, newName }: Entry<"deal">, record: Deal): Deal {
    if (record.name !== undefined || newName === undefined) return record
    const message = `no column names the deals, so new ones are named after their client and close date, such as '${shorten(newName)}', and those that exist keep their names. Map a column to 'name' if one has the names`
    this.#session.state.notices.add("deal_named", { field: "name", line, example: newName, message })
    return { ...record, name: newName }
  }

  #remove({ line, record }: Entry<"deal">, { problems }: Checking, id: string, before: DealRow | undefined): void {
    if (problems.length > 0) return void this.outcomes.push({ line, problems })
    if (before === undefined) return void this.outcomes.push({ line, result: "absent" })
    unregister(this.#session.names, "deal", before)
    this.#rows.delete(id)
    this.changed.delete(id)
    this.#history.forget(id)
    if (this.#stored.delete(id)) this.deleted.add(id)
    this.#session.store.show?.(line, record, before, undefined)
    this.outcomes.push({ line, result: "deleted" })
  }

  #put(
    { n, entry, joined, newest }: Arranged<"deal">,
    checking: Checking,
    { id, before, record, complete, shown }: MergedDeal,
  ): void {
    const { batch, names, state } = this.#session
    const { line } = entry
    noticeReuse(checking, "deal", record, before)
    if (before !== undefined) batch.match(matchedBy(names, "deal", record, id))
    const turn = turnOfRow(this.#session, entry, id, before, this.timeOf, newest)
    const other = turn === "skip" || turn === "replace" ? before?.updated_at : undefined
    if (newest !== undefined || other !== undefined)
      this.repeats.noticeNewest(line, record, this.timeOf(record), newest ?? other)
    if (turn === "skip") return void this.outcomes.push({ line, result: "unchanged" })
    this.repeats.noticeJoined(joined)
    const after = turn === "join" ? withLists(before!, complete()) : complete()
    if (entry.exported === undefined) noticeOtherDeal(checking, record, before, after)
    batch.touched.add(id)
    if (state.isTable && record.updated_at !== undefined) batch.dated.add(id)
    if (turn === "join") {
      this.repeats.noticeGrown(line, record, before!, after)
      this.repeats.compareRow(true, line, record, before!, after)
    }
    const isNew = before === undefined
    noticeSame(this.#session, line, record, after, { isNew, isNewBeside: isNew && this.#named.differsByClient(n) })
    if (shown !== undefined) this.features.set(after, line, shown())
    const result = nameResult(before, after)
    this.outcomes.push({ line, result }, ...outcomesOfRows(joined, line, result))
    if (result !== "unchanged") this.#change(line, record, before, after)
  }

  #change(line: number, record: Deal, before: DealRow | undefined, after: DealRow): void {
    const { names, now, store, zone } = this.#session
    const { id } = after
    const row = record.updated_at === undefined ? { ...after, updated_at: now } : after
    register(names, "deal", before, row)
    this.#rows.set(id, row)
    this.#history.add(before, row, toInstant(record.updated_at, zone))
    const links = new Set([
      ...(this.changed.get(id)?.links ?? []),
      ...LINK_NAMES.filter((link) => differs(link, before, row)),
    ])
    this.changed.delete(id)
    this.changed.set(id, { row, isNew: !this.#stored.has(id), links })
    store.show?.(line, record, before, row)
  }
}

/** A row that is right, with the deal that it makes of the one before. */
interface MergedDeal {
  readonly id: string
  readonly before: DealRow | undefined
  readonly record: Deal
  readonly complete: () => DealRow
  readonly shown: ReturnType<typeof checkFeatures> | undefined
}

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
  const complete = mergeDeal(session, checking, deal.id, deal, record)
  return checking.problems.length === 0 && !checking.wouldCreate && isSame(deal, complete())
}

const differs = (link: Link, before: DealRow | undefined, after: DealRow): boolean =>
  before === undefined ? after[link].length > 0 : !isSame(before[link], after[link])
