import * as Effect from "effect/Effect"
import { Database } from "../storage/Database.ts"
import type { PlanContext } from "./plan/ImportPlan.ts"
import type { RecordType } from "./records.ts"
import { type Kind, Names } from "./write/Names.ts"

type DataType = "text" | "number" | "date" | "boolean"

/** Reads the settings of the workspace that the plan of an import needs. */
export const lookUpContext = Effect.fnUntraced(function* (org: string, type: RecordType) {
  const database = yield* Database
  const { sql } = database
  const [organization] = yield* database.scoped<{ readonly currency: string | null }>(
    org,
    sql`select currency from organizations where id = scope.org`,
  )
  const object = type === "client" ? "account" : "deal"
  const properties = yield* database.scoped<{ readonly id: string; readonly data_type: DataType }>(
    org,
    sql`select id, data_type from crm_properties where org_id = scope.org and object = ${object}`,
  )
  return {
    currency: organization?.currency ?? undefined,
    properties: new Map(properties.map(({ id, data_type }) => [id, data_type])),
  } satisfies PlanContext
})

/** The kinds of the names in fields that hold lists. */
const KINDS: Readonly<Record<string, Kind>> = { competitors: "competitor", collaborators: "owner", drivers: "reason" }

/** Those of the names that the workspace has for a field of lists. */
export const lookUpNames = Effect.fnUntraced(function* (org: string, field: string, given: ReadonlyArray<string>) {
  if (given.length === 0) return []
  const database = yield* Database
  const { sql } = database
  const kind = KINDS[field]
  if (kind !== undefined) {
    const names = new Names()
    for (const name of given) names.want(kind, "name", name)
    yield* database.transaction(org, names.load(sql, org))
    return given.filter((name) => names.find(kind, "name", name).length > 0)
  }
  if (field !== "product_labels") return []
  const rows = yield* database.scoped<{ readonly label: string }>(
    org,
    sql`select distinct label from deal_product_labels where org_id = scope.org and label = any(${[...given]}::text[])`,
  )
  return rows.map(({ label }) => label)
})
