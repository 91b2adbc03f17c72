import type { Message } from "../Answerer.ts"
import { asksForWords, readSpoken, type SpokenQuestion, THINGS } from "./spokenQuestion.ts"

const START = String.raw`^\W*(?:(?:and|but|ok(?:ay)?|so|also)\W+)*`
const AT_CALL = String.raw`(?: (?:there|then|(?:in|on|at|of) (?:it|that|the|this)(?: (?:call|meeting|conversation|recording))?))?`

/** "Any objections?" */
const BARE = new RegExp(
  String.raw`${START}(?:(?:were|was|are|is) there )?(?:any|what|which|what about|how about)(?: (?:the|other|further|more|any))* (?<things>${THINGS})(?: (?:(?:did|do|have) (?:they|he|she)|from (?:them|him|her|their side)|raised)(?: (?:raise|have|make|ask|mention|give)[sd]?)?)?${AT_CALL}\W*$`,
  "iu",
)
/** "Who was the seller there?" */
const SPEAKERS = new RegExp(
  String.raw`${START}who (?:else )?(?:(?:was|is|were|are) (?:the |our )?(?:seller|rep|salesperson|account executive|ae|buyer|customer|participant)s?|(?:was|were|joined|attended|spoke|took part|is|are))${AT_CALL}\W*$`,
  "iu",
)
/** "What did they promise?" */
const THEY = new RegExp(
  String.raw`${START}(?<before>what (?:else )?(?:did|do|does|has|have)) (?:they|he|she) (?<rest>.+)$`,
  "iu",
)

/** "What did we promise them?" */
const THEM = new RegExp(
  String.raw`${START}(?<before>(?:what|when) (?:else )?(?:did|do|have) we .+?) (?:them|him|her)(?<rest>(?: .+)?)$`,
  "iu",
)

/** "Just the negative ones." */
const SIGN = new RegExp(
  String.raw`${START}(?:(?:just|only|what about|how about|show me) )?(?:the )?(?:(?<bad>negative|critical|bad|unhappy)|positive|good|happy) (?:ones|sentences|quotes|comments|statements|voices)\W*$`,
  "iu",
)

/** The sentences of one attitude about the thing that the last turn asked about, in all calls or in those of its name. */
const selectBySign = (question: string, { name, words }: SpokenQuestion): string | undefined => {
  const sign = SIGN.exec(question)?.groups
  if (sign === undefined || words === undefined) return undefined
  const things = sign["bad"] === undefined ? "praise" : "complaints"
  return name === undefined
    ? `Show me ${things} about ${words} from calls`
    : `what ${things} did ${name} raise about ${words}`
}

/** Puts `name`, whose calls the last turn asked about, into a question that lacks it; undefined if it lacks none. */
const complete = (question: string, name: string): string | undefined => {
  const things = BARE.exec(question)?.groups?.["things"]
  if (things !== undefined) return `what ${things} did ${name} raise`
  if (SPEAKERS.test(question)) return `who was on the call with ${name}`
  const they = THEY.exec(question)?.groups
  if (they !== undefined) return `${they["before"]} ${name} ${they["rest"]}`
  const them = THEM.exec(question)?.groups
  return them === undefined ? undefined : `${them["before"]} ${name}${them["rest"]}`
}

/** The last question of a conversation with the client or person of the call before, if it lacks one; else none. */
export const completeSpoken = (messages: ReadonlyArray<Message>): ReadonlyArray<string> => {
  let last: SpokenQuestion | undefined
  let completed: string | undefined
  for (const { role, content } of messages) {
    if (role !== "user") continue
    const question = content.trim()
    const name = last?.name
    completed = (last && selectBySign(question, last)) ?? (name === undefined ? undefined : complete(question, name))
    last = readSpoken(completed ?? question)
  }
  return completed === undefined ? [] : [completed]
}

/** The wordings of the last question that calls answer before any number does. */
export const listFirstSpoken = (messages: ReadonlyArray<Message>): ReadonlyArray<string> => {
  const asked = messages.at(-1)?.content ?? ""
  return [...completeSpoken(messages), ...(asksForWords(asked) ? [asked] : [])]
}
