import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { COLUMNS, STORED_NAMES, type StoredName, type StoredType } from "../deals/columns/columns.ts"
import { renderStored } from "../deals/rows/stored.ts"
import { deleteAssociations } from "../intelligence/writing.ts"
import { deleteDocuments } from "../library/removal.ts"
import { deleteMarks, forgetRecords, lockMarks } from "../search/writing.ts"
import { foldedNames, foldedValues } from "../storage/foldedColumns.ts"
import { inOrder } from "../storage/inOrder.ts"
import { ensureFeed, insertSelected, recordDeleted, recordWritten } from "../storage/recordChanges.ts"
import { utc } from "../storage/sql.ts"
import type { History } from "./History.ts"

interface DealCompetitor {
  readonly competitor_id: string
  readonly is_primary: boolean
  readonly is_incumbent: boolean
}
interface DealDriver {
  readonly reason_id: string
  readonly positive: boolean | null
  readonly summary: string | null
}

/** The value of a stored column in a row read from the database. */
type Value<T extends StoredType> = {
  readonly text: string | null
  readonly float8: number | null
  readonly boolean: boolean
  readonly date: string | null
  readonly timestamptz: string
  readonly json: unknown
}[T]

/** A stored deal with its linked rows. Times are ISO 8601 in UTC; sets are sorted. */
export interface DealRow extends Readonly<{
  [K in Exclude<StoredName, "id" | "name">]: Value<(typeof COLUMNS)[K]["stored"]>
}> {
  readonly id: string
  readonly name: string
  readonly client_id: string | null
  readonly crm_properties: Readonly<Record<string, string | number | boolean | null>>
  readonly custom_metrics: Readonly<
    Record<string, { readonly score: number | null; readonly explanation: string | null }>
  >
  readonly custom_answers: Readonly<Record<string, string>>
  readonly collaborators: ReadonlyArray<string>
  readonly product_labels: ReadonlyArray<string>
  readonly competitors: ReadonlyArray<DealCompetitor>
  readonly drivers: ReadonlyArray<DealDriver>
}

/** The columns of `deals` that an import writes, and their types. */
const DEAL_COLUMNS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(STORED_NAMES.map((name) => [name, COLUMNS[name].stored])),
  client_id: "text",
  crm_properties: "jsonb",
  custom_metrics: "jsonb",
  custom_answers: "jsonb",
}

/** Compares by UTF-16 unit. Both sides of a comparison must use the same order; which one does not matter. */
export const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

const READ = Object.entries(DEAL_COLUMNS)
  .map(([name, type]) =>
    type === "timestamptz"
      ? `${utc(`d.${name}`)} as ${name}`
      : type === "date"
        ? `d.${name}::text as ${name}`
        : `d.${name}`,
  )
  .join(", ")

const list = (element: string, table: string, order = "") =>
  `coalesce((select json_agg(${element} ${order}) from ${table} l where l.org_id = scope.org and l.deal_id = d.id), '[]')`

const LISTS = `
  ${list("l.owner_id", "deal_collaborators")} as collaborators,
  ${list("l.label", "deal_product_labels")} as product_labels,
  ${list("json_build_object('competitor_id', l.competitor_id, 'is_primary', l.is_primary, 'is_incumbent', l.is_incumbent)", "deal_competitors")} as competitors,
  ${list("json_build_object('reason_id', l.reason_id, 'positive', l.positive, 'summary', l.summary)", "deal_drivers", "order by l.position")} as drivers`

/** Reads deals with their lists. `lock` ends the statement. */
export const readDeals = (sql: SqlClient, org: string, ids: ReadonlyArray<string>, lock: string) =>
  Effect.map(
    sql<DealRow>`select ${sql.literal(READ)}, ${sql.literal(LISTS)} from (select ${org}::text as org) scope, deals d
      where d.org_id = scope.org and d.id = any(${[...ids]}::text[]) order by d.id ${sql.literal(lock)}`,
    (rows) =>
      rows.map((row): DealRow => ({
        ...row,
        collaborators: [...row.collaborators].sort(byText),
        product_labels: [...row.product_labels].sort(byText),
        competitors: [...row.competitors].sort((a, b) => byText(a.competitor_id, b.competitor_id)),
      })),
  )

/** The columns of `deals` that a row has. */
export const COLUMN_NAMES = Object.keys(DEAL_COLUMNS) as ReadonlyArray<Exclude<keyof DealRow, Link>>
const written = [...COLUMN_NAMES, ...foldedNames("deals")]
const UPSERT = {
  columns: written.join(", "),
  values: written.map((name) => `x.${name}`).join(", "),
  typed: written.map((name) => `${name} ${DEAL_COLUMNS[name] ?? "text"}`).join(", "),
  set: written
    .slice(1)
    .map((name) => `${name} = excluded.${name}`)
    .join(", "),
}

/** The values of `DEAL_COLUMNS` without nulls, which are most of them: an omitted field is null to `json_to_recordset`. */
const makeValues = (row: DealRow) => {
  const values: Record<string, unknown> = foldedValues("deals", row)
  for (const name of COLUMN_NAMES) {
    const value = row[name]
    if (value !== null) values[name] = value
  }
  return values
}

