import { ASSOCIATION_DIMENSIONS, DIMENSIONS } from "../../../core/reports/dimensions.ts"
import type { Unit } from "../../../core/reports/measure.ts"
import { CUSTOM_METRIC, MEASURES, type Subject } from "../../../core/reports/measures.ts"
import type { Output } from "../../client/client.ts"
import * as format from "../common/format.ts"
import { current } from "../common/session.ts"
import { language } from "../common/settings.ts"
import { t, textOr } from "../common/texts.ts"
import { baseOf, grainOf, isDated } from "./query.ts"

export type Report = Exclude<Output<"reports", "deals">, string>
export type ReportRow = Report["data"][number]

/** The filters of the deals that a measure of a row is about. */
export const filtersBehind = ({ drills, filters }: Pick<ReportRow, "drills" | "filters">, measure: string) =>
  drills?.[measure]?.filters ?? filters

/** A choice of a picker. */
export interface Choice {
  readonly name: string
  readonly label: string
}

const capital = (text: string) => text.charAt(0).toLocaleUpperCase() + text.slice(1)

/** The name of a measure: in English the server's own word. */
export const measureLabel = (name: string): string => {
  const measure = MEASURES.deals[name] ?? MEASURES.associations[name]
  if (measure === undefined) return CUSTOM_METRIC.exec(name)?.[1] ?? name
  return language.value === "de" ? measure.german : capital(measure.label)
}

/** The name of a dimension, with its grain. */
export const dimensionLabel = (dimension: string): string => {
  const label = baseLabel(baseOf(dimension))
  return isDated(dimension) ? `${label} (${t(`grain.${grainOf(dimension)}` as "grain.day")})` : label
}

/** The name of a dimension without its grain: in English the server's own words. */
export const baseLabel = (name: string): string => {
  const dimension = Object.hasOwn(ASSOCIATION_DIMENSIONS, name) ? DIMENSIONS.associations[name] : undefined
  if (dimension === undefined) return propertyLabel(name)
  return language.value === "de" ? dimension.german : capital(dimension.one)
}

const propertyLabel = (name: string) =>
  ownDimensions().find((each) => each.name === name)?.label ?? name.replaceAll("_", " ")

export const measureChoices = (subject: Subject): ReadonlyArray<Choice> => [
  ...Object.keys(MEASURES[subject]).map((name) => ({ name, label: measureLabel(name) })),
  ...(subject === "deals"
    ? current().workspace.metrics.data.map(({ name }) => ({ name: `custom_metric_${name}_avg`, label: name }))
    : []),
]

/** The dimensions, dates without their grain. */
export const dimensionChoices = (subject: Subject): ReadonlyArray<Choice> => [
  ...Object.keys(DIMENSIONS[subject]).map((name) => ({ name, label: baseLabel(name) })),
  ...ownDimensions(),
]

/** The workspace's own: properties of the CRM and custom answers. */
const ownDimensions = (): ReadonlyArray<Choice> => {
  const { answers, crm_properties } = current().workspace
  return [
    ...answers.data.map(({ name }) => ({ name: `custom_answer_${name}`, label: name })),
    ...crm_properties.data.map(({ id, name, crm, object }) =>
      object === "deal"
        ? { name: `crm_${id}`, label: name }
        : { name: `crm_${crm}_account_${id}`, label: t("reports.ofAccount", { name }) },
    ),
  ]
}

/** The group's value of a dimension, for people. */
export const groupLabel = ({ group, labels }: Pick<ReportRow, "group" | "labels">, dimension: string): string => {
  const value = group[dimension]
  if (value === undefined) return t("none")
  if (typeof value !== "string") return value.name === null ? t("none") : fixedName(dimension, value.id, value.name)
  if (/^\d{4}-\d\d$/.test(value)) return format.month(value)
  return /^\d{4}-\d\d-\d\d$/.test(value) ? format.day(value) : (labels?.[dimension] ?? value)
}

/** Names that the server gives in English, not the workspace. */
const fixedName = (dimension: string, id: string | null, name: string) =>
  Object.hasOwn(FIXED, dimension) ? textOr(`${FIXED[dimension]}.${id ?? name}`, name) : name

const FIXED: Readonly<Record<string, string>> = { outcome: "option", driver_effect: "option", sentiment: "sentiment" }

/** A value of a measure, in full or in the space of a mark. */
export const show = (unit: Unit, value: number | null | undefined, isShort = false): string => {
  switch (unit) {
    case "currency":
      return isShort ? format.shortMoney(value) : format.money(value)
    case "fraction":
      return format.percent(value)
    case "days":
      return value == null ? format.NONE : t("reports.days", { count: format.decimal(value) })
    case "score":
    case "competitors":
      return format.decimal(value)
    default:
      return format.count(value)
  }
}

/** The difference from an earlier value. */
export const showChange = (unit: Unit, change: number): string =>
  format.signed(change, (value) =>
    unit === "fraction" ? t("home.points", { value: format.decimal(value * 100) }) : show(unit, value, true),
  )
