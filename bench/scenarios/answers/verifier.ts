import { Evidence, weighByRarity, splitUnits, type Weigh } from "../../../src/core/answers/citations/verifier.ts"
import { makeProfile } from "../../../src/core/answers/citations/profile.ts"
import { HELD_OUT_HALF } from "../../../test/answers/claims/heldOutHalf.ts"
import { citedShare, judgeClaims } from "../../../test/answers/claims/judge.ts"
import { HELD_OUT } from "../../../test/answers/fields/heldOut.ts"
import { countCited, judge as judgeFields, KINDS as FIELD_KINDS } from "../../../test/answers/fields/judge.ts"
import { TUNING } from "../../../test/answers/fields/tuning.ts"
import { WORK_HALF } from "../../../test/answers/claims/workHalf.ts"
import { WORK_MORE } from "../../../test/answers/claims/workMore.ts"
import { makeRandom, type Random } from "../../../test/support/random.ts"
import { heading, judge, judgeLeast, table } from "../../support/report.ts"
import { cranfield, squad } from "../../support/retrieval.ts"

/** The passages behind an answer. The weights of words come from these. */
const BESIDE = 8

/** A name within a sentence, and a number. */
const NAME = /(?<=[a-z,] )\p{Lu}\p{Ll}{2,}/gu
const NUMBER = /\p{N}[\p{N}.,]*(?<=\p{N})/gu

const claimsOf = (text: string) =>
  splitUnits(text)
    .map(({ start, end }) => text.slice(start, end))
    .filter((sentence) => sentence.split(/\s+/).length >= 5)

/** Replaces one match in the sentence. Undefined if nothing matches or changes. */
const changed = (random: Random, sentence: string, pattern: RegExp, other: (word: string) => string) => {
  const found = [...sentence.matchAll(pattern)]
  if (found.length === 0) return undefined
  const { 0: word, index } = random.pick(found)
  const instead = other(word)
  return instead === word ? undefined : sentence.slice(0, index) + instead + sentence.slice(index + word.length)
}

const otherNumber = (random: Random) => (number: string) => {
  const digits = [...number.matchAll(/\d/g)].map(({ index }) => index)
  const at = random.pick(digits)
  return number.slice(0, at) + String((Number(number[at]) + 1 + random.below(9)) % 10) + number.slice(at + 1)
}

const KINDS = ["as it stands", "of a passage beside", "a name changed", "a number changed"] as const
type Kind = (typeof KINDS)[number]

/** Measures how often the verifier accepts a claim, by how the claim was made. */
const accepted = (documents: ReadonlyArray<{ readonly name: string; readonly chunks: ReadonlyArray<string> }>) => {
  const random = makeRandom(1)
  const text = documents.flatMap(({ chunks }) => chunks).join("\n")
  const words = new Set(text.match(/(?<!\p{L})\p{Ll}+/gu))
  const names = [...new Set(text.match(NAME))].filter((name) => !words.has(name.toLowerCase()))
  const tally = Object.fromEntries(KINDS.map((kind) => [kind, { tried: 0, accepted: 0 }])) as Record<
    Kind,
    { tried: number; accepted: number }
  >
  const ask = (kind: Kind, evidence: Evidence, weigh: Weigh, claim: string | undefined) => {
    if (claim === undefined) return
    tally[kind].tried++
    if (evidence.find(makeProfile(claim), weigh) !== undefined) tally[kind].accepted++
  }
  for (const { name, chunks: passages } of documents) {
    const evidence = passages.map((passage) => new Evidence(passage, { labels: name.replaceAll("_", " ") }))
    for (const [n, passage] of passages.entries()) {
      const from = Math.max(0, Math.min(n - BESIDE / 2, passages.length - BESIDE))
      const weigh = weighByRarity(evidence.slice(from, from + BESIDE))
      const own = evidence[n]!
      for (const claim of claimsOf(passage)) {
        ask("as it stands", own, weigh, claim)
        if (names.length > 0)
          ask(
            "a name changed",
            own,
            weigh,
            changed(random, claim, NAME, () => random.pick(names)),
          )
        ask("a number changed", own, weigh, changed(random, claim, NUMBER, otherNumber(random)))
      }
      for (const beside of passages.slice(from, from + BESIDE)) {
        const claims = beside === passage ? [] : claimsOf(beside)
        if (claims.length > 0) ask("of a passage beside", own, weigh, random.pick(claims))
      }
    }
  }
  return tally
}