/** The tables linked to a deal: their columns, and the rows of one deal. */
const LINKS = {
  collaborators: {
    table: "deal_collaborators",
    columns: { owner_id: "text" },
    rows: (deal: DealRow) => deal.collaborators.map((owner_id) => ({ owner_id })),
  },
  product_labels: {
    table: "deal_product_labels",
    columns: { label: "text", folded_label: "text" },
    rows: (deal: DealRow) =>
      deal.product_labels.map((label) => ({ label, ...foldedValues("deal_product_labels", { label }) })),
  },
  competitors: {
    table: "deal_competitors",
    columns: { competitor_id: "text", is_primary: "boolean", is_incumbent: "boolean" },
    rows: (deal: DealRow) => deal.competitors,
  },
  drivers: {
    table: "deal_drivers",
    columns: { position: "int", reason_id: "text", positive: "boolean", summary: "text" },
    rows: (deal: DealRow) => deal.drivers.map((driver, position) => ({ position, ...driver })),
  },
} as const
export type Link = keyof typeof LINKS
export const LINK_NAMES = Object.keys(LINKS) as ReadonlyArray<Link>

export interface ChangedDeal {
  readonly row: DealRow
  readonly isNew: boolean
  /** The lists that changed. */
  readonly links: ReadonlySet<Link>
}

/** Writes whole deals, their changed lists and history, and their JSON. A change of a linked row counts as a change of the deal. */
export const writeDealRows = Effect.fnUntraced(function* (
  sql: SqlClient,
  org: string,
  deals: ReadonlyArray<ChangedDeal>,
  history: History,
) {
  if (deals.length === 0) return
  const ids = deals.map(({ row }) => row.id)
  yield* ensureFeed(sql, org)
  yield* inOrder([
    upsertDeals(sql, org, deals),
    ...LINK_NAMES.flatMap((link) => [deleteLinks(sql, org, link, deals), insertLinks(sql, org, link, deals)]),
    ...history.writes(sql, org),
    // Without statistics on the first deals, the planner joins their lists in nested loops, which takes seconds. Citus passes on
    // `set local` to the worker that plans the joins, but not `set_config`.
    sql`set local enable_nestloop = off`,
    renderStored(sql, org, ids),
  ])
  yield* recordWritten("deal", ids)
})

const upsertDeals = (sql: SqlClient, org: string, deals: ReadonlyArray<ChangedDeal>) =>
  insertSelected(
    sql,
    org,
    (home) => sql`insert into deals (org_id, ${sql.literal(UPSERT.columns)})
      select ${home.org}, ${sql.literal(UPSERT.values)}
      from ${home.from}json_to_recordset(${JSON.stringify(deals.map(({ row }) => makeValues(row)))}::json) as x(${sql.literal(UPSERT.typed)})
      ${home.where}
      on conflict (org_id, id) do update set ${sql.literal(UPSERT.set)}`,
  )

const deleteLinks = (sql: SqlClient, org: string, link: Link, deals: ReadonlyArray<ChangedDeal>) => {
  const ids = deals.filter(({ isNew, links }) => !isNew && links.has(link)).map(({ row }) => row.id)
  if (ids.length === 0) return Effect.void
  return sql`delete from ${sql.literal(LINKS[link].table)} where org_id = ${org} and deal_id = any(${ids}::text[])`
}

const insertLinks = (sql: SqlClient, org: string, link: Link, deals: ReadonlyArray<ChangedDeal>) =>
  Effect.suspend(() => {
    const { table, columns, rows } = LINKS[link]
    const fresh = deals
      .filter(({ links }) => links.has(link))
      .flatMap(({ row }) => rows(row).map((each) => ({ deal_id: row.id, ...each })))
    if (fresh.length === 0) return Effect.void
    const typed = Object.entries({ deal_id: "text", ...columns })
    return insertSelected(
      sql,
      org,
      (home) => sql`insert into ${sql.literal(table)} (org_id, ${sql.literal(typed.map(([name]) => name).join(", "))})
        select ${home.org}, ${sql.literal(typed.map(([name]) => `x.${name}`).join(", "))}
        from ${home.from}json_to_recordset(${JSON.stringify(fresh)}::json)
          as x(${sql.literal(typed.map(([name, type]) => `${name} ${type}`).join(", "))}) ${home.where}`,
    )
  })

/** From here on, no transaction can attach a document to the deals. */
export const lockDealsToDelete = Effect.fnUntraced(function* (sql: SqlClient, org: string, ids: ReadonlyArray<string>) {
  yield* lockMarks(sql, org, ids)
  yield* sql`select from deals where org_id = ${org} and id = any(${[...ids]}::text[]) order by id for update`
})

/** Deletes deals with all linked rows. Returns the ids of their documents. */
export const deleteDealRows = Effect.fnUntraced(function* (
  { sql, org }: { readonly sql: SqlClient; readonly org: string },
  ids: ReadonlyArray<string>,
) {
  if (ids.length === 0) return []
  const list = sql`${[...ids]}::text[]`
  yield* lockDealsToDelete(sql, org, ids)
  const attached = yield* sql<{ id: string }>`
    select id from documents where org_id = ${org} and deal_id = any(${list})`
  const documents = yield* deleteDocuments(
    sql,
    org,
    attached.map(({ id }) => id),
  )
  yield* deleteAssociations(sql, org, ids)
  yield* forgetRecords(sql, org, ids)
  yield* sql`delete from deals where org_id = ${org} and id = any(${list})`
  yield* recordDeleted("deal", ids)
  yield* deleteMarks(sql, org, ids)
  return documents
})
