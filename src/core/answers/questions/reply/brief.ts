import * as Effect from "effect/Effect"
import type { CanonicalFilters } from "../../../deals/filters/filters.ts"
import type { AnswerEvent } from "../../Answerer.ts"
import { asText } from "../../citations/markdown.ts"
import { listSome, writeAccount, writeNames, writeQuarters, writeRecord, writeSentiments } from "./briefParts.ts"
import { loadNames } from "../names/loadNames.ts"
import type { WorkspaceNames } from "../words/names.ts"
import { writeCount } from "../words/numbers.ts"

/** Kinds of groups with a brief of numbers alone. */
const BRIEFED_KINDS = ["owner", "region", "industry", "product", "segment", "deal_type", "feature"] as const

/** The subject of a brief. */
export interface BriefSubject {
  readonly kind: "competitor" | "client" | "deal" | (typeof BRIEFED_KINDS)[number]
  readonly id: string
  readonly name: string
  /** The deals that the request can mean. Several deals can have one name. */
  readonly deals: ReadonlyArray<string>
  /** Only the deals that meet these filters, of the things with these names. */
  readonly within?: { readonly filters: CanonicalFilters; readonly names: ReadonlyArray<string> }
}

/** The subject and what narrows the brief, as its head says them. */
const describeSubject = ({ name, within }: BriefSubject): string =>
  `**${asText(name)}**${within === undefined ? "" : ` (only ${within.names.map(asText).join(", ")})`}`

const MAX_OPEN = 5
const MAX_DECIDED = 3

const BY_AMOUNT = { sort: "amount", ascending: false } as const

/** Writes the numbers of a brief. For several deals, asks which one is meant. */
export const briefOn = Effect.fn("DealQuestions.brief")(function* (org: string, subject: BriefSubject) {
  const names = yield* loadNames(org, subject.name)
  switch (subject.kind) {
    case "competitor":
      return yield* briefOnCompetitor(org, subject, names)
    case "client":
      return yield* briefOnClient(org, subject, names)
    default:
      return yield* briefOnGroup(org, subject, names)
    case "deal":
      return subject.deals.length > 1
        ? yield* askWhichDeal(org, subject, names)
        : yield* briefOnDeal(org, { deal_ids: subject.deals }, names)
  }
})

const join = (parts: ReadonlyArray<ReadonlyArray<AnswerEvent>>) => parts.flat()

const briefOnCompetitor = Effect.fnUntraced(function* (org: string, subject: BriefSubject, names: WorkspaceNames) {
  const filters: CanonicalFilters = { ...subject.within?.filters, competitors: [subject.name] }
  return join([
    yield* writeRecord(org, `against ${describeSubject(subject)}`, filters, names),
    yield* writeQuarters(org, filters, names),
    yield* writeNames(org, reasons("lost", filters), names),
    yield* writeNames(org, reasons("won", filters), names),
    yield* writeNames(org, requests(filters, true), names),
    yield* listSome(
      org,
      "Largest open deals against them:\n\n",
      { ...BY_AMOUNT, filters: { ...filters, outcome: ["open"] }, limit: MAX_DECIDED },
      names,
    ),
  ])
})

const briefOnClient = Effect.fnUntraced(function* (org: string, subject: BriefSubject, names: WorkspaceNames) {
  const { id, within } = subject
  const filters: CanonicalFilters = { ...within?.filters, client_ids: [id] }
  const decided: CanonicalFilters = { ...filters, outcome: ["won", "lost"] }
  return join([
    yield* writeRecord(org, `with ${describeSubject(subject)}`, filters, names),
    yield* writeAccount(org, id),
    yield* listSome(
      org,
      "Open pipeline:\n\n",
      { ...BY_AMOUNT, filters: { ...filters, outcome: ["open"] }, limit: MAX_OPEN },
      names,
    ),
    yield* listSome(
      org,
      "Last decided:\n\n",
      { filters: decided, sort: "close_date", ascending: false, limit: MAX_DECIDED },
      names,
    ),
    yield* writeNames(org, rivals({ ...filters, outcome: ["open"] }, true, "Competitors in the open deals"), names),
    yield* writeNames(org, rivals(filters, true), names),
    yield* writeNames(org, requests(filters, true), names),
    yield* writeNames(org, reasons("lost", filters), names),
    yield* writeNames(org, reasons("won", filters), names),
  ])
})

