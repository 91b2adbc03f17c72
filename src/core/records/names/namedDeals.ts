import { shorten } from "../../common/shorten.ts"
import * as Effect from "effect/Effect"
import { IMPORTED_NAMES } from "../../deals/columns/columns.ts"
import type { ImportRecord } from "../record.ts"
import { importedColumns } from "../columns.ts"
import type { DealRow } from "../dealRows.ts"
import { CRM_IDS } from "./matching.ts"
import { foldName, type Names } from "./Names.ts"
import { ambiguous, findId } from "./references.ts"
import type { Session } from "../Session.ts"

type Deal = ImportRecord<"deal">

/** Deals of one name and client that a record may mean. */
const MAX_SAME = 10_000
/** Those of them that are read, and compared with a record as a whole. */
const MAX_READ = 1000
const MAX_COMPARED = 50
/** Deals of one name with a client, for a record that has none. */
const MAX_OTHERS = 10

/** Whether only its name and client can say which deal a record is about. */
export const isNamedOnly = ({ id, crm_one_id, crm_two_id, name }: Deal): boolean =>
  id === undefined && crm_one_id == null && crm_two_id == null && name !== undefined

/** Whether a record has a name, and CRM ids that no deal has: it may be about a deal of the name and its client that has none. */
const hasNewIds = (names: Names, { id, name, ...ids }: Deal): boolean => {
  if (id !== undefined || name === undefined) return false
  const given = CRM_IDS.flatMap((by) => (ids[by] == null ? [] : [[by, ids[by].trim()] as const]))
  return given.length > 0 && given.every(([by, value]) => names.find("deal", by, value).length === 0)
}

/** Begins the keys of records with ids. */
const WITH_ID = "\n\n\n"
const HAS_NO_ID = CRM_IDS.map((by) => `${by} is null`).join(" and ")

/** The deals of one name and client that no other record of the file is about. */
interface Same {
  readonly name: string
  readonly ids: Array<string>
  readonly isCut: boolean
}

/** Deals of one key have the same name and client. */
export const sameKey = (client: string | null, folded: string) => `${client ?? ""}\n${folded}`

/** Finds the deals that the named records of a batch may mean: those of the same name and client, or of the same name if neither has one. */
export const loadSame = Effect.fnUntraced(function* (
  { sql, org, names, batch, store }: Session,
  records: ReadonlyArray<Deal>,
) {
  const groups = new Map<string, { readonly name: string; readonly folded: string; readonly client: string | null }>()
  const keyOf = (record: Deal): string | undefined => {
    const isNamed = isNamedOnly(record)
    if (!isNamed && (record.client == null || !hasNewIds(names, record))) return undefined
    const client = record.client == null ? null : findId(names, "client", record.client)
    // A client that does not exist yet has no deals.
    if (client === undefined) return undefined
    const name = record.name!.trim()
    const folded = foldName("deal", name)
    const key = `${isNamed ? "" : WITH_ID}${sameKey(client, folded)}`
    if (!groups.has(key)) groups.set(key, { name, folded, client })
    return key
  }
  const keys = withoutRivals(records.map(keyOf), records)
  const wanted = [...groups].map(([key, { folded, client }]) => ({ key, folded, client }))
  const named = wanted.filter(({ key }) => !key.startsWith(WITH_ID))
  const clientless = named.filter(({ client }) => client === null)
  const find = (condition: string, rows: typeof wanted) =>
    sql`select x.key, d.id, d.n from json_to_recordset(${JSON.stringify(rows)}::json) as x(key text, folded text, client text),
      lateral (select id, row_number() over (order by created_at, id) as n from deals
        where org_id = ${org} and folded = x.folded and ${sql.literal(condition)}
        order by created_at, id limit ${MAX_SAME}::int) d`
  const parts = [
    ["client_id = x.client", named.filter(({ client }) => client !== null)] as const,
    ["client_id is null", clientless] as const,
    [`client_id = x.client and ${HAS_NO_ID}`, wanted.filter(({ key }) => key.startsWith(WITH_ID))] as const,
  ].flatMap(([condition, rows]) => (rows.length === 0 ? [] : [find(condition, rows)]))
  const besides = records.map((record) => keyBesideClient(record) ?? keyBesideId(names, record))
  const findOthers = (condition: string, rows: ReadonlyArray<{ readonly key: string; readonly folded: string }>) =>
    sql`select x.key, d.id, d.n from json_to_recordset(${JSON.stringify(rows)}::json) as x(key text, folded text),
      lateral (select id, null::bigint as n from deals
        where org_id = ${org} and folded = x.folded and ${sql.literal(condition)}
        order by created_at, id limit ${MAX_OTHERS}::int) d`
  // Others of the name, in one look-up with those that a record may mean.
  if (clientless.length > 0) parts.push(findOthers("client_id is not null", clientless))
  for (const [prefix, condition] of [
    [BESIDE_CLIENT, "client_id is null"],
    [BESIDE_ID, HAS_NO_ID],
  ] as const) {
    const found = new Set(besides.flatMap((key) => (key?.startsWith(prefix) === true ? [key] : [])))
    const rows = [...found].map((key) => ({ key, folded: key.slice(prefix.length) }))
    if (rows.length > 0) parts.push(findOthers(condition, rows))
  }
  const all =
    parts.length === 0
      ? []
      : yield* sql<{ key: string; id: string; n: unknown }>`
          select key, id, n from (${parts.reduce((all, each) => sql`${all} union all ${each}`)}) f order by key, n`
  const found = all.filter(({ n }) => n !== null)
  const idsOf = Map.groupBy(found, ({ key }) => key)
  const others = all.filter(({ id, n }) => n === null && !store.hidesDeal(id) && !batch.hasTouched(id))
  const same = new Map<string, Same>(
    [...groups].map(([key, { name }]) => {
      const ids = (idsOf.get(key) ?? []).map(({ id }) => id).filter((id) => !store.hidesDeal(id))
      const isCut = ids.length + store.countSame(key) >= MAX_SAME
      return [key, { name, ids: ids.filter((id) => !batch.hasTouched(id)), isCut }]
    }),
  )
  const ofOthers = besides.map((key, n) => key ?? keys[n])
  return new NamedDeals(keys, same, ofOthers, new Set(others.map(({ key }) => key)))
})

