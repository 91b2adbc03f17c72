import { findNoun, phrase } from "../words/lexicon.ts"
import { KINDS } from "../words/names.ts"
import type { Slots } from "../parse/slots.ts"

const OPENING = String.raw`^\W*(?:(?:and|or|but|so|ok(?:ay)?|now|what about|how about|versus|vs\.?|compared (?:to|with))\W+)*`
const PREPOSITION = String.raw`(?:(?:for|in|against|with|by|of|from|to|among) )?`
/** "And for the other types?" */
const OTHERS = new RegExp(
  String.raw`${OPENING}${PREPOSITION}(?:(?:all|the|our|each of|any|every) )*(?:others?|remaining|rest of the) (?<noun>\p{L}[\p{L} ]*?)\W*$`,
  "iu",
)
/** "And against everyone else?" */
const REST = new RegExp(
  String.raw`${OPENING}${PREPOSITION}(?:everyone else|everybody else|anyone else|all (?:the )?others|the (?:others|rest)|everything else|everywhere else)\W*$`,
  "iu",
)
/** "Both together" */
const BOTH = new RegExp(
  String.raw`${OPENING}${PREPOSITION}(?:(?:both|the two|all)(?: of (?:them|those|these))? ?)?(?:together|combined|in total|added up|summed(?: up)?|both|the two)\W*$`,
  "iu",
)

/** "Types" of deals have no noun that names them alone. */
const nounOf = (kind: keyof typeof KINDS) =>
  `${findNoun(KINDS[kind])?.words ?? kind}${kind === "deal_type" ? "|types?" : ""}`

/** The question before about all others than the names that it has; undefined if the next one asks for none. */
const askOthers = (before: Slots, question: string): Slots | undefined => {
  const noun = OTHERS.exec(question)?.groups?.["noun"]?.toLowerCase()
  if (noun === undefined && !REST.test(question)) return undefined
  const kinds = [...new Set(before.names.map(({ kind }) => kind))].filter(
    (kind) => noun === undefined || phrase(nounOf(kind)).exec(noun)?.[0] === noun,
  )
  const [kind] = kinds
  const isNegated = before.names.some((name) => name.kind === kind && (name.negated || name.role !== undefined))
  // Deals without a competitor are against nobody.
  const isOfRivals = kind === "competitor" && noun === undefined
  if (kind === undefined || kinds.length > 1 || isNegated || isOfRivals || before.isShare)
    return refuse(before, question)
  return {
    ...before,
    names: before.names.map((name) => (name.kind === kind ? { ...name, negated: true, joined: undefined } : name)),
    groups: noun === undefined ? before.groups : [KINDS[kind]],
    compare: undefined,
  }
}

/** The question before about its name and the one that it replaced; undefined if the next one asks for no sum. */
const addUp = (earlier: Slots | undefined, before: Slots, question: string): Slots | undefined => {
  if (!/both|two/i.test(question) || !BOTH.test(question)) return undefined
  const replaced = (earlier?.names ?? []).filter(
    ({ value, kind }) =>
      before.names.some((each) => each.kind === kind) && !before.names.some((each) => each.value === value),
  )
  const [first, ...more] = replaced
  const isSame = JSON.stringify(earlier?.periods) === JSON.stringify(before.periods)
  if (first === undefined || more.length > 0 || !isSame || first.negated) return refuse(before, question)
  return {
    ...before,
    names: [
      first,
      ...before.names.map((name) => (name.kind === first.kind ? { ...name, joined: "or" as const } : name)),
    ],
    compare: undefined,
  }
}

const refuse = (before: Slots, question: string): Slots => ({
  ...before,
  unknown: [...before.unknown, { said: question.replaceAll(/^\W+|(?<!\W)\W+$/gu, ""), as: "unused" }],
})

/** Changes the names of the questions before: to the others, or to both together. Undefined if the question asks for neither. */
export const changeNames = (earlier: Slots | undefined, before: Slots, question: string): Slots | undefined =>
  askOthers(before, question) ?? addUp(earlier, before, question)