const FILTERS = {
  owner: (id: string) => ({ owner_ids: [id] }),
  region: (id: string) => ({ region: [id] }),
  industry: (id: string) => ({ industry: [id] }),
  product: (id: string) => ({ product_labels: [id] }),
  segment: (id: string) => ({ segment_ids: [id] }),
  deal_type: (id: string) => ({ deal_type: [id] }),
  feature: (id: string) => ({ feature_ids: [id] }),
} as const satisfies Readonly<Record<(typeof BRIEFED_KINDS)[number], (id: string) => CanonicalFilters>>

const briefOnGroup = Effect.fnUntraced(function* (org: string, subject: BriefSubject, names: WorkspaceNames) {
  const { kind, id, within } = subject
  if (kind === "competitor" || kind === "client" || kind === "deal") return []
  const filters: CanonicalFilters = { ...within?.filters, ...FILTERS[kind](id) }
  return join([
    yield* writeRecord(org, `of ${describeSubject(subject)}`, filters, names),
    yield* writeQuarters(org, filters, names),
    ...(kind === "feature" ? [yield* writeSentiments(org, filters, names)] : []),
    yield* writeNames(org, rivals(filters, true), names),
    yield* writeNames(org, reasons("lost", filters), names),
    yield* writeNames(org, reasons("won", filters), names),
    yield* listSome(
      org,
      "Largest open deals:\n\n",
      { ...BY_AMOUNT, filters: { ...filters, outcome: ["open"] }, limit: MAX_OPEN },
      names,
    ),
  ])
})

const briefOnDeal = Effect.fnUntraced(function* (org: string, filters: CanonicalFilters, names: WorkspaceNames) {
  const reason = (heading: string, effect: "positive" | "negative") =>
    ({
      heading,
      dimension: "driver",
      filters: { ...filters, driver_effect: [effect] },
      measure: "deals",
      isCounted: false,
    }) as const
  return join([
    yield* listSome(org, "", { ...BY_AMOUNT, filters, limit: 1 }, names),
    yield* writeNames(org, rivals(filters, false), names),
    yield* writeNames(org, requests(filters, false), names),
    yield* writeNames(org, reason("Spoke for us", "positive"), names),
    yield* writeNames(org, reason("Spoke against us", "negative"), names),
  ])
})

/** Names the competitors in one deal. */
export const listRivals = Effect.fn("DealQuestions.rivals")(function* (org: string, id: string, names: WorkspaceNames) {
  const filters = { deal_ids: [id] }
  const found = yield* writeNames(org, rivals(filters, false), names)
  return [
    ...(yield* listSome(org, "", { ...BY_AMOUNT, filters, limit: 1 }, names)),
    ...(found.length > 0
      ? found
      : [{ type: "content_delta", content: "No competitor is recorded in this deal.\n" } as const]),
  ]
})

const reasons = (outcome: "won" | "lost", filters: CanonicalFilters) =>
  ({
    heading: outcome === "lost" ? "Lost most often on" : "Won most often on",
    dimension: "driver",
    filters: { ...filters, outcome: [outcome], driver_effect: [outcome === "lost" ? "negative" : "positive"] },
    measure: "deals",
    isCounted: true,
  }) as const

const rivals = (filters: CanonicalFilters, isCounted: boolean, heading = "Competitors") =>
  ({ heading, dimension: "competitor", filters, measure: "deals", isCounted }) as const

const requests = (filters: CanonicalFilters, isCounted: boolean) =>
  ({ heading: "Features that came up", dimension: "feature", filters, measure: "mentions", isCounted }) as const

const askWhichDeal = Effect.fnUntraced(function* (org: string, { name, deals }: BriefSubject, names: WorkspaceNames) {
  const heading = `“${asText(name)}” can mean ${writeCount(deals.length, "deal")}. Which one do you mean?\n\n`
  const plan = { filters: { deal_ids: deals }, sort: "close_date", ascending: false, limit: undefined } as const
  return yield* listSome(org, heading, plan, names)
})
