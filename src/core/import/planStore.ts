import * as Effect from "effect/Effect"
import { recordAct } from "../audit/recordAct.ts"
import { makeId } from "../common/ids.ts"
import { Conflict, NotFound } from "../http/errors/errors.ts"
import { Database, unavailable } from "../storage/Database.ts"
import { lookUpContext } from "./lookUp.ts"
import type { Notice } from "../records/Notices.ts"
import type { DateOrder } from "../records/values/dates.ts"
import type { ImportPlan, PlanContext } from "./plan/fields/ImportPlan.ts"
import type { StageCategory } from "../records/values/stageWords.ts"
import type { Container } from "./table/Table.ts"
import { PLAN_KEPT_HOURS } from "./planKept.ts"
import { findGone, type Need } from "../records/names/needs.ts"

const MAX_OF_ORGANIZATION = 50
/** The size of a plan's JSON. A larger plan, with thousands of names in lists, is not kept. */
const MAX_BYTES = 256 * 1024

/** Everything that a dry run decided about a file, and what it relies on in the workspace. */
export interface StoredPlan {
  readonly version: 1
  readonly file: {
    readonly container: Container
    readonly encoding?: string | undefined
    readonly isEncodingGuessed: boolean
    readonly delimiter?: string | undefined
    readonly sheet?: string | undefined
  }
  readonly plan: ImportPlan
  readonly dates?: DateOrder | undefined
  readonly create?: "all" | "none" | undefined
  readonly stages?: Readonly<Record<string, StageCategory>> | undefined
  readonly keepUnmapped?: "crm_one" | "crm_two" | undefined
  /** Warnings of the plan itself. Those of the rows come again with the rows. */
  readonly notices: ReadonlyArray<Notice>
  readonly needs: ReadonlyArray<Need>
  /** The types of the registered properties that columns fill. */
  readonly properties: Readonly<Record<string, string>>
}

const PROPERTY = "crm_properties."

/** The types of the registered properties that a plan fills. */
export const findProperties = (plan: ImportPlan, { properties }: Pick<PlanContext, "properties">) =>
  Object.fromEntries(
    plan.fields.flatMap(({ field }) => {
      const id = field.startsWith(PROPERTY) ? field.slice(PROPERTY.length) : ""
      const type = properties.get(id)
      return type === undefined ? [] : [[id, type] as const]
    }),
  )

/** Keeps a plan, and drops the organization's oldest. Returns its id, or undefined if it is too large. */
export const storePlan = Effect.fnUntraced(function* (org: string, plan: StoredPlan) {
  const body = JSON.stringify(plan)
  if (new TextEncoder().encode(body).length > MAX_BYTES) return undefined
  const { sql, transaction } = yield* Database
  const id = yield* makeId("pln")
  const write = Effect.gen(function* () {
    yield* sql`insert into import_plans (org_id, id, body) values (${org}, ${id}, ${body})`
    yield* sql`delete from import_plans where org_id = ${org} and id = any(array(
      select id from import_plans where org_id = ${org} order by created_at desc, id desc offset ${MAX_OF_ORGANIZATION}::int))`
    yield* recordAct(sql, org, "import.planned", id)
  })
  yield* unavailable(transaction(org, write))
  return id
})

/** Finds a plan of the organization that is not too old. */
export const loadPlan = Effect.fnUntraced(function* (org: string, id: string) {
  const { sql, scoped } = yield* Database
  const [row] = yield* scoped<{ body: string }>(
    org,
    sql`select body from import_plans where org_id = scope.org and id = ${id}
      and created_at > now() - ${PLAN_KEPT_HOURS}::int * interval '1 hour'`,
  )
  const plan = row === undefined ? undefined : (JSON.parse(row.body) as StoredPlan)
  // An instance of another version may have made it.
  if (plan?.version === 1) return plan
  return yield* new NotFound({
    message: `there is no plan '${id}', or it is older than an hour: make one with dry_run=true`,
  })
})

const MAX_SHOWN = 10

/** Fails if the workspace no longer has what the plan relies on, so that the import would do something else than the dry run said. */
export const checkPlan = Effect.fnUntraced(function* (org: string, { plan, needs, properties }: StoredPlan) {
  const { sql, transaction } = yield* Database
  const { currency, timezone, fiscalStart, properties: known } = yield* lookUpContext(org, plan.type)
  const gone = needs.length === 0 ? [] : yield* unavailable(transaction(org, findGone(sql, org, needs)))
  const { target, isTaken } = plan.currency
  const hasMoney = plan.fields.some(({ kind }) => kind === "money")
  const changes = [
    ...gone.map(({ kind, id, written }) => `the ${kind} '${written}' (${id}) is gone, or has another name`),
    ...(hasMoney && currency !== target && !(isTaken && currency === undefined)
      ? [`its currency is ${currency ?? "not set"}, not ${target ?? "unset"}`]
      : []),
    ...(plan.timezone !== undefined && plan.timezone !== timezone
      ? [`its time zone is ${timezone}, not ${plan.timezone}`]
      : []),
    ...(plan.fiscalStart !== undefined && plan.fiscalStart !== fiscalStart
      ? [`its fiscal year begins with month ${fiscalStart}, not ${plan.fiscalStart}`]
      : []),
    ...Object.entries(properties)
      .filter(([id, type]) => known.get(id) !== type)
      .map(([id, type]) => `the CRM property '${id}' is gone, or no longer a ${type}`),
  ]
  if (changes.length === 0) return
  return yield* new Conflict({
    message: `the workspace has changed since the plan was made: ${changes.slice(0, MAX_SHOWN).join("; ")}. Make a new plan with dry_run=true`,
    details: { changes: changes.slice(0, 100) },
  })
})
