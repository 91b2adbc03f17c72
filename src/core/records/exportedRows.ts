import * as Effect from "effect/Effect"
import { makeIdUnsafe } from "../common/ids.ts"
import type { AssociationRow } from "../intelligence/writing.ts"
import type { Entry, ExportedRow } from "./entry.ts"
import type { ImportRecord } from "./record.ts"
import { byText, type DealRow } from "./dealRows.ts"
import type { CreatedName } from "./names/kinds.ts"
import { isSame } from "./isSame.ts"
import { foldName, type Names } from "./names/Names.ts"
import { type Checking, wantReference } from "./names/references.ts"
import type { Session } from "./Session.ts"

type Deal = ImportRecord<"deal">

/** Looks up what the row of an export names besides its deal's record. */
export const wantExported = (names: Names, { features, previousStage }: ExportedRow): void => {
  for (const { feature_id: id, name } of features ?? []) wantReference(names, "feature", { id, name })
  wantReference(names, "stage", previousStage)
}

/** A workbook has times in whole seconds. */
const SECOND_MS = 1000

/**
 * Completes the record of an export's row. The previous stage counts if it is another than the deal has: otherwise a change of the stage
 * decides. One that the file does not name and the workspace does not have is left out.
 */
export const withExported = (
  checking: Checking,
  names: Names,
  record: Deal,
  { previousStage, hasWholeSeconds }: ExportedRow,
  before: DealRow | undefined,
): Deal => {
  const { created_at } = record
  const isSameSecond =
    hasWholeSeconds === true &&
    before !== undefined &&
    created_at !== undefined &&
    Math.abs(Date.parse(created_at) - Date.parse(before.created_at)) < SECOND_MS
  const given = isSameSecond ? { ...record, created_at: before.created_at } : record
  if (previousStage === undefined || (before?.previous_status_id ?? null) === (previousStage?.id ?? null)) return given
  if (
    previousStage !== null &&
    previousStage.name === undefined &&
    names.find("stage", "id", previousStage.id).length === 0
  ) {
    checking.noticeUnnamed("previous_status", previousStage.id)
    return given
  }
  return { ...given, previous_status: previousStage as Deal["previous_status"] }
}

interface Shown {
  readonly feature_id: string
  readonly sentiment: boolean | null
  readonly influence_summary: string | null
  readonly tags: ReadonlyArray<string>
}

/** Checks the features of a deal. The function that it returns gives their rows, and is called only if the record is valid. */
export const checkFeatures = (
  checking: Checking,
  features: NonNullable<ExportedRow["features"]>,
): (() => ReadonlyArray<Shown>) => {
  const checked = features.map(({ feature_id: id, name, sentiment, influence_summary, tags }, at) => {
    const feature = checking.reference(`features[${at}].feature`, "feature", { id, name })
    return () => ({ feature_id: feature(), sentiment, influence_summary, tags })
  })
  return () => checked.map((each) => each())
}

/** Gives names that the batch creates the columns that rows of an export show of them. */
export const describeCreated = (created: Array<CreatedName>, entries: ReadonlyArray<Entry>): void => {
  if (created.length === 0 || !entries.some(({ exported }) => exported !== undefined)) return
  const shown = new Map<string, CreatedName["columns"]>()
  for (const { exported } of entries) {
    for (const { kind, key, columns } of exported?.things ?? []) {
      shown.set(`${kind} ${kind === "client" ? foldName(kind, key) : key}`, columns)
    }
  }
  for (const [index, each] of created.entries()) {
    const { kind, id, name } = each
    const columns = shown.get(`${kind} ${kind === "client" ? foldName(kind, name) : id}`)
    if (columns !== undefined) created[index] = { ...each, columns }
  }
}

/** The features of deals as an export shows them: without ids and times of their associations, oldest first. */
export class FeaturesOfDeals {
  readonly #deals = new Map<
    string,
    { readonly line: number; readonly createdAt: string; readonly shown: ReadonlyArray<Shown> }
  >()

  set({ id, created_at }: DealRow, line: number, shown: ReadonlyArray<Shown>): void {
    this.#deals.set(id, { line, createdAt: created_at, shown })
  }

  /**
   * Writes those that differ, once the deals are stored. Of a feature's associations, the oldest is the one that is shown first, and keeps
   * its time; a new one has the earliest time that it can have, that of its deal. Deletes none. Returns the lines that changed something.
   */
  readonly write = Effect.fnUntraced(function* (this: FeaturesOfDeals, session: Session) {
    const lines = new Set<number>()
    if (this.#deals.size === 0) return lines
    const stored = yield* session.store.associations([], [...this.#deals.keys()])
    const ordered = stored.toSorted((a, b) => byText(a.created_at, b.created_at) || byText(a.id, b.id))
    const ofDeal = Map.groupBy(ordered, ({ deal_id }) => deal_id)
    const changed: Array<AssociationRow> = []
    for (const [deal_id, { line, createdAt, shown }] of this.#deals) {
      const left = [...(ofDeal.get(deal_id) ?? [])]
      for (const [n, each] of shown.entries()) {
        const at = left.findIndex(({ feature_id }) => feature_id === each.feature_id)
        const [before] = at === -1 ? [] : left.splice(at, 1)
        const after: AssociationRow = {
          id: before?.id ?? makeIdUnsafe("asc"),
          deal_id,
          created_at: before?.created_at ?? new Date(Date.parse(createdAt) + n).toISOString(),
          ...each,
        }
        if (before !== undefined && isSame(before, after)) continue
        changed.push(after)
        lines.add(line)
      }
    }
    if (changed.length > 0) yield* session.store.putAssociations(session, { found: stored, changed, deleted: [] })
    return lines
  })
}
