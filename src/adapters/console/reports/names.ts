import { ASSOCIATION_DIMENSIONS, DIMENSIONS, type DimensionName } from "../../../core/reports/dimensions.ts"
import { CUSTOM_METRIC, type MeasureName, MEASURES, type Subject, type Unit } from "../../../core/reports/measures.ts"
import { DIMENSION_WORDS, type WordedDimension } from "../../../core/reports/words.ts"
import type { Output } from "../../client/client.ts"
import * as format from "../common/format.ts"
import { current } from "../common/session.ts"
import { language } from "../common/settings.ts"
import { t, textOr } from "../common/texts.ts"
import { DIMENSIONS_DE, MEASURES_DE } from "./namesDe.ts"
import { baseOf, grainOf, isDated } from "./query.ts"

export type Report = Exclude<Output<"reports", "deals">, string>
export type ReportRow = Report["data"][number]

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
  return language.value === "de" ? MEASURES_DE[name as MeasureName] : capital(measure.label)
}

/** The name of a dimension, with its grain. */
export const dimensionLabel = (dimension: string): string => {
  const label = baseLabel(baseOf(dimension))
  return isDated(dimension) ? `${label} (${t(`grain.${grainOf(dimension)}` as "grain.day")})` : label
}

/** The name of a dimension without its grain: in English the server's own words. */
export const baseLabel = (name: string): string => {
  if (!Object.hasOwn(ASSOCIATION_DIMENSIONS, name)) return propertyLabel(name)
  if (language.value === "de") return DIMENSIONS_DE[name as DimensionName]
  const words = Object.hasOwn(DIMENSION_WORDS, name) ? DIMENSION_WORDS[name as WordedDimension].one : undefined
  return capital(words ?? name.replaceAll("_", " ").replace(/ at$/, ""))
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
export const groupLabel = (dimension: string, value: ReportRow["group"][string] | undefined): string => {
  if (value === undefined) return t("none")
  if (typeof value !== "string") return value.name === null ? t("none") : fixedName(dimension, value.id, value.name)
  if (/^\d{4}-\d\d$/.test(value)) return format.month(value)
  return /^\d{4}-\d\d-\d\d$/.test(value) ? format.day(value) : value
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
