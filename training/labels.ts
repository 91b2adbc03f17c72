/** What a sentence of a task asks for, as the author of the tasks wrote it down. */
export interface Task {
  readonly id: string
  readonly kind: string
  readonly frame: Frame
}

type Condition = readonly [string, unknown]

export interface Frame {
  readonly measure?: string
  readonly outcome?: string
  readonly by?: string | ReadonlyArray<string>
  readonly filters?: ReadonlyArray<Condition>
  readonly part?: ReadonlyArray<Condition>
  readonly filter?: Condition
  readonly grain?: string
  readonly order?: string
  readonly limit?: number
  readonly compare?: string
  readonly side?: string | null
  readonly of?: string
  readonly change?: string
  /** The id of the task that a follow-up continues. */
  readonly after?: string
  readonly period?: string | null
  readonly periods?: ReadonlyArray<string>
  readonly names?: ReadonlyArray<string>
  /** A condition that the workspace knows nothing about. */
  readonly foreign?: string
}

/** The class of each head, and the flags that are true. */
export interface Labels {
  readonly heads: Readonly<Record<Head, string>>
  readonly flags: ReadonlySet<string>
}

/** Stands for a slot that the sentence does not fill. */
const NONE = "-"

/** What each measure computes, over deals of which outcome. */
const MEASURES: Readonly<Record<string, readonly [base: string, outcome?: string]>> = {
  deals: ["count"],
  open: ["count", "open"],
  won: ["count", "won"],
  lost: ["count", "lost"],
  decided: ["count", "decided"],
  win_rate: ["rate"],
  win_rate_by_amount: ["rate_amt"],
  loss_rate: ["loss_rate"],
  amount: ["sum"],
  amount_open: ["sum", "open"],
  amount_won: ["sum", "won"],
  amount_lost: ["sum", "lost"],
  amount_avg: ["avg"],
  amount_median: ["median"],
  amount_max: ["max"],
  cycle_days_avg: ["cycle"],
  cycle_days_median: ["cycle_med"],
  age_days_avg: ["age"],
  overdue: ["overdue"],
  amount_overdue: ["overdue_amt"],
  clients: ["clients"],
  mentions: ["mentions"],
  wl_product_fit_score: ["fit"],
  wl_sales_execution_score: ["exec"],
}

const outcomeOf = ({ outcome = NONE }: Frame) => (outcome === "any" ? NONE : outcome)

const measureOf = ({ kind, frame }: Task): readonly [base: string, outcome: string] => {
  if (kind === "share") return [frame.measure === "deals" ? "count" : "sum", outcomeOf(frame)]
  if (frame.measure === undefined) return [NONE, outcomeOf(frame)]
  const found = MEASURES[frame.measure]
  if (found === undefined) throw new Error(`labels.ts has no measure "${frame.measure}": add it to MEASURES`)
  return [found[0], found[1] ?? NONE]
}

const kindOf = ({ kind, frame }: Task): string => {
  if (kind === "reasons") return frame.side ? "side" : "why"
  if (kind === "follow-up") return `f-${frame.change}`
  return ["list", "share", "other", "foreign"].includes(kind) ? kind : NONE
}

const HEADS = {
  base: (task: Task) => measureOf(task)[0],
  outcome: (task: Task) => measureOf(task)[1],
  kind: kindOf,
  grain: ({ frame }: Task) => frame.grain ?? NONE,
  order: ({ frame }: Task) => frame.order ?? NONE,
  compare: ({ frame }: Task) => frame.compare ?? NONE,
  side: ({ frame }: Task) => frame.side ?? NONE,
  limit: ({ frame }: Task) => (frame.limit === 1 ? "1" : NONE),
}

export type Head = keyof typeof HEADS
export const HEAD_NAMES = Object.keys(HEADS) as ReadonlyArray<Head>

const DIMENSIONS = [
  "owner",
  "competitor",
  "region",
  "industry",
  "status",
  "deal_type",
  "product_label",
  "client",
  "driver",
  "driver_category",
  "feature",
  "product_area",
  "segment",
  "amount_band",
  "outcome",
  "incumbent",
  "collaborator",
  "property",
]
/** Conditions, by their name in the tasks. */
const CONDITIONS: Readonly<Record<string, string>> = {
  uncontested: "uncontested",
  without_owner: "without_owner",
  not_competitor: "excludes",
  as_primary: "primary",
  older: "older",
  amount_above: "amount_above",
  amount_below: "amount_below",
  reason_for: "reason_for",
  reason_against: "reason_against",
}
export const FLAG_NAMES: ReadonlyArray<string> = [
  ...DIMENSIONS.map((dimension) => `by:${dimension}`),
  ...Object.values(CONDITIONS),
]

/** Reasons and features are asked for as groups as well: "what do we lose over?" groups by reason. */
const groupsOf = ({ kind, frame }: Task): ReadonlyArray<string> => [
  ...[frame.by ?? []].flat().map((dimension) => (dimension.startsWith("crm_") ? "property" : dimension)),
  ...(kind === "reasons" && frame.of === "features" ? ["feature"] : []),
  ...(kind === "reasons" && frame.of === "reasons" ? ["driver"] : []),
]

const conditionsOf = ({ filters, part, filter }: Frame): ReadonlyArray<string> =>
  (filters ?? part ?? (filter === undefined ? [] : [filter])).map(([name]) => name)

/** The labels of a sentence that asks for the task. */
export const labelsOf = (task: Task): Labels => ({
  heads: Object.fromEntries(HEAD_NAMES.map((head) => [head, HEADS[head](task)])) as Record<Head, string>,
  flags: new Set([
    ...groupsOf(task).map((dimension) => `by:${dimension}`),
    ...conditionsOf(task.frame).flatMap((name) => CONDITIONS[name] ?? []),
  ]),
})