/** Leaves out keys that records of different CRM ids have: each of them may be the deal of that name. */
const withoutRivals = (keys: ReadonlyArray<string | undefined>, records: ReadonlyArray<Deal>) => {
  const idsOf = new Map<string, Set<string>>()
  for (const [n, key] of keys.entries()) {
    if (key?.startsWith(WITH_ID) !== true) continue
    const ids = idsOf.get(key) ?? new Set()
    idsOf.set(key, ids.add(CRM_IDS.map((by) => records[n]![by] ?? "").join("\n")))
  }
  return keys.map((key) => ((idsOf.get(key ?? "")?.size ?? 0) > 1 ? undefined : key))
}

/** Begins the keys of names that records have with a client, and perhaps deals without one. */
const BESIDE_CLIENT = "client\n"
/** Begins the keys of names that records have with an id and no client, and perhaps deals without an id. */
const BESIDE_ID = "id\n"

const keyBesideClient = (record: Deal): string | undefined =>
  isNamedOnly(record) && record.client != null ? `${BESIDE_CLIENT}${foldName("deal", record.name!.trim())}` : undefined

const keyBesideId = (names: Names, record: Deal): string | undefined =>
  record.client == null && hasNewIds(names, record) ? `${BESIDE_ID}${foldName("deal", record.name!.trim())}` : undefined

/** Whether the record would leave the deal as it is. */
type Leaves = (n: number, deal: DealRow) => boolean

/** Decides which deal each named record of a batch means. No two records of a file mean the same one. */
export class NamedDeals {
  readonly #keys: ReadonlyArray<string | undefined>
  readonly #same: ReadonlyMap<string, Same>
  readonly #chosen = new Map<number, string>()
  readonly #besides: ReadonlyArray<string | undefined>
  readonly #others: ReadonlySet<string>

  /** `besides`: the key of each record among `others`: of the deals of its name that have a client if it has none, or none if it has one. */
  constructor(
    keys: ReadonlyArray<string | undefined>,
    same: ReadonlyMap<string, Same>,
    besides: ReadonlyArray<string | undefined>,
    others: ReadonlySet<string>,
  ) {
    this.#keys = keys
    this.#besides = besides
    this.#others = others
    this.#same = same
  }

  /** Whether the record with this number has the name of a deal, and only one of both has a client or an id. */
  differsByClient(n: number): boolean {
    return this.#others.has(this.#besides[n] ?? "")
  }