/** Groups texts into documents of this many. */
const bound = (all: ReadonlyArray<string>, size: number) =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, n) => ({
    name: `volume ${n}`,
    chunks: all.slice(n * size, (n + 1) * size),
  }))

/** Measures which share of claims the verifier accepts, among those that it should and should not accept. */
export const verifier = async () => {
  heading("Verifier: sentences held to be carried by a passage")
  const sets = {
    SQuAD: accepted(squad().documents),
    Cranfield: accepted(
      bound(
        cranfield().documents.flatMap(({ chunks }) => chunks),
        50,
      ),
    ),
  }
  const share = (kind: Kind) => {
    const all = Object.values(sets).map((set) => set[kind])
    const sum = (field: "tried" | "accepted") => all.reduce((total, one) => total + one[field], 0)
    return (100 * sum("accepted")) / sum("tried")
  }
  const cell = ({ tried, accepted }: { readonly tried: number; readonly accepted: number }) =>
    tried === 0 ? "" : `${((100 * accepted) / tried).toFixed(2)} % of ${tried}`
  table(
    ["the sentence is", ...Object.keys(sets)],
    KINDS.map((kind) => [kind, ...Object.values(sets).map((set) => cell(set[kind]))]),
  )
  console.log("")
  judge("verifier: sentences as they stand, not accepted", 100 - share("as it stands"), 1, "%")
  judge("verifier: sentences of passages beside, accepted", share("of a passage beside"), 2, "%")
  judge("verifier: sentences with a name changed, accepted", share("a name changed"), 0, "%")
  judge("verifier: sentences with a number changed, accepted", share("a number changed"), 5, "%")
  phrased()
  inFields()
}

/** Measures which share of sentences is cited, as models phrase them, by whether the passage states them. */
const phrased = () => {
  heading("Verifier: sentences as models phrase them")
  const halves = { work: judgeClaims([...WORK_HALF, ...WORK_MORE]), "held out": judgeClaims(HELD_OUT_HALF) }
  table(
    ["the sentence is", ...Object.keys(halves)],
    (["supported", "exchanged", "foreign"] as const).map((kind) => [
      kind,
      ...Object.values(halves).map(
        (judged) => `${citedShare(judged, kind).toFixed(1)} % of ${judged.filter((each) => each.kind === kind).length}`,
      ),
    ]),
  )
  console.log("")
  const judged = halves["held out"]
  judgeLeast("verifier: sentences as models phrase them, cited", citedShare(judged, "supported"), 85, "%")
  judge("verifier: sentences with values exchanged, cited", citedShare(judged, "exchanged"), 5, "%")
  judge("verifier: sentences with values from nowhere, cited", citedShare(judged, "foreign"), 0, "%")
}

/** Measures by kind which share of sentences is cited, in four languages. */
const inFields = () => {
  heading("Verifier: sentences by field, in English, German, French and Spanish")
  const sets = { tuned: countCited(judgeFields(TUNING)), "held out": countCited(judgeFields(HELD_OUT)) }
  table(
    ["kind", ...Object.keys(sets)],
    FIELD_KINDS.map((kind) => [kind, ...Object.values(sets).map((set) => `${set[kind][0]} of ${set[kind][1]}`)]),
  )
  console.log("")
  const share = (...kinds: ReadonlyArray<(typeof FIELD_KINDS)[number]>) => {
    const sum = (at: 0 | 1) => kinds.reduce((total, kind) => total + sets["held out"][kind][at], 0)
    return (100 * sum(0)) / sum(1)
  }
  judgeLeast("verifier: true paraphrases, cited", share("paraphrase"), 85, "%")
  judge("verifier: exchanged values and subjects, cited", share("value", "subject"), 5, "%")
  judge("verifier: numbers and names from nowhere, cited", share("number", "name"), 0, "%")
}
