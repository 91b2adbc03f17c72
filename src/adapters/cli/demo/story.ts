import { capitalize } from "../../../core/common/capitalize.ts"
import type { ImportRecord } from "../../../core/records/record.ts"
import { METRICS } from "../../../core/deals/columns/metrics.ts"
import type { Random } from "./random.ts"
import { BUYERS, type Reason } from "./vocabulary.ts"

/** The facts of a deal that its story is built from. */
export interface Outline {
  readonly client: string
  readonly product: string
  readonly outcome: "open" | "won" | "lost"
  readonly rival: string | undefined
  readonly drivers: ReadonlyArray<{ readonly reason: Reason; readonly positive: boolean }>
}

const quoteOf = ({ reason, positive }: Outline["drivers"][number]) => (positive ? reason.praise : reason.complaint)

const ending = (outcome: Outline["outcome"], product: string, rival: string | undefined) => {
  if (rival === undefined) {
    return {
      open: `is still weighing up ${product}`,
      won: `chose ${product}`,
      lost: `decided to stay without ${product}`,
    }[outcome]
  }
  return {
    open: `is still comparing ${product} with ${rival}`,
    won: `chose ${product} over ${rival}`,
    lost: `went with ${rival} instead of ${product}`,
  }[outcome]
}

/** The deal's summary, with the seven headings of the specification. */
export const story = ({ client, product, outcome, rival, drivers }: Outline, random: Random) => {
  const buyer = random.pick(BUYERS)
  const first = drivers[0]
  return {
    executive_summary: `${client} ${ending(outcome, product, rival)}${first === undefined ? "" : `: ${quoteOf(first)}`}.`,
    deal_overview: `${buyer} led the evaluation of ${product} with ${random.int(2, 9)} people over ${random.int(3, 26)} weeks.`,
    decision_drivers: drivers.map((driver) => `${driver.reason.name}: ${quoteOf(driver)}`),
    competitive_landscape:
      rival === undefined
        ? "No other vendor was met."
        : `${rival} was shortlisted and gave ${random.int(1, 4)} demonstrations.`,
    key_quotes: drivers.slice(0, 2).map((driver) => ({ speaker: buyer, quote: sentence(quoteOf(driver)) })),
    lessons_learned: drivers
      .filter(({ positive }) => !positive)
      .map(({ reason }) => `Raise ${reason.name.toLowerCase()} in the first call.`),
    recommendations: outcome === "open" ? [`Bring a reference customer to the next meeting with the ${buyer}.`] : [],
  }
}

const sentence = (text: string) => `${capitalize(text)}.`

/** Eight scores with explanations, higher for won deals than for lost ones. */
export const scorecard = (outline: Outline, random: Random): NonNullable<ImportRecord<"deal">["scorecard"]> => {
  const lean = outline.outcome === "won" ? 3.7 : outline.outcome === "lost" ? 2.4 : 3.1
  return Object.fromEntries(
    METRICS.map((metric) => {
      const score = Math.min(Math.max(Math.round((lean + random.bell() * 0.8) * 2) / 2, 1), 5)
      const driver = outline.drivers.length === 0 ? undefined : random.pick(outline.drivers)
      const explanation = driver === undefined ? null : sentence(quoteOf(driver))
      return [metric, random.chance(0.06) ? null : { score, explanation }]
    }),
  )
}