  /** The deals to read. */
  get ids(): ReadonlyArray<string> {
    return [...this.#same.values()].flatMap(({ ids }) => ids.slice(0, MAX_READ))
  }

  /**
   * First gives records the deals that they leave as they are, so that importing a file again changes nothing, however many of its deals
   * share a name.
   */
  choose(records: ReadonlyArray<Deal>, rows: ReadonlyMap<string, DealRow>, leaves: Leaves): void {
    const counts = new Map<string, number>()
    for (const key of this.#keys) if (key !== undefined) counts.set(key, (counts.get(key) ?? 0) + 1)
    for (const [n, key] of this.#keys.entries()) {
      const same = key === undefined ? undefined : this.#same.get(key)
      if (same === undefined || same.ids.length === 0 || (same.ids.length === 1 && counts.get(key!) === 1)) continue
      const record = records[n]!
      let compared = 0
      for (const id of same.ids) {
        const deal = rows.get(id)
        if (deal === undefined || !isLike(record, deal)) continue
        if (++compared > MAX_COMPARED) break
        if (!leaves(n, deal)) continue
        this.#chosen.set(n, id)
        same.ids.splice(same.ids.indexOf(id), 1)
        break
      }
    }
  }

  /** The deal of the record with this number: undefined if it is a new one. Another record is never given the same. */
  take(n: number): { readonly id: string | undefined } | { readonly problem: string } {
    const key = this.#keys[n]
    const same = key === undefined ? undefined : this.#same.get(key)
    const chosen = this.#chosen.get(n)
    if (chosen !== undefined || same === undefined) return { id: chosen }
    const [id, ...others] = same.ids
    // A record that has an id of its own is a new deal where several may be meant.
    if (key!.startsWith(WITH_ID)) return { id: others.length === 0 ? id : undefined }
    if (others.length > 0) {
      return {
        problem: ambiguous(
          "deal",
          same.name,
          same.ids.map((each) => ({ id: each })),
        ),
      }
    }
    if (id === undefined && same.isCut) {
      return {
        problem: `must be given: more than ${MAX_SAME} deals of this client have the name '${shorten(same.name)}'`,
      }
    }
    same.ids.length = 0
    return { id }
  }
}

/** Whether the columns that the record gives have its values: cheaper than the whole comparison, which most deals then need not. */
const isLike = (record: Deal, deal: DealRow): boolean => {
  const given = importedColumns(record, deal)
  return IMPORTED_NAMES.every((name) => given[name] === deal[name])
}

/**
 * Warns of a deal that its name and client identify, because it or the other has no id, and that may be one that another record is about.
 * `isNewBeside`: it is new, and one of its name exists, where only one of both has a client.
 */
export const noticeSame = (
  { batch }: Session,
  line: number,
  record: Deal,
  { name, client_id }: DealRow,
  { isNew, isNewBeside }: { readonly isNew: boolean; readonly isNewBeside: boolean },
): void => {
  const notice = (code: "name_repeated" | "name_without_client", message: string) =>
    batch.notice(code, { field: "name", line, example: name, message })
  const key = sameKey(client_id, foldName("deal", name))
  const isNamed = isNamedOnly(record)
  const isBesideId = isNamed && batch.hasNamed(`${WITH_ID}${key}`)
  if (isBesideId || ((isNamed || isNew) && batch.hasNamed(key))) {
    const why = isNamed && !isBesideId ? "and no id" : "and only one of both has an id"
    notice(
      "name_repeated",
      `rows such as '${shorten(name)}' have the name and client of an earlier row, ${why}: each is a deal of its own, whose amount counts. If they are one deal, add a column with its id`,
    )
  }
  batch.named.add(isNamed ? key : `${WITH_ID}${key}`)
  if (!isNewBeside) return
  const message = !isNamed
    ? `rows such as '${shorten(name)}' have an id and no client, and are called like a deal that exists without an id, so that they are new deals: add the client, or give that deal its id first`
    : client_id === null
      ? `rows such as '${shorten(name)}' are called like a deal that exists with a client, and have none, so that they are new deals: add the client, or an id`
      : `rows such as '${shorten(name)}' have a client, and are called like a deal that exists without one, so that they are new deals: give that deal its client first, or add an id`
  notice("name_without_client", message)
}
