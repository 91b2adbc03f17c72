import { type Evidence, keyQuoteFindings } from "../model/evidence.ts"
import type { Association, Competitor, Driver, KeyQuote } from "./published.ts"

/** Drivers, competitors and features of one deal. */
const MAX_ENTRIES = 50

const groupBy = (evidence: ReadonlyArray<Evidence>, kind: Evidence["kind"]) => {
  const groups = new Map<string, Array<Evidence>>()
  for (const each of evidence) {
    // A seller who mentions a rival, or praises a feature, does not make it one of the deal.
    if (each.kind !== kind || each.side === "seller" || each.target_id === null) continue
    const group = groups.get(each.target_id)
    if (group === undefined) groups.set(each.target_id, [each])
    else group.push(each)
  }
  return [...groups].slice(0, MAX_ENTRIES)
}

/** The effect that all findings share; null if they disagree. Ignores neutral ones. */
const agreed = (group: ReadonlyArray<Evidence>): boolean | null => {
  const effects = new Set(group.map(({ effect }) => effect))
  if (effects.has("positive") === effects.has("negative")) return null
  return effects.has("positive")
}

/** Picks a group's representative finding: the buyer's if possible, with the agreed effect. */
const chooseBest = (group: ReadonlyArray<Evidence>) => {
  const positive = agreed(group)
  const fits = ({ effect }: Evidence) => positive === null || effect === (positive ? "positive" : "negative")
  return group.find((each) => each.side === "buyer" && fits(each)) ?? group.find(fits) ?? group[0]!
}

export const proposeDrivers = (evidence: ReadonlyArray<Evidence>): ReadonlyArray<Driver> =>
  groupBy(evidence, "driver").map(([reason_id, group]) => ({
    reason_id,
    positive: agreed(group),
    summary: chooseBest(group).quote,
  }))

export const proposeCompetitors = (evidence: ReadonlyArray<Evidence>): ReadonlyArray<Competitor> =>
  groupBy(evidence, "competitor").map(([competitor_id]) => ({
    competitor_id,
    is_primary: false,
    is_incumbent: false,
  }))

export const proposeAssociations = (evidence: ReadonlyArray<Evidence>): ReadonlyArray<Omit<Association, "id">> =>
  groupBy(evidence, "feature").map(([feature_id, group]) => ({
    feature_id,
    influence_summary: chooseBest(group).quote,
    sentiment: agreed(group),
  }))

export const chooseKeyQuotes = (evidence: ReadonlyArray<Evidence>): ReadonlyArray<KeyQuote> =>
  keyQuoteFindings(evidence).map(({ speaker, quote }) => ({ speaker, quote }))
