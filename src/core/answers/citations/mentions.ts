import type { Profile } from "./profile.ts"
import type { Fact } from "./facts.ts"
import { matches, type Value } from "./values.ts"
import { isField } from "./vocabulary.ts"

/** The words for ourselves, except "us": in "she told us" the speaker is another party. */
const WE = /\b(?:we|ours?|wir|unser\w*|nous|notre|nos|nôtre|nosotr[ao]s|nuestr[ao]s?)\b/iu

export const wordsOf = ({ text, stems, light }: Profile) => [...stems, ...light, ...(WE.test(text) ? ["we"] : [])]

/** A value of a text, with the words that it belongs to. */
export interface Mention {
  readonly value: Value
  /** The words that are nearer to it than to another value of its kind. */
  readonly near: ReadonlySet<string>
  /** The thing that it counts: "14 people". */
  readonly noun: string | undefined
  /** Whether it is a change or where a change begins or ends: "by 60, from 250 to 310". */
  readonly role: Role | undefined
}

export const findMentions = (profile: Profile): ReadonlyArray<Mention> => {
  const { text, values, words } = profile
  const we = [...text.matchAll(new RegExp(WE, "giu"))].map(({ index }) => ({
    word: "we",
    start: index,
    end: index + 2,
  }))
  const near = new Map(values.map((value) => [value, new Set<string>()]))
  for (const kind of new Set(values.map((value) => value.kind))) {
    const ofKind = values.filter((value) => value.kind === kind)
    for (const { word, start, end } of [...words, ...we]) {
      const gaps = ofKind.map((value) => (value.end <= start ? start - value.end : value.start - end + 1))
      near.get(ofKind[gaps.indexOf(Math.min(...gaps))]!)?.add(word)
    }
  }
  return values.map((value) => {
    const next = words.find(
      ({ start, end }) => start >= value.end && !profile.names.has(text.slice(start, end).toLowerCase()),
    )
    const isNext = next !== undefined && /^[\s-](?:\p{Lu}\p{L}*\s)*$/u.test(text.slice(value.end, next.start))
    return {
      value,
      near: near.get(value) ?? new Set(),
      noun: isNext && (isField(next.word) || profile.stems.has(next.word)) ? next.word : undefined,
      role: value.kind === "number" ? findRole(text.slice(0, value.start)) : undefined,
    }
  })
}

type Role = "change" | "new" | "old" | "not"

const ROLES: ReadonlyArray<readonly [RegExp, Role]> = [
  [/\b(?:by|um)\s$/iu, "change"],
  [/\b(?:to|auf)\s$/iu, "new"],
  [/\b(?:from|von)\s$/iu, "old"],
  [/\b(?:instead of|rather than|statt|anstatt|au lieu de|en lugar de|en vez de)\s$/iu, "not"],
]

const findRole = (before: string) => ROLES.find(([pattern]) => pattern.test(before))?.[1]

/** Whether one value can have the role of the other. What is "instead of $15" was $15 before. */
export const playsAlike = (stated: Role | undefined, known: Role | undefined): boolean =>
  stated === known ||
  (stated === undefined ? known !== "not" : known === undefined || (stated === "not" && known === "old"))

const isMoney = (value: Value) => value.kind === "number" && value.unit !== undefined && value.unit !== "%"

/** Whether the unit of a value says the word already: an amount of money is a price, and a time lasts. */
export const isGeneric = (word: string, value: Value): boolean =>
  value.kind === "number" &&
  ((value.days !== undefined && word === "term") || (isMoney(value) && (word === "price" || word === "amount")))

/** Whether the values are of the same kind: "six weeks" are not "six people", and no change "by 60" is one "to 60". */
export const isSameKind = (
  stated: Mention,
  known: Mention,
  kind: Fact["kind"],
  nouns: ReadonlySet<string | undefined>,
): boolean => {
  if (!playsAlike(stated.role, known.role)) return false
  if (stated.value.kind !== "number" || known.value.kind !== "number") return true
  // In a sentence, "$71" is no number of seats, and "from 8 to 18" no time of hours.
  if (isMoney(stated.value) !== isMoney(known.value) && (isMoney(stated.value) ? known : stated).noun !== undefined)
    return false
  if (stated.value.days !== undefined && known.value.days === undefined)
    return known.noun === undefined && (kind === "cell" || kind === "property")
  if (stated.noun === undefined || known.noun === undefined || stated.noun === known.noun) return true
  return !isField(stated.noun) && !nouns.has(stated.noun)
}

/** Tells values apart by kind, not by size: a claim could mean one value where the evidence has another that is alike. */
export const writeLikeness = (value: Value): string =>
  value.kind === "number" ? `number ${value.unit ?? ""} ${value.days !== undefined}` : value.kind

/** Whether the text has the value. */
export const states = ({ values }: Profile, value: Value): boolean => values.some((known) => matches(value, known))
