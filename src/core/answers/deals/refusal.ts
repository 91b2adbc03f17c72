import { nearest } from "../../common/nearest.ts"
import { asText } from "../citations/markdown.ts"
import { NOUNS } from "./lexicon.ts"
import type { KnownName, WorkspaceNames } from "./names.ts"
import { parse } from "./parse.ts"
import type { Today } from "./periods.ts"
import { makePlans } from "./plan.ts"
import type { Unknown } from "./slots.ts"
import { offerNames } from "./spelling.ts"

const MAX_OFFERED = 6
const QUESTIONS = 2

const joinOr = (names: ReadonlyArray<string>) =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`

const list = (names: ReadonlyArray<string>) =>
  `${names.slice(0, MAX_OFFERED).map(asText).join(", ")}${names.length > MAX_OFFERED ? ", …" : ""}`

/** Says which part is not understood, and the nearest things that the workspace has. */
const explain = ({ said, as, several }: Unknown, known: ReadonlyArray<KnownName>): string => {
  const quoted = `“${asText(said)}”`
  if (several !== undefined) return `${quoted} can mean ${joinOr(several.map(asText))}. Which one do you mean?`
  if (as === "conflict") return `${quoted} contradicts another part of the question, so no deal can match it.`
  const offers = offerNames(as, known)
  if (offers.length > 0) {
    const kinds = joinOr(offers.map(({ one }) => one))
    const has = offers.map(({ many, names }) => `${capitalize(many)}: ${list(closestFirst(said, names))}.`).join(" ")
    return `This workspace has no ${kinds} ${quoted}. ${has}`
  }
  const close = nearest(said, [...known.map(({ name }) => name), ...NOUNS.map(({ one }) => one)])
  const what = `I do not understand ${quoted}`
  return close.length > 0
    ? `${what}: it is no name, measure or group of this workspace. Closest: ${list(close)}.`
    : `${what}: it is no name, measure or group of this workspace. Deals can be grouped by ${DIMENSIONS}.`
}

const DIMENSIONS = "competitor, owner, client, region, industry, product, feature, reason, stage, deal type or date"

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

const closestFirst = (said: string, names: ReadonlyArray<string>) => {
  const close = nearest(said, names)
  return [...close, ...names.filter((name) => !close.includes(name))]
}

/** Questions that run in any workspace with deals. */
const GENERAL: ReadonlyArray<string> = [
  "What is our win rate by competitor?",
  "What is our pipeline by stage?",
  "Which competitor do we lose to most?",
  "Why do we lose?",
  "How many deals did we win last quarter?",
]

/** Questions that run: the one asked with a name instead of the unknown part, and general ones. */
const suggest = (
  question: string,
  unknown: ReadonlyArray<Unknown>,
  names: WorkspaceNames,
  today: Today,
): ReadonlyArray<string> => {
  const [first] = unknown
  const offered =
    first === undefined
      ? []
      : (first.several ?? offerNames(first.as, names.names).flatMap((each) => each.names.slice(0, 1)))
  const dimensions = first?.as === "other" ? ["region", "competitor"] : []
  const replaced = [...offered, ...dimensions].map((name) => question.replace(first?.said ?? question, name))
  const runs = (text: string) => {
    const slots = parse(text, names, today)
    return slots.unknown.length === 0 && makePlans(slots).length > 0
  }
  return [...new Set([...replaced, ...GENERAL])].filter(runs).slice(0, QUESTIONS)
}

/** Explains why a question is not answered: names each unknown part, what the workspace has, and questions that run. */
export const explainUnknown = (
  question: string,
  unknown: ReadonlyArray<Unknown>,
  names: WorkspaceNames,
  today: Today,
): string => {
  const reasons = unknown.map((each) => explain(each, names.names)).join(" ")
  const questions = suggest(question, unknown, names, today).map((each) => `- ${asText(each)}`)
  return `${reasons}\n\nYou can ask:\n${questions.join("\n")}\n`
}

/** Each part of the question was understood, but no filter combines them. */
export const NOT_COMBINABLE =
  "The parts of this question contradict each other, so no deal can match them. Ask with fewer conditions.\n"
