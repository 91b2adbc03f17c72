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

const CALL = "(?:call|meeting|conversation|recording|demo)"
/** "What was said in the call?" */
const ONE_CALL = new RegExp(
  String.raw`${START}(?:what (?:else )?(?:was|were) (?:said|discussed|covered|talked about)|what happened|what did (?:they|we|you) (?:say|discuss|talk about|cover)|(?:please )?(?:summari[sz]e|recap|sum up)|(?:give me )?(?:a |the )?(?:summary|recap|highlights|key points|takeaways) (?:of|from))(?: (?:in|on|at|during))? (?:the|that|this|their|our) (?:(?:last|latest|first|recent) )?${CALL}\W*$`,
  "iu",
)
/** "Tell me about the Abelund Credit deal" */
const ABOUT = new RegExp(
  String.raw`${START}(?:(?:please )?(?:tell me (?:more )?about|brief me on|prep(?:are)? me for|what do we know about)|(?:give me )?an? (?:brief|overview|summary) (?:of|on)) (?:the )?(?:(?:deal|call|meeting|opportunity) (?:with|of|at) )?(?<name>.{2,80}?)(?: (?:deal|account|opportunity))?\W*$`,
  "iu",
)

/** Words of a turn that only chooses among deals: "the open one". */
const MAX_CHOICE = 3

/** Whether a question asks for one call that only the turns before it can name. */
export const asksOneCall = (question: string): boolean => ONE_CALL.test(question)

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
  if (asksOneCall(question)) return `what was said in the call with ${name}`
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
  let about: string | undefined
  for (const { role, content } of messages) {
    if (role !== "user") continue
    const question = content.trim()
    const name = last?.name ?? about
    completed = (last && selectBySign(question, last)) ?? (name === undefined ? undefined : complete(question, name))
    last = readSpoken(completed ?? question)
    const isContinued = completed !== undefined || question.split(/\s+/).length <= MAX_CHOICE
    about = ABOUT.exec(question)?.groups?.["name"] ?? (isContinued ? about : undefined)
  }
  return completed === undefined ? [] : [completed]
}

/** The wordings of the last question that calls answer before any number does. */
export const listFirstSpoken = (messages: ReadonlyArray<Message>): ReadonlyArray<string> => {
  const asked = messages.at(-1)?.content ?? ""
  return [...completeSpoken(messages), ...(asksForWords(asked) ? [asked] : [])]
}
