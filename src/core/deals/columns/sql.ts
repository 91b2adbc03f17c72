import { jsonArray, jsonObject, jsonObjectOf } from "../../storage/json.ts"
import { utc } from "../../storage/sql.ts"
import { COLUMNS, type ColumnName, type ComputedName, isStored, type StoredName } from "./columns.ts"
import { METRICS } from "./metrics.ts"

/** The SQL of a column over `deals d`. A structured column's value is JSON text. */
export interface ColumnSql {
  readonly value: string
  /** The column lists rows of the deal. A page reads the rows of all its deals at once. */
  readonly list?: DealList
  /** The column looks up one row by its key. An export of many deals joins it. */
  readonly isLookup?: true
  /** The column looks up a row of a table in which an organization has few rows. A page joins it too. */
  readonly isSmallLookup?: true
  /** The `timestamptz` behind a text value. An export reads it and formats it itself. */
  readonly instant?: string
}

/** Rows that belong to a deal, as a JSON array. */
interface DealList {
  /** The SQL of one row as JSON text. */
  readonly element: string
  readonly from: string
  /** The alias in `from` that has `org_id` and `deal_id`. */
  readonly alias: string
  readonly order: string
}

const list = (rows: DealList): ColumnSql => ({
  list: rows,
  value: `(select ${jsonArray(rows)} from ${rows.from} where ${rows.alias}.org_id = scope.org and ${rows.alias}.deal_id = d.id)`,
})

const lookup = (value: string): ColumnSql => ({ value, isLookup: true })

const selectName = (table: string, id: string): ColumnSql => ({
  ...lookup(`(select t.name from ${table} t where t.org_id = scope.org and t.id = d.${id})`),
  isSmallLookup: true,
})

/** A column of the deal's account. */
export const ofClient = (column: string) =>
  `(select c.${column} from clients c where c.org_id = scope.org and c.id = d.client_id)`

const COMPETITORS = "deal_competitors dc join competitors k on k.org_id = dc.org_id and k.id = dc.competitor_id"
const BY_COMPETITOR = 'k.name collate "C", k.id collate "C"'

const competitors = (members: Readonly<Record<string, string>>): ColumnSql =>
  list({
    element: jsonObject({ ...members, is_primary: "dc.is_primary", is_incumbent: "dc.is_incumbent" }),
    from: COMPETITORS,
    alias: "dc",
    order: `dc.is_primary desc, ${BY_COMPETITOR}`,
  })

const idAndName = (alias: string) => jsonObject({ id: `${alias}.id`, name: `${alias}.name` })

/** Columns whose SQL depends on the workspace: see `selectSegments`. */
type Workspace = "segments"
export type FixedName = Exclude<ColumnName, Workspace>

/** The SQL of the other computed columns. */
const COMPUTED: Readonly<Record<Exclude<ComputedName, Workspace>, ColumnSql>> = {
  deal_competitor_associations: competitors({ competitor_id: "k.id", competitor_name: "k.name" }),
  competitors: competitors({ id: "k.id", name: "k.name" }),
  primary_competitor: {
    value: `(select ${idAndName("k")} from ${COMPETITORS}
      where dc.org_id = scope.org and dc.deal_id = d.id and dc.is_primary order by ${BY_COMPETITOR} limit 1)`,
  },
  drivers: list({
    element: jsonObject({
      reason_id: "r.id",
      name: "r.name",
      category: "r.category",
      positive: "dd.positive",
      summary: "dd.summary",
    }),
    from: "deal_drivers dd join reasons r on r.org_id = dd.org_id and r.id = dd.reason_id",
    alias: "dd",
    order: "dd.position",
  }),
  features: list({
    element: jsonObject({
      feature_id: "f.id",
      name: "f.name",
      product: "f.product",
      product_area: "f.product_area",
      sentiment: "a.sentiment",
      influence_summary: "a.influence_summary",
      tags: "a.tags",
    }),
    from: "associations a join features f on f.org_id = a.org_id and f.id = a.feature_id",
    alias: "a",
    order: 'a.created_at, a.id collate "C"',
  }),
  product_labels: list({
    element: "to_json(l.label)::text",
    from: "deal_product_labels l",
    alias: "l",
    order: 'l.label collate "C"',
  }),
  collaborators: list({
    element: idAndName("w"),
    from: "deal_collaborators dw join owners w on w.org_id = dw.org_id and w.id = dw.owner_id",
    alias: "dw",
    order: 'w.name collate "C", w.id collate "C"',
  }),
  deal_status: selectName("stages", "status_id"),
  owner_name: selectName("owners", "owner_id"),
  client_name: lookup(ofClient("name")),
  industry: lookup(ofClient("industry")),
  website_url: lookup(ofClient("website_url")),
  scorecard: {
    value: jsonObjectOf(
      Object.fromEntries(
        METRICS.map((metric) => [
          metric,
          jsonObject({ score: `d.wl_${metric}_score`, explanation: `d.wl_${metric}_explanation` }),
        ]),
      ),
    ),
  },
}

const storedSql = (name: StoredName): ColumnSql => {
  switch (COLUMNS[name].stored) {
    case "timestamptz":
      return { value: utc(`d.${name}`), instant: `d.${name}` }
    case "json":
      return { value: `d.${name}::text` }
    default:
      return { value: `d.${name}` }
  }
}

export const columnSql = (name: FixedName): ColumnSql => (isStored(name) ? storedSql(name) : COMPUTED[name])
