export const UNITS = ["deals", "mentions", "clients", "competitors", "currency", "fraction", "days", "score"] as const
export type Unit = (typeof UNITS)[number]

/** The deals that a measure is about, if these are not all deals of the group. */
export interface Scope {
  /** The measure that counts these deals, if there is one. */
  readonly name: string
  /** The condition, in the words of `Measure.sql`. */
  readonly sql: string
  /** The filters of GET /deals that select them. */
  readonly filters: Readonly<Record<string, unknown>>
  /** More filters, which a row of the deal meets that need not be the row of the group. */
  readonly apart?: Readonly<Record<string, unknown>>
}

/** The settings of a workspace that measures read, each with the filter of GET /deals that takes its values. */
export const SETTING_FILTERS = { renewal_types: "deal_type", no_decision: "driver_categories" } as const
export type MeasureSetting = keyof typeof SETTING_FILTERS

/** A number that a report computes for each group. */
export interface Measure {
  readonly unit: Unit
  /** The groups' values add up to the total, unless a deal is in several groups. */
  readonly additive: boolean
  /** As answers write it, in lower case. */
  readonly label: string
  readonly german: string
  readonly definition: string
  /** Other words that people use for it, in lower case. */
  readonly synonyms: ReadonlyArray<string>
  readonly scope?: Scope
  /** Divides the number of some deals of the scope by that of all, so that it has an interval. */
  readonly isProportion?: true
  /** Is divided by the value of all deals. */
  readonly isShare?: true
  readonly isLessBetter?: true
  /** The measures that an answer shows beside it, so that a reader sees its base. */
  readonly beside?: ReadonlyArray<string>
}

/**
 * A measure that every workspace has. Its SQL is over a group's deals: `d`, each once, with its stage `s`, itself as `f` if it is its client's
 * first won deal and, in a report of associations, the counts of its associations in the group, `a`. `{today}` and `{zone}` are those of the workspace, and `{setting}` has the values of
 * its setting, folded.
 */
export interface StandardMeasure extends Measure {
  readonly sql: string
  /** The measure is null if no deal or reason of the workspace has a value of this setting. Its scope has the setting's filter. */
  readonly setting?: MeasureSetting
  /** Counts deals by what they do to a stage: beside this measure, `status` means this dimension. */
  readonly stages?: "entered_stage" | "left_stage"
  /** The measure is null while an open stage of its deals has no probability. */
  readonly needsProbability?: true
  /** The measure counts what is known since close dates are tracked. */
  readonly isTracked?: true
}

export const scope = (name: string, sql: string, filters: Scope["filters"]): Scope => ({ name, sql, filters })

export const OPEN = scope("open", "s.category = 'open'", { outcome: ["open"] })
export const WON = scope("won", "s.category = 'won'", { outcome: ["won"] })
export const LOST = scope("lost", "s.category = 'lost'", { outcome: ["lost"] })
export const DECIDED = scope("decided", "s.category in ('won', 'lost')", { outcome: ["won", "lost"] })
export const OVERDUE = scope("overdue", `${OPEN.sql} and d.close_date < {today}::date`, { overdue: true })
const WITH_AMOUNT = scope("with_amount", "d.amount is not null", { amount_filter_type: "is not empty" })
export const WITH_CLIENT = scope("with_client", "d.client_id is not null", { client_ids_filter_type: "is not empty" })
/** The filters of these two follow from the setting. */
export const RENEWED = scope("renewals_decided", `${DECIDED.sql} and d.folded_type = any({setting})`, DECIDED.filters)
export const UNDECIDED = scope(
  "lost_no_decision",
  `${LOST.sql} and exists (select from deal_drivers c join reasons y on y.org_id = scope.org and y.id = c.reason_id
    where c.org_id = scope.org and c.deal_id = d.id and y.folded_category = any({setting}))`,
  LOST.filters,
)
const WITH_CYCLE = scope("with_cycle", `${DECIDED.sql} and d.close_date is not null`, {
  ...DECIDED.filters,
  close_date_filter_type: "is not empty",
})

/** The synonyms are separated by commas. */
export type Words = readonly [label: string, german: string, definition: string, synonyms?: string]
export type More = Pick<
  StandardMeasure,
  | "scope"
  | "stages"
  | "isProportion"
  | "isShare"
  | "isLessBetter"
  | "beside"
  | "setting"
  | "needsProbability"
  | "isTracked"
>

export const measure = (
  unit: Unit,
  additive: boolean,
  sql: string,
  [label, german, definition, synonyms]: Words,
  more: More = {},
): StandardMeasure => ({
  unit,
  additive,
  sql,
  label,
  german,
  definition,
  synonyms: synonyms?.split(", ") ?? [],
  ...more,
})

export const where = ({ sql }: Scope) => `filter (where ${sql})`
export const countIn = (of: Scope) => `count(*) ${where(of)}`
export const totalIn = (of: Scope) => `coalesce(sum(d.amount) ${where(of)}, 0)`
export const TOTAL = "coalesce(sum(d.amount), 0)"
export const DAY_OF_CREATION = "(d.created_at at time zone {zone})::date"
export const CYCLE = `d.close_date - ${DAY_OF_CREATION}`
export const MEDIAN = "percentile_cont(0.5) within group"

export const count = (of: Scope, words: Words, more?: More) =>
  measure("deals", true, countIn(of), words, { scope: of, ...more })
export const sum = (of: Scope, words: Words) => measure("currency", true, totalIn(of), words, { scope: of })
export const rate = (part: string, whole: string, words: Words, more: More) =>
  measure("fraction", false, `${part} / nullif(${whole}, 0)`, words, { scope: DECIDED, ...more })
/** A number over the deals that have an amount. */
export const ofAmounts = (sql: string, words: Words, ...beside: ReadonlyArray<string>) =>
  measure("currency", false, sql, words, { scope: WITH_AMOUNT, ...(beside.length > 0 && { beside }) })
export const cycle = (sql: string, words: Words, other: string) =>
  measure("days", false, `${sql} ${where(DECIDED)}`, words, {
    scope: WITH_CYCLE,
    isLessBetter: true,
    beside: [other, "decided"],
  })
