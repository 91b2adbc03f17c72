import { KINDS, type Kind, type KnownName } from "../words/names.ts"
import type { Slots } from "./slots.ts"

/** Kinds that a deal has several of: a filter on one of them also takes its deals from the rows of the others. */
const SHARED_KINDS: ReadonlyArray<Kind> = ["competitor", "feature", "reason", "product"]
/** Names that a filter lists in the place of those that are left out. */
const MAX_KEPT = 100

const hasRowsOf = ({ head, groups }: Slots, kind: Kind): boolean => [head, ...groups].includes(KINDS[kind])

/** "Win rate by competitor, without Nimbrel" leaves out a row: the others keep their deals, also those with Nimbrel. */
export const leaveOutRows = (slots: Slots, known: ReadonlyArray<KnownName>): Slots => {
  const kind = SHARED_KINDS.find((each) => hasRowsOf(slots, each))
  const named = slots.names.filter((name) => name.kind === kind)
  const [first] = named
  if (first === undefined || !named.every(({ negated, role }) => negated && role === undefined)) return slots
  const left = new Set(named.map(({ value }) => value))
  const kept = known.filter((name) => name.kind === kind && !left.has(name.value))
  if (kept.length === 0 || kept.length > MAX_KEPT) return slots
  const others = kept.map((name) => ({ ...first, ...name, negated: false, joined: "or" as const, others: [] }))
  return { ...slots, names: [...slots.names.filter((name) => name.kind !== kind), ...others] }
}
