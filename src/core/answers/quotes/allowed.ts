import { effectOnUs } from "../../analysis/extracted/effects.ts"
import { splitSentences } from "../../common/sentences.ts"
import type { Passage } from "../../search/SearchIndex.ts"
import type { Quote } from "../citations/References.ts"
import { readSpoken } from "../said/spokenQuestion.ts"
import { isAbout, isAboutRival, isRelevantTo } from "../subjects/compose.ts"
import type { Subject, SubjectQuestion } from "../subjects/subject.ts"
import type { AskedFact, TopicRequest } from "../subjects/topics.ts"
import type { Focus } from "./compose.ts"
import { statesFact } from "./statesFact.ts"
import { FILLER_WORDS } from "../subjects/vocabulary.ts"

/** The material that may answer a question: the passages that are searched, and the sentences in them. */
export interface Allowed {
  readonly passage: (passage: Passage) => boolean
  readonly quote: (quote: Quote) => boolean
  readonly focus: Focus
}

/** "What is our notice period?", "our notice period?": what clients and competitors say of theirs answers nothing. */
const OWN_TERMS =
  /^\W*(?:(?:(?:what|how (?:much|long|many|high))(?:'s|’s| is| are| does| do)?|do we have|(?:do|does)) )?(?:our|we) (?:own |standard |current |list )*(?:pric(?:e|es|ing)|list prices?|price lists?|notice periods?|contract terms|discounts?|discount polic\p{L}+|fees?|slas?|uptime|support hours|refund polic\p{L}+|trials?|charge)(?!\p{L})/iu

const isOfUs = ({ source, competitorId, dealId }: Passage) =>
  source === "document" && competitorId === null && dealId === null

/** "Where do we host data?": a document about a competitor says it only in a sentence about us. */
const OWN_DEEDS =
  /^\W*(?:(?:where|when|how(?: \p{L}+)?|wh(?:at|ich)(?: \p{L}+){0,2}) )?(?:do|does|can|are) we (?:\p{L}+ )?(?:offer|have|host|store|keep|encrypt|provide|include|run|use|sell|certified)(?!\p{L})/iu
const NAMES_US = /(?<!\p{L})(?:we|us|ours?)(?!\p{L})/iu
const saysOfUs = ({ passage, start, end }: Quote) =>
  passage.competitorId === null ? passage.source === "document" : NAMES_US.test(passage.text.slice(start, end))

export const competitorOf = (subject: Subject | undefined): Subject | undefined =>
  subject?.kind === "competitor" ? subject : undefined

/** Matches "Which customers told us that …" and "Who complained …", which only the words of buyers answer. */
const OF_BUYERS =
  /(?<!\p{L})(?:who|which (?:of our )?(?:customers?|clients?|buyers?|prospects?|accounts?|people)|any(?:one|body)) (?:(?:has|have|ever|actually) )*(?:(?:told us|tells? us|said(?: to us)?|says?|claims?|claimed) that|complain\p{L}*|objected|objects?)(?!\p{L})/iu

/** Whether a question asks for what buyers say, which only the texts of deals have. */
export const isOfBuyers = (question: string): boolean => OF_BUYERS.test(question)

/** The sentences that judge as the question does: what pleases clients is no answer to what they are not happy with. */
export const judgesAlike = (question: string): ((sentence: string) => boolean) | undefined => {
  const attitude = readSpoken(question)?.attitude
  return attitude === "positive" || attitude === "negative"
    ? (sentence) => effectOnUs(sentence) === attitude || sentence.includes(`(${attitude})`)
    : undefined
}

const ADVICE =
  /^\W*(?:how (?:do|can|should|could|would|to)(?!\p{L})|what (?:do|should|can|could|would) (?:i|we|you) (?:say|answer|reply|respond|tell)(?!\p{L}))/iu

/** Whether a question asks how to act, which no number says. */
export const asksAdvice = (question: string): boolean => ADVICE.test(question)

/** "Did Orvanta change its prices?": a reason why we lost to it says nothing of what it does. */
const ASKS_DEED = /^\W*(?:(?:when|where|wh(?:at|ich) \p{L}+) )?(?:did|does|has|is|will|was)(?!\p{L})/iu

/** "Lead with single sign-on": what sellers should do says nothing of what a competitor has. */
const ADVISES =
  /^\W*(?:lead with|ask|offer|show|stress|highlight|emphasi[sz]e|mention|pitch|position|bring|point|use|send)(?!\p{L})/iu

/** A sentence about the one that the sentence before it begins with. */
const CONTINUES = /^\W*(?:it|they|its|their)(?!\p{L})/iu

/** The sentence that names what "it" or "they" means: itself, or the nearest before it without such a beginning. */
const findNaming = ({ passage, start, end }: Quote): string =>
  [
    passage.text.slice(start, end),
    ...splitSentences(passage.text.slice(0, start))
      .toReversed()
      .map(({ text }) => text),
  ].find((sentence) => !CONTINUES.test(sentence)) ?? ""

/** "How do I beat Orvanta?": the number of deals that we won says nothing of how. */
const TO_BEAT =
  /^\W*(?:how (?:do|can|could|should|would|to)(?: (?:i|we|you|one|reps?|sellers?))?(?: (?:best|ever))? (?:beat|outsell|displace|counter|position|handle|sell against|compete (?:with|against)|win (?:against|over))|what(?:['’]s| is) the (?:best )?way to (?:beat|win against))(?!\p{L})/iu

/** Whether a question asks for advice against a competitor. */
export const asksToBeat = (question: string): boolean => TO_BEAT.test(question)

/** Without a subject every text may answer; without topics only sentences that are about no rival of it. */
const allowTexts = (
  question: string,
  subject: Subject | undefined,
  request: TopicRequest | undefined,
): Pick<Allowed, "passage" | "quote"> => {
  if (isOfBuyers(question)) {
    const isMeant = subject === undefined ? () => true : isAbout(subject)
    return { passage: (each) => each.dealId !== null && isMeant(each), quote: () => true }
  }
  if (subject === undefined)
    return {
      passage: OWN_TERMS.test(question) ? isOfUs : () => true,
      quote: OWN_DEEDS.test(question) ? saysOfUs : () => true,
    }
  if (request !== undefined) return { passage: isRelevantTo(subject, request), quote: () => true }
  const isAboutOther = isAboutRival(subject)
  const first = (subject.name.split(" ")[0] ?? "").toLowerCase()
  const names = (text: string) => text.toLowerCase().includes(first)
  const isDeed = ASKS_DEED.test(question)
  // A document that belongs to no competitor is about us, so only the sentences that name the competitor are about it.
  const isOurs = (each: Quote) => {
    const { passage, start, end } = each
    const sentence = passage.text.slice(start, end)
    if (subject.kind !== "competitor") return false
    if (isDeed && (passage.source === "deal" || ADVISES.test(sentence))) return true
    if (passage.competitorId === subject.id || names(sentence)) return false
    if (passage.dealId !== null) return true
    const isNoted = names([passage.name, ...passage.headings].join(" "))
    return !isNoted && !(CONTINUES.test(sentence) && findNaming(each).toLowerCase().startsWith(first))
  }
  return { passage: isAbout(subject), quote: (each) => !isAboutOther(each) && !isOurs(each) }
}

/** The first of the `questions` to try has what a follow-up continues. `asked` is what the last one asks about its subject; of a competitor's own business a text states all of it. */
export const allow = (
  questions: ReadonlyArray<string>,
  subject: Subject | undefined,
  request: TopicRequest | undefined,
  asked: ReadonlyArray<string>,
  isForeign: boolean,
  fact?: AskedFact,
): Allowed => {
  const question = questions.at(-1) ?? ""
  const states =
    fact !== undefined
      ? (sentence: string) => fact.statement.test(sentence)
      : isForeign
        ? statesFact(question, asked)
        : judgesAlike(question)
  return {
    ...allowTexts(questions[0] ?? "", subject, request),
    focus: { asked: asked.join(" "), states, subject: competitorOf(subject) },
  }
}

/** The words of a question that are neither its subject nor fillers; of a rival's own business every content word. Topics take all. */
export const describeAsked = (
  about: SubjectQuestion | undefined,
  request: TopicRequest | undefined,
  isForeign: boolean,
  fact?: AskedFact,
): ReadonlyArray<string> => {
  if (fact !== undefined) return [fact.asked]
  if (about === undefined || request !== undefined) return []
  const fillers = FILLER_WORDS[about.subject.kind === "competitor" ? "competitor" : "deal"]
  // "How long does a setup take" asks about the setup.
  const [, measured = ""] = HOW_MUCH.exec(about.reader.original) ?? []
  const words = about.reader
    .unread()
    .flatMap(({ text }) => (measured !== "" && isMeasure(text, measured) ? [] : [text]))
  return words.filter((word) => isForeign || !fillers.has(word))
}

const HOW_MUCH = /^\W*how (long|fast|far|old|big|large|often)(?!\p{L})/iu
const isMeasure = (word: string, measured: string) =>
  word === measured.toLowerCase() || /^(?:takes?|took|lasts?)$/.test(word)
