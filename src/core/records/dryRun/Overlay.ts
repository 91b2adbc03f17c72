import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { CrmProperty } from "../../deals/names/properties.ts"
import { type AssociationRow, readAssociations } from "../../intelligence/writing.ts"
import { readRegistered } from "../crmProperties.ts"
import { byText, type DealRow, readDeals } from "../dealRows.ts"
import { namedRow } from "../entityRows.ts"
import type { Examples } from "./Examples.ts"
import { hash } from "../IdSet.ts"
import { MAX_COMPARED_NAMES } from "../ImportState.ts"
import { sameKey } from "../names/namedDeals.ts"
import { type By, foldName, keyOf, type Match, Names, type NamesOver } from "../names/Names.ts"
import { type EntityType, type Kind, TABLES } from "../names/kinds.ts"
import { OverlayIndex } from "./OverlayIndex.ts"
import { copyOf, Rows } from "./Rows.ts"
import { Needs } from "../names/needs.ts"
import { isNamedInSegments, type Renamed, replaceOldNames, type Segment } from "../names/segmentNames.ts"
import { databaseStore, readEntities, readProperties } from "../Store.ts"
import type { Store, EntityRow } from "../Session.ts"

/** Characters of rows that a dry run keeps in memory. */
export const MAX_CHARACTERS = 128 * 1024 * 1024

const keyOfProperty = ({ crm, object, id }: CrmProperty) => `${crm} ${object} ${id}`

/** The rows that an import would have written so far, in memory over those of the database. */
export class Overlay implements NamesOver {
  readonly #rows = new Map<Kind, Rows<EntityRow>>()
  readonly #deals = new Rows<DealRow>()
  readonly #associations = new Rows<AssociationRow>()
  readonly #properties = new Map<string, CrmProperty>()
  readonly #index = new OverlayIndex()
  /** Deals whose stored associations are gone, even if a later record creates the deal again. */
  readonly #deletedDeals = new Set<string>()
  /** How many deals of the file have the name and client of a key, by its hash. */
  readonly #same = new Map<number, number>()
  readonly examples: Examples
  readonly needs = new Needs()

  constructor(examples: Examples) {
    this.examples = examples
  }

  /** Whether it holds more than it may. */
  get isFull(): boolean {
    const rows = [...this.#rows.values(), this.#deals, this.#associations]
    return rows.reduce((sum, { size }) => sum + size, 0) > MAX_CHARACTERS
  }

  hides(kind: Kind, id: string): boolean {
    return this.#rowsOf(kind).has(id)
  }

  use(kind: Kind, by: By, match: Match): void {
    this.needs.add(kind, by, match)
  }

  find(kind: Kind, by: By, key: string) {
    const found = by === "id" ? [{ id: key, age: 0 }] : this.#index.find(kind, by, key)
    return found.flatMap((each) => {
      const row = this.#rowsOf(kind).get(each.id)
      return row === undefined ? [] : [{ ...each, written: String(row[by === "id" ? "name" : by]) }]
    })
  }

  #rowsOf(kind: Kind): Rows<EntityRow> {
    if (kind === "deal") return this.#deals as unknown as Rows<EntityRow>
    let rows = this.#rows.get(kind)
    if (rows === undefined) this.#rows.set(kind, (rows = new Rows()))
    return rows
  }

