import * as Effect from "effect/Effect"
import { fold } from "../common/fold.ts"
import { shorten } from "../common/shorten.ts"
import { DEFAULT_ZONE } from "../common/zone.ts"
import { Database } from "../storage/Database.ts"
import type { PlanContext } from "./plan/fields/ImportPlan.ts"
import type { Notices } from "../records/Notices.ts"
import type { StageCategory } from "../records/values/stageWords.ts"
import type { RecordType } from "../records/record.ts"
import { Names } from "../records/names/Names.ts"
import type { Kind } from "../records/names/kinds.ts"

type DataType = "text" | "number" | "date" | "boolean"

interface Property {
  readonly id: string
  readonly label: string | null
  readonly data_type: DataType
}

/** Reads the settings of the workspace that the plan of an import needs. */
export const lookUpContext = Effect.fnUntraced(function* (org: string, type: RecordType) {
  const database = yield* Database
  const { sql } = database
  const [organization] = yield* database.scoped<{
    readonly currency: string | null
    readonly timezone: string
    readonly fiscal_start: number
  }>(org, sql`select currency, timezone, fiscal_start from organizations where id = scope.org`)
  const object = type === "client" ? "account" : "deal"
  const properties = yield* database.scoped<Property>(
    org,
    sql`select id, label, data_type from crm_properties where org_id = scope.org and object = ${object} order by crm desc, id desc`,
  )
  return {
    currency: organization?.currency ?? undefined,
    timezone: organization?.timezone ?? DEFAULT_ZONE,
    fiscalStart: organization?.fiscal_start ?? 1,
    properties: new Map(properties.map(({ id, data_type }) => [id, data_type])),
    labels: new Map(properties.flatMap(({ id, label }) => (label === null ? [] : [[id, label] as const]))),
  } satisfies PlanContext
})

/** Warns of the categories that a request gives to stages that exist: an import decides for new ones only. */
export const noticeKeptStages = Effect.fnUntraced(function* (
  org: string,
  given: Readonly<Record<string, StageCategory>>,
  notices: Notices,
) {
  const database = yield* Database
  const wanted = new Map(Object.entries(given).map(([name, category]) => [fold(name), category]))
  const found = yield* database.scoped<{ readonly name: string; readonly category: string; readonly folded: string }>(
    org,
    database.sql`select name, category, folded from stages
      where org_id = scope.org and folded = any(${[...wanted.keys()]}::text[]) order by name`,
  )
  for (const { name, category, folded } of found) {
    if (wanted.get(folded) === category) continue
    const record = JSON.stringify({ type: "stage", name, category: wanted.get(folded) })
    notices.add("stage_kept", {
      field: "stage",
      example: name,
      message: `the stage '${shorten(name)}' exists and stays ${category}: 'stage' decides for new stages only. To change it, import the record ${record}`,
    })
  }
})

/** The kinds of the names in fields whose cells may have several. */
const KINDS: Readonly<Record<string, Kind>> = {
  competitors: "competitor",
  collaborators: "owner",
  drivers: "reason",
  owner: "owner",
  client: "client",
}

/** Those of the names that the workspace has for a field. */
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
