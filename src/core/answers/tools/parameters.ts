import * as Schema from "effect/Schema"
import { described } from "../../http/values/described.ts"
import type { Invalid } from "../../http/validation/validation.ts"
import { Text } from "../../http/values/parameters.ts"
import { DEAL_DIMENSIONS, type Dimension, DIMENSIONS, GRAINS } from "../../reports/dimensions.ts"
import { COMPARISONS, MAX_DIMENSIONS, MAX_MEASURES } from "../../reports/limits.ts"
import { DEAL_MEASURES, MEASURES, type Subject } from "../../reports/measures.ts"
import { COMMAS } from "./readArguments.ts"

/** Rows of a report that one call returns. */
export const MAX_ROWS = 50

const optional = <S extends Schema.Top>(schema: S, description: string) =>
  Schema.optionalKey(described(schema, description))

const SCORE = /^wl_(.*)_score_avg$/

const nameOf = ([name, { dated }]: readonly [string, Dimension]) => (dated ? `${name}.<grain>` : name)

/** The names of a report's measures and dimensions; those that the report of deals has too are not repeated. */
const listNames = (subject: Subject) => {
  const isNew =
    (known: object) =>
    ([name]: readonly [string, unknown]) =>
      subject === "deals" || !Object.hasOwn(known, name)
  const measures = Object.entries(MEASURES[subject]).filter(isNew(DEAL_MEASURES))
  const scores = measures.flatMap(([name]) => SCORE.exec(name)?.[1] ?? [])
  const dimensions = Object.entries(DIMENSIONS[subject]).filter(isNew(DEAL_DIMENSIONS))
  return {
    measures: [
      ...measures.flatMap(([name]) => (SCORE.test(name) ? [] : [name])),
      ...(scores.length > 0 ? [`wl_<score>_score_avg; scores: ${scores.join(", ")}`] : []),
    ].join(", "),
    dimensions: dimensions.map(nameOf).join(", "),
  }
}

const several = (most: number) =>
  Schema.Array(Text)
    .annotate({ [COMMAS]: true })
    .check(Schema.isMaxLength(most))

/** The parameters of a report as a tool takes them: those of `GET /deals/report`, but for filters. */
export const reportParameters = (subject: Subject) => {
  const { measures, dimensions } = listNames(subject)
  return {
    measures: described(
      several(MAX_MEASURES).check(Schema.isMinLength(1)),
      subject === "deals" ? measures : `${measures}; clients, deals, amount…`,
    ),
    group_by: optional(
      several(MAX_DIMENSIONS),
      subject === "deals" ? `${dimensions}; grain: ${GRAINS.join(", ")}` : `${dimensions}; and those of report_deals`,
    ),
    order_by: optional(Text, "`-win_rate`: descending"),
    limit: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: MAX_ROWS }))),
    compare: Schema.optionalKey(Schema.Literals(COMPARISONS)),
  }
}

/** Names all measures or dimensions if a refused report has an unknown one that is near none. */
export const namesFor = (subject: Subject, { invalid_fields: invalid = [] }: RefusedFields): string =>
  [
    ["measures", Object.keys(MEASURES[subject])] as const,
    ["group_by", Object.entries<Dimension>(DIMENSIONS[subject]).map(nameOf)] as const,
  ]
    .filter(([name]) =>
      invalid.some(
        (each) => each.field === name && each.reason.endsWith("is not one") && each.did_you_mean === undefined,
      ),
    )
    .map(([name, all]) => `; ${name} can be ${all.join(", ")}`)
    .join("")

interface RefusedFields {
  readonly invalid_fields?: ReadonlyArray<Invalid>
}

/** The kinds of names that filters and groups use. */
export const KINDS_OF_NAMES = [
  "stages",
  "owners",
  "clients",
  "competitors",
  "regions",
  "industries",
  "deal_types",
  "products",
  "segments",
  "reasons",
  "features",
  "product_areas",
  "dimensions",
  "measures",
  "filters",
] as const
export type KindOfNames = (typeof KINDS_OF_NAMES)[number]
