import type { SqlClient } from "effect/sql/SqlClient"
import { nearest } from "../common/nearest.ts"
import type { ArrayFilter } from "../deals/filters/arrays.ts"
import { type CrmProperty, findProperty } from "../deals/names/properties.ts"
import { findByIdOrName } from "../deals/names/dynamic.ts"
import type { Calendar } from "../deals/filters/periods.ts"
import type { SelectorContext } from "../deals/selection/context.ts"
import type { Invalid } from "../http/validation/validation.ts"
import { listSynonyms } from "./words.ts"
import { writeLabel, lastDayOf } from "./buckets.ts"
import {
  BAND_BOUNDS,
  BAND_NAMES,
  type Dimension,
  type DimensionName,
  DIMENSIONS,
  type Grain,
  GRAINS,
} from "./dimensions.ts"
import { answerSql, dateSql, type DimensionSql, dimensionSql, propertySql } from "./dimensionSql.ts"
import { having } from "./drill.ts"
import type { Subject } from "./measures.ts"

/** The group's value in a reply. */
export type GroupValue = string | { readonly id: string | null; readonly name: string | null }

/** A requested dimension. Its keys are texts; the name is as written in the deals. */
export interface Grouping {
  /** As requested: `close_date.quarter`. */
  readonly name: string
  readonly dimension: Pick<Dimension, "definition" | "several">
  readonly sql: DimensionSql
  /** The field and grain of a date. */
  readonly date?: { readonly field: string; readonly grain: Grain }
  readonly valueOf: (key: string, name: string | null) => GroupValue
  /** The filter for the group. */
  readonly partOf: (key: string | null, name: string | null) => Readonly<Record<string, unknown>>
}

export const NO_VALUE: GroupValue = { id: null, name: null }

const plain = (name: string): GroupValue => ({ id: null, name })

/** Resolves a name of `group_by` against the workspace. */
export const resolveGrouping = (
  sql: SqlClient,
  name: string,
  subject: Subject,
  context: SelectorContext,
  meant: string | null = name,
): Grouping | Invalid => {
  const known = DIMENSIONS[subject]
  if (meant === null)
    return {
      field: "group_by",
      reason: "must be entered_stage or left_stage beside stage_entered and stage_left: 'status' may mean either",
      did_you_mean: "entered_stage",
    }
  const [base = "", grain = ""] = meant.split(".")
  if (Object.hasOwn(known, base) && (base === meant || known[base]!.dated === true)) {
    return standard(sql, name, grain, known[base]!, context.calendar)
  }
  const found = dynamic(sql, name, context)
  if (found !== undefined) return found
  const candidates = Object.entries(known).flatMap(([each, { dated }]) =>
    dated ? GRAINS.map((unit) => `${each}.${unit}`) : [each],
  )
  const dynamicNames = [
    ...context.properties.map(({ crm, object, id }) => (object === "deal" ? `crm_${id}` : `crm_${crm}_account_${id}`)),
    ...context.answers.map((answer) => `custom_answer_${answer.name}`),
  ]
  // People know dimensions by other words, too.
  const other = Object.keys(known).find((each) => listSynonyms(each as DimensionName).includes(name.toLowerCase()))
  const [near] = other === undefined ? nearest(name, [...candidates, ...dynamicNames]) : [other]
  return {
    field: "group_by",
    reason: `must name dimensions; '${name.slice(0, 100)}' is not one`,
    ...(near !== undefined && { did_you_mean: near }),
  }
}

const standard = (
  sql: SqlClient,
  name: string,
  given: string,
  dimension: Dimension,
  { fiscalStart, timezone }: Calendar,
): Grouping | Invalid => {
  const { filter } = dimension
  if (dimension.dated === true) {
    const grain = GRAINS.find((each) => each === given)
    if (grain === undefined) {
      return { field: "group_by", reason: `must name a grain: ${GRAINS.map((each) => `${filter}.${each}`).join(", ")}` }
    }
    return {
      name,
      dimension,
      date: { field: filter, grain },
      sql: dateSql(sql, dimension.sql, grain, { fiscalStart, timezone }),
      valueOf: (key) => writeLabel(grain, key, fiscalStart),
      partOf: (key) =>
        key === null
          ? { [`${filter}_filter_type`]: "is empty" }
          : { [filter]: { from: key, to: lastDayOf(grain, key) } },
    }
  }
  const shared = { name, dimension, sql: dimensionSql(sql, dimension.sql) }
  if (filter === "amount") {
    return {
      ...shared,
      valueOf: (key) => plain(BAND_NAMES[Number(key)]!),
      partOf: (key) => (key === null ? { amount_filter_type: "is empty" } : { amount: bandOf(Number(key)) }),
    }
  }
  if (filter === "analyzed") {
    return { ...shared, valueOf: plain, partOf: (key) => ({ analyzed: key === "true" }) }
  }
  const isText = shared.sql.written !== undefined
  return {
    ...shared,
    valueOf: (key, written) => (isText ? plain(written ?? key) : { id: key, name: written ?? key }),
    partOf: (key, written) => having(filter as ArrayFilter, isText ? written : key),
  }
}

const bandOf = (index: number) => ({
  ...(index > 0 && { min: BAND_BOUNDS[index - 1] }),
  ...(index < BAND_BOUNDS.length && { below: BAND_BOUNDS[index] }),
})

const dynamic = (sql: SqlClient, name: string, context: SelectorContext): Grouping | undefined => {
  const [, crm, account] = /^crm_(crm_one|crm_two)_account_(.+)$/s.exec(name) ?? []
  const ofAccount =
    account === undefined ? undefined : findProperty(context.properties, "account", crm as CrmProperty["crm"], account)
  const ofDeal = name.startsWith("crm_")
    ? findProperty(context.properties, "deal", undefined, name.slice(4))
    : undefined
  const property = ofAccount ?? ofDeal
  if (property !== undefined) return ofProperty(sql, name, property)
  if (!name.startsWith("custom_answer_")) return undefined
  const answer = findByIdOrName(context.answers, name.slice("custom_answer_".length))
  if (answer === undefined) return undefined
  return {
    name,
    dimension: { definition: `the custom answer ${answer.name}` },
    sql: answerSql(sql, answer.id),
    valueOf: (key, written) => plain(written ?? key),
    partOf: (_, written) => ({ custom_answers: { [answer.id]: [written] } }),
  }
}

const ofProperty = (sql: SqlClient, name: string, property: CrmProperty): Grouping => {
  const { crm, object, id, label, data_type } = property
  const condition = { property: id, crm }
  const is = (value: string) => ({
    ...condition,
    operator: "is",
    value: data_type === "number" ? Number(value) : value,
  })
  const filter = object === "deal" ? "crm_filters" : "crm_account_filters"
  return {
    name,
    dimension: { definition: `the CRM property ${label ?? id}` },
    sql: propertySql(sql, property),
    valueOf: (key, written) => plain(written ?? key),
    partOf: (key, written) => ({
      [filter]: [key === null ? { ...condition, operator: "is empty" } : is(written ?? key)],
    }),
  }
}