  #put(kind: Kind, row: EntityRow): void {
    this.#index.put(kind, this.#rowsOf(kind).get(row.id), row)
    this.#rowsOf(kind).put(row)
  }

  #putDeal(row: DealRow): void {
    this.#countSame(row.id, -1)
    this.#put("deal", row as unknown as EntityRow)
    this.#countSame(row.id, 1)
  }

  #deleteDeal(id: string): void {
    this.#countSame(id, -1)
    this.#index.remove("deal", this.#rowsOf("deal").get(id))
    this.#deals.delete(id)
    this.#deletedDeals.add(copyOf(id))
  }

  #countSame(id: string, by: 1 | -1): void {
    const row = this.#deals.get(id)
    if (row === undefined) return
    const key = hash(sameKey(row.client_id, foldName("deal", row.name)))
    this.#same.set(key, (this.#same.get(key) ?? 0) + by)
  }

  /** Stored rows that the file leaves alone, and those that it would write. */
  #over<Row extends { readonly id: string }>(
    rows: Rows<Row>,
    ids: ReadonlyArray<string>,
    read: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Row>, SqlError>,
  ) {
    const stored = ids.filter((id) => !rows.has(id))
    return Effect.map(stored.length === 0 ? Effect.succeed([]) : read(stored), (found) => [...found, ...rows.all(ids)])
  }

  readonly #renameInSegments = Effect.fnUntraced(function* (
    this: Overlay,
    sql: SqlClient,
    org: string,
    kind: EntityType,
    renamed: ReadonlyArray<Renamed>,
  ) {
    if (!isNamedInSegments(kind) || renamed.length === 0) return
    const stored = yield* sql<{ id: string }>`select id from segments where org_id = ${org}`
    const segments = this.#rowsOf("segment")
    const ids = [...new Set([...stored.map(({ id }) => id), ...segments.ids()])]
    const all = yield* this.#over(segments, ids, (stored) => readEntities(sql, org, "segment", stored, ""))
    const names = new Names()
    for (const { from } of renamed) names.want(kind, "name", from)
    yield* names.load(sql, org, this)
    const still = renamed.filter(({ from }) => names.find(kind, "name", from).length > 0)
    const stillNamed = new Set(still.map(({ from }) => keyOf(kind, "name", from)))
    const changed = replaceOldNames(all as unknown as ReadonlyArray<EntityRow & Segment>, kind, renamed, stillNamed)
    for (const segment of changed) this.#put("segment", segment)
  })

  readonly #knownNames = Effect.fnUntraced(function* (this: Overlay, sql: SqlClient, org: string, kind: EntityType) {
    const stored = yield* sql<{ id: string; name: string }>`select id, name from ${sql.literal(TABLES[kind].table)}
      where org_id = ${org} order by folded limit ${MAX_COMPARED_NAMES}::int`
    const rows = this.#rowsOf(kind)
    const ours = rows.all(rows.ids())
    if (ours.length === 0) return stored.map(({ name }) => name)
    const all = [...stored.filter(({ id }) => !rows.has(id)), ...ours].map(({ name }) => [foldName(kind, name), name])
    return all
      .sort(([a], [b]) => byText(a!, b!))
      .slice(0, MAX_COMPARED_NAMES)
      .map(([, name]) => name!)
  })

  /** The same as `store` for what no record of the file says, and no example shows. */
  storeUnseen(sql: SqlClient, org: string): Store {
    return { ...this.store(sql, org), show: () => undefined }
  }

  /** Reads the database without locks, and writes here. */
  store(sql: SqlClient, org: string): Store {
    return {
      ...databaseStore(sql, org),
      names: (names) => names.load(sql, org, this),
      knownNames: (kind) => this.#knownNames(sql, org, kind),
      properties: Effect.map(readProperties(sql, org), (stored) => this.#withProperties(stored, () => true)),
      registered: (ids) =>
        Effect.map(readRegistered(sql, org, ids, ""), (stored) =>
          this.#withProperties(stored, ({ id }) => ids.includes(id)),
        ),
      deals: (ids) => this.#over(this.#deals, ids, (stored) => readDeals(sql, org, stored, "")),
      entities: (type, ids) =>
        Effect.tap(
          this.#over(this.#rowsOf(type), ids, (stored) => readEntities(sql, org, type, stored, "")),
          () => this.#index.readAges(sql, org, type, ids),
        ),
      associations: (ids, deals) =>
        Effect.map(readAssociations(sql, org, ids, deals, ""), (stored) => {
          const [wantedIds, wantedDeals] = [new Set(ids), new Set(deals)]
          const ours = new Set([...ids, ...deals.flatMap((deal) => [...this.#index.associationsOf(deal)])])
          const wanted = (row: AssociationRow) => wantedIds.has(row.id) || wantedDeals.has(row.deal_id)
          return [
            ...stored.filter(({ id, deal_id }) => !this.#associations.has(id) && !this.#deletedDeals.has(deal_id)),
            ...this.#associations.all(ours).filter(wanted),
          ]
        }),
      hidesDeal: (id) => this.#deals.has(id),
      countSame: (key) => this.#same.get(hash(key)) ?? 0,
      putNames: ({ state }, _, rows) =>
        Effect.sync(() => rows.forEach((row) => this.#put(row.kind, namedRow(state, row)))),
      putDeals: (_, { deleted, changed }) =>
        Effect.sync(() => {
          for (const id of deleted) this.#deleteDeal(id)
          for (const { row } of changed) this.#putDeal(row)
        }),
      putEntities: (_, type, { changed, renamed }) =>
        Effect.suspend(() => {
          for (const row of changed) this.#put(type, row)
          return this.#renameInSegments(sql, org, type, renamed)
        }),
      putAssociations: (_, { changed, deleted }) =>
        Effect.sync(() => {
          for (const id of deleted) this.#associations.delete(id)
          for (const row of changed) {
            this.#index.putAssociation(row)
            this.#associations.put(row)
          }
        }),
      putProperties: (_, rows) =>
        Effect.sync(() => rows.forEach((row) => this.#properties.set(keyOfProperty(row), row))),
      show: (...given) => this.examples.add(...given),
    }
  }

  #withProperties(stored: ReadonlyArray<CrmProperty>, isWanted: (property: CrmProperty) => boolean) {
    const ours = [...this.#properties.values()].filter(isWanted)
    if (ours.length === 0) return stored
    const all = [...stored.filter((each) => !this.#properties.has(keyOfProperty(each))), ...ours]
    return all.sort((a, b) => byText(keyOfProperty(a), keyOfProperty(b)))
  }
}
