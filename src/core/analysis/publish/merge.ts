import { SUMMARY_SECTIONS } from "../../deals/columns/summary.ts"
import type { WrittenSection } from "../written.ts"
import type { KeyQuote, Published, Score } from "./published.ts"

interface Lists<T> {
  /** The entries of the deal. */
  readonly current: ReadonlyArray<T>
  /** The entries that the last analysis wrote. */
  readonly before: ReadonlyArray<T>
  /** The entries that this analysis proposes. */
  readonly proposed: ReadonlyArray<T>
  readonly keyOf: (entry: T) => string
  readonly isSame: (a: T, b: T) => boolean
}

/**
 * Merges a proposal into a list that people edit, too. An entry that the last analysis wrote and nobody changed follows the proposal; every
 * other entry stays, and an entry that somebody removed does not come back. `ours` is what to remember as written.
 */
export const mergeList = <T>({ current, before, proposed, keyOf, isSame }: Lists<T>) => {
  const written = new Map(before.map((each) => [keyOf(each), each]))
  const wanted = new Map(proposed.map((each) => [keyOf(each), each]))
  const present = new Set(current.map(keyOf))
  const next: Array<T> = []
  const ours: Array<T> = []
  for (const entry of current) {
    const key = keyOf(entry)
    const last = written.get(key)
    if (last === undefined || !isSame(last, entry)) {
      next.push(entry)
      continue
    }
    const replacement = wanted.get(key)
    if (replacement === undefined) continue
    next.push(replacement)
    ours.push(replacement)
  }
  for (const [key, entry] of wanted) {
    if (present.has(key)) continue
    ours.push(entry)
    if (!written.has(key)) next.push(entry)
  }
  return { next, ours }
}

type Summary = Readonly<Record<string, unknown>>

const isQuote = (entry: unknown): entry is KeyQuote =>
  typeof entry === "object" && entry !== null && "quote" in entry && typeof entry.quote === "string"

/** The summary with the new sections; undefined if it stays as it is, as an older one of plain text does. */
export const mergeSummary = (
  current: unknown,
  before: Pick<Published, "sections" | "keyQuotes">,
  sections: ReadonlyArray<WrittenSection>,
  quotes: ReadonlyArray<KeyQuote>,
) => {
  if (typeof current === "string") return { summary: undefined, ours: { sections: {}, keyQuotes: [] } }
  const summary = typeof current === "object" && current !== null ? (current as Summary) : {}
  const { next, ours } = mergeSections(summary, before.sections, sections)
  const { key_quotes } = summary
  const merged = mergeList<unknown>({
    current: Array.isArray(key_quotes) ? key_quotes : [],
    before: before.keyQuotes,
    proposed: quotes,
    keyOf: (entry) => (isQuote(entry) ? JSON.stringify([entry.speaker ?? null, entry.quote]) : JSON.stringify(entry)),
    // An entry to which somebody has added a field is theirs.
    isSame: (_, entry) => Object.keys(entry as object).length === 2,
  })
  if (key_quotes === undefined || key_quotes === null || Array.isArray(key_quotes)) {
    if (merged.next.length > 0) next["key_quotes"] = merged.next
    else delete next["key_quotes"]
  }
  const isEmpty = Object.keys(next).length === 0
  return {
    summary: isEmpty ? (current === null ? undefined : null) : next,
    ours: { sections: ours as Published["sections"], keyQuotes: merged.ours.filter(isQuote) },
  }
}

/** The summary with the new texts of its sections. `ours` has those that an analysis wrote. */
const mergeSections = (
  summary: Summary,
  before: Published["sections"],
  sections: ReadonlyArray<WrittenSection>,
): { readonly next: Record<string, unknown>; readonly ours: Record<string, string> } => {
  const next: Record<string, unknown> = { ...summary }
  const ours: Record<string, string> = {}
  for (const name of SUMMARY_SECTIONS) {
    if (name === "key_quotes") continue
    const written = before[name]
    const present = summary[name] ?? undefined
    if (present !== written) {
      // Somebody removed it: remembered, so that it does not come back.
      if (written !== undefined && present === undefined) ours[name] = written
      continue
    }
    const text = sections.find((each) => each.name === name)?.text ?? undefined
    if (text === undefined) delete next[name]
    else next[name] = ours[name] = text
  }
  return { next, ours }
}

interface Values<T> {
  /** The values of the deal; a key without a value has none. */
  readonly current: Readonly<Partial<Record<string, T>>>
  /** The values that the last analysis wrote. */
  readonly before: Readonly<Partial<Record<string, T>>>
  /** The values that this analysis proposes. */
  readonly proposed: Readonly<Partial<Record<string, T>>>
  readonly isSame: (a: T, b: T) => boolean
}

/** Merges named values by the rule of `mergeList`. `next` has those to write; undefined there clears a value. */
export const mergeValues = <T>({ current, before, proposed, isSame }: Values<T>) => {
  const next: Record<string, T | undefined> = {}
  const ours: Record<string, T> = {}
  for (const key of new Set([...Object.keys(before), ...Object.keys(proposed)])) {
    const [now, written, after] = [current[key], before[key], proposed[key]]
    const isOurs = now === undefined ? written === undefined : written !== undefined && isSame(now, written)
    if (!isOurs) {
      // Somebody removed it: remembered, so that it does not come back.
      if (written !== undefined && now === undefined) ours[key] = written
      continue
    }
    next[key] = after
    if (after !== undefined) ours[key] = after
  }
  return { next, ours }
}

const isEmptyScore = ({ score, explanation }: Score) => score === null && explanation === null

/** Scores without those that are empty. */
const filled = (scores: Readonly<Partial<Record<string, Score>>>) =>
  Object.fromEntries(
    Object.entries(scores).flatMap(([key, each]) => (each === undefined || isEmptyScore(each) ? [] : [[key, each]])),
  ) as Readonly<Record<string, Score>>

/** Merges scores, each by its metric. */
export const mergeScores = (
  current: Readonly<Partial<Record<string, Score>>>,
  before: Readonly<Partial<Record<string, Score>>>,
  written: ReadonlyArray<Score & { readonly metric: string }>,
) =>
  mergeValues({
    current: filled(current),
    before,
    proposed: filled(
      Object.fromEntries(written.map(({ metric, score, explanation }) => [metric, { score, explanation }])),
    ),
    isSame: (a, b) => a.score === b.score && a.explanation === b.explanation,
  })

/** Scores as an import record has them. */
export const asFields = (next: Readonly<Record<string, Score | undefined>>) =>
  Object.fromEntries(Object.entries(next).map(([key, each]) => [key, each ?? { score: null, explanation: null }]))
