import { editDistance } from "../../../common/nearest.ts"
import type { Effort } from "./Effort.ts"
import { countDifferent, makeIndex, maskLetters, type NameIndex } from "./nameIndex.ts"
import { KINDS, type Kind, type KnownName } from "../words/names.ts"
import { NOUNS } from "../words/lexicon.ts"

/** The meaning of an unread part of a question: a known name, a word of questions, one of several names, or nothing known. */
export interface Spelling {
  readonly said: string
  /** The word that was meant, if that is clear. */
  readonly meant?: string
  /** Whether `meant` is a name, which the answer mentions. */
  readonly isName?: boolean
  /** The names that the part can mean equally. */
  readonly several?: ReadonlyArray<string>
}

/** Words of questions that people misspell. */
const VOCABULARY: ReadonlyArray<string> = `
  deals opportunities pipeline revenue bookings average median amount value competitor competitors customer customers client clients
  account accounts region regions industry industries product products feature features reason reasons stage stages owner owners
  segment segments quarter quarterly month monthly weekly year yearly share percentage overdue biggest largest smallest highest
  lowest which where closed created against without between because compared trend cycle requested negative positive
  territory sector vertical rival rivals vendor vendors lose lost losses winning`
  .trim()
  .split(/\s+/)

/** Common words that are one letter away from names and words of questions. They are no misspellings of these. */
export const COMMON_WORDS: ReadonlySet<string> = new Set(
  `last list least past cost costs most lose lots lets book books look work core care case chase phase rates once older other
  order under want went wait wine winner done down does dead deal dial real near year hear here there these those them then
  than that what when where while which whole part park mark market place price prices page pages past paid plan plans play
  point points size site sides side sign signs time times term terms team teams threat treat trend stay stage state states
  since stuff still step steps stop stock start smart small tell call calls all ball both many money mine fine line live love
  give gave good gold food gone game name same some come came role rule rank risk rich reach each teach leads lead load road
  read ready rest best test text next need seed feed free tree three front from form firm film fill full pull push rush`
    .trim()
    .split(/\s+/),
)

/** Letters that may be wrong in a word of so many letters. */
const allowance = (length: number) => (length < 4 ? 0 : length < 8 ? 1 : 2)

/** Whether a word can be a misspelling of another, both in lower case. */
export const isMisspelt = (word: string, meant: string): boolean =>
  Math.abs(word.length - meant.length) <= 2 &&
  editDistance(word, meant) <= allowance(Math.min(word.length, meant.length))

interface Candidate {
  readonly name: string
  readonly kind?: Kind
  readonly at: number
  readonly distance: number
}

/** Finds what a part means by its spelling: the whole part first, then each of its words. */
export const correctSpelling = (said: string, known: ReadonlyArray<KnownName>, effort: Effort): Spelling => {
  const index = makeIndex(known)
  const find = (part: string) =>
    COMMON_WORDS.has(part.toLowerCase()) || !effort.considers(part) ? undefined : findClosest(part, index, effort)
  const whole = find(said)
  if (whole !== undefined) return whole
  for (const word of said.split(/\s+/)) {
    const found = word === said ? undefined : find(word)
    if (found !== undefined) return found
  }
  return { said }
}

/** The distance of two words in lower case; undefined if they differ too much, or if the effort is used up. */
const measureDistance = (a: string, b: string, effort: Effort): number | undefined => {
  const shorter = Math.min(a.length, b.length)
  // Short words differ in one letter by chance.
  if (shorter < 5 && a[0] !== b[0]) return undefined
  if (!effort.compares()) return undefined
  const distance = editDistance(a, b)
  return distance <= allowance(shorter) ? distance : undefined
}

/** The letters that may differ between texts that are alike. Counting them sorts before the costly comparison. */
const maxDifferent = (a: number, b: number) => 2 * allowance(Math.min(a, b))

const WORDS = VOCABULARY.map((word) => ({ word, letters: maskLetters(word) }))

const findClosest = (said: string, index: NameIndex, effort: Effort): Spelling | undefined => {
  if (effort.isUsedUp) return undefined
  const low = said.toLowerCase()
  const letters = maskLetters(low)
  const nearest = new Map<KnownName, Candidate>()
  for (let length = Math.max(low.length - 2, 1); length <= low.length + 2; length++) {
    for (const { of, at, low: written } of index.near(length, letters, maxDifferent(length, low.length))) {
      // "Evaluations" are deals, not a misspelling of the stage.
      const distance = of.kind === "stage" && low === `${written}s` ? undefined : measureDistance(low, written, effort)
      if (distance === undefined || distance >= (nearest.get(of)?.distance ?? Infinity)) continue
      nearest.set(of, { name: of.name, kind: of.kind, at, distance })
    }
  }
  const words = WORDS.flatMap(({ word, letters: ofWord }): ReadonlyArray<Candidate> => {
    if (low.length < 4 || low[0] !== word[0] || Math.abs(low.length - word.length) > 2) return []
    if (countDifferent(letters, ofWord) > maxDifferent(low.length, word.length)) return []
    const distance = measureDistance(low, word, effort)
    return distance === undefined ? [] : [{ name: word, at: 0, distance }]
  })
  // A word that was not compared may be nearer.
  if (effort.isUsedUp) return undefined
  const all = [...nearest.values()]
    .toSorted((a, b) => a.at - b.at)
    .concat(words)
    .toSorted((a, b) => a.distance - b.distance || Number(a.kind === undefined) - Number(b.kind === undefined))
  const [best] = all
  if (best === undefined) return undefined
  // A word of questions is no name to choose: "the region region" is nonsense.
  const equal = new Set(
    all.filter(({ distance, kind }) => distance === best.distance && kind !== undefined).map(({ name }) => name),
  )
  // Several words of questions are forms of one: "competitor" and "competitors".
  if (best.kind === undefined) return { said, meant: best.name, isName: false }
  return equal.size === 1 ? { said, meant: best.name, isName: true } : { said, several: [...equal].slice(0, 6) }
}

/** The kinds that a part can be, by the words around it. */
const KINDS_BY_ROLE: Readonly<Record<string, ReadonlyArray<Kind>>> = {
  competitor: ["competitor"],
  owner: ["owner"],
  place: ["region", "industry"],
  reason: ["reason"],
}

/** Names to offer instead of an unknown part: a few of the kinds that it can be. */
export const offerNames = (
  as: string,
  known: ReadonlyArray<KnownName>,
): ReadonlyArray<{
  readonly kind: Kind
  readonly many: string
  readonly one: string
  readonly names: ReadonlyArray<string>
}> =>
  (KINDS_BY_ROLE[as] ?? []).flatMap((kind) => {
    const names = known.filter((each) => each.kind === kind).map(({ name }) => name)
    const noun = NOUNS.find(({ dimension }) => dimension === KINDS[kind])
    return names.length === 0 || noun === undefined ? [] : [{ kind, many: noun.many, one: noun.one, names }]
  })
