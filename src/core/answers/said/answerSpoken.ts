import * as Effect from "effect/Effect"
import { effectOnUs } from "../../analysis/extracted/effects.ts"
import { isPromise, isTakenBack } from "../../analysis/extracted/speech.ts"
import { findTopics, type Topic } from "../../analysis/extracted/topics.ts"
import { NEGATIONS } from "../../analysis/extracted/lexicon.ts"
import { splitWords } from "../../analysis/find/words.ts"
import { fold } from "../../common/fold.ts"
import { type Passage, SearchIndex, type SearchResult } from "../../search/SearchIndex.ts"
import { Database } from "../../storage/Database.ts"
import { text } from "../Answerer.ts"
import { type Asker, readsDeals, readsDocuments } from "../Asker.ts"
import { asText } from "../citations/markdown.ts"
import { comparesWithSame } from "../quotes/comparison.ts"
import { isQuestion } from "../quotes/instructions.ts"
import { TermMatcher } from "../quotes/TermMatcher.ts"
import { readDocuments } from "../subjects/sections.ts"
import { type Attitude, readSpoken, type SpokenQuestion } from "./spokenQuestion.ts"
import { findSpoken, readSides, type SpokenSentence } from "./spokenSentences.ts"
import { asksOneCall } from "./spokenTurns.ts"
import { describeSought, writeFound, writeSpeakers, writeSpoken } from "./writeSpoken.ts"

/** In UTF-16 units. */
const MAX_LENGTH = 300
/** Passages that a search returns. */
const MAX_PASSAGES = 60
/** The newest deals of a name. */
const MAX_DEALS = 50
/** The newest documents of a name that are read, and the chunks of each. */
const MAX_DOCUMENTS = 12
const MAX_CHUNKS = 80
/** The newest documents whose speakers are compared with a name, and a name that can be that of a person. */
const MAX_SPEAKER_DOCUMENTS = 500
/** The newest calls that are read for all sentences of an attitude. */
const MAX_CALLS = 100
const PERSON = /^\p{L}[\p{L}'’.-]+(?: \p{L}[\p{L}'’.-]+){1,3}$/u
const NO_PERSON = /(?<!\p{L})(?:from|of|at|the|with|for|card|battlecard|document|email|e-mail|notice)(?!\p{L})/iu
/** A claim of fewer words may be denied in its sentence without being wrong. */
const MIN_CLAIM_WORDS = 3

const WHICH_CALL = "Which call do you mean? Ask with the name of its client or deal."

/**
 * Answers what is said in calls: by everybody, in the deals that a name selects, or by a person. `wordings` are a question as written,
 * and as it is completed or corrected; the first that asks for it counts. Undefined if none does, or no call has what it asks.
 */
export const answerSpoken = Effect.fn("Answers.spoken")(function* (asker: Asker, wordings: ReadonlyArray<string>) {
  if (!readsDeals(asker) || !readsDocuments(asker)) return undefined
  const [asked] = wordings.flatMap((each) => (each.length > MAX_LENGTH ? [] : (readSpoken(each) ?? [])))
  if (wordings.some(asksOneCall)) return [text(WHICH_CALL)]
  if (asked === undefined) return undefined
  if (asked.name !== undefined) return yield* answerNamed(asker, asked, asked.name)
  const found = yield* asked.words === undefined ? answerEvery(asker, asked) : answerAll(asker, asked)
  if (found !== undefined || !asked.isOfCalls) return found
  return [text(`No sentence of a call that was read answers this: none is recognized as ${describeSought(asked)}.`)]
})

/** Answers with all sentences of an attitude in the newest calls, counted by topic. */
const answerEvery = Effect.fnUntraced(function* (asker: Asker, asked: SpokenQuestion) {
  const org = asker.organizationId
  const { sql } = yield* Database
  const isCall = sql`deal_id is not null and id in (select c.document_id from document_chunks c
    join (select id from documents where org_id = scope.org order by created_at desc limit ${MAX_SPEAKER_DOCUMENTS}::int) n on n.id = c.document_id
    where c.org_id = scope.org and strpos(c.places::text, '"speaker"') > 0)`
  const passages = yield* readDocuments(org, isCall, { documents: MAX_CALLS, chunks: MAX_CHUNKS })
  const found = findSpoken(passages, yield* sidesOf(org, passages)).filter(
    (sentence) => isOfSide(asked, sentence) && hasAttitude(asked.attitude, sentence.text),
  )
  if (found.length === 0) return undefined
  const isCut = new Set(passages.map(({ id }) => id)).size === MAX_CALLS
  const head = `${isCut ? `In the newest ${MAX_CALLS} calls: ` : ""}${writeFound(asked, found)}${writeTopics(found)}`
  return yield* writeSpoken(asker, asked, oneOfEach(found), head)
})

/** First a sentence of each wording, so that those that are quoted differ. */
const oneOfEach = (found: ReadonlyArray<SpokenSentence>): ReadonlyArray<SpokenSentence> => {
  const first = new Map(found.toReversed().map((each) => [each.text, each]))
  const isFirst = (each: SpokenSentence) => first.get(each.text) === each
  return [...found.filter(isFirst), ...found.filter((each) => !isFirst(each))]
}

const writeTopics = (found: ReadonlyArray<SpokenSentence>): string => {
  const counts = [
    ...Map.groupBy(
      found.flatMap(({ text }) => findTopics(text)),
      (topic) => topic,
    ),
  ]
    .map(([topic, all]) => [topic, all.length] as const)
    .toSorted(([, a], [, b]) => b - a)
  return counts.length === 0
    ? ""
    : `\n\nBy topic: ${counts.map(([topic, count]) => `${topic.toLowerCase()} ${count}`).join(", ")}.`
}

/** Answers from all calls, with everybody who says it. */
const answerAll = Effect.fnUntraced(function* (asker: Asker, asked: SpokenQuestion) {
  const org = asker.organizationId
  const { words = "" } = asked
  const index = yield* SearchIndex
  const scope = { within: "deals", documentTypes: ["asset", "intel"] } as const
  const result = yield* index.search(org, { text: wordsToSeek(words), limit: MAX_PASSAGES, scope })
  const spoken = findSpoken(result.passages, yield* sidesOf(org, result.passages))
  const said = spoken.filter((sentence) => isOfSide(asked, sentence) && isAsAsked(asked, sentence.text))
  const found = said.filter(hasWords(asked, result, isAllOf))
  if (found.length === 0) return yield* answerTopic(asker, asked, words)
  return yield* writeSpoken(asker, asked, found, `${saysCut(result)}${writeFound(asked, found)}`)
})

const saysCut = ({ passages }: SearchResult) => (passages.length === MAX_PASSAGES ? "At least " : "")

/** "Too expensive" judges prices: everybody who judges them so, in whatever words. Undefined if the words are about no topic, or judge nothing. */
const answerTopic = Effect.fnUntraced(function* (asker: Asker, asked: SpokenQuestion, words: string) {
  const [topic] = findTopics(words)
  const judged = asked.attitude ?? effectOnUs(words)
  if (topic === undefined || (judged !== "positive" && judged !== "negative")) return undefined
  const org = asker.organizationId
  const names = yield* findNames(org, words)
  const scope = { within: "deals", documentTypes: ["asset", "intel"] } as const
  const query = { text: TOPIC_WORDS[topic], limit: MAX_PASSAGES, scope }
  const result = yield* (yield* SearchIndex).search(org, query)
  const found = findSpoken(result.passages, yield* sidesOf(org, result.passages)).filter(
    (sentence) =>
      isOfSide(asked, sentence) &&
      hasAttitude(judged, sentence.text) &&
      findTopics(sentence.text).includes(topic) &&
      names.every((name) => fold(sentence.text).includes(name)) &&
      comparesWithSame(words, sentence.text),
  )
  if (found.length === 0) return undefined
  const meant = { ...asked, words: topic.toLowerCase(), attitude: judged }
  const head = `No sentence has the words “${asText(words)}”. I read them as ${topic.toLowerCase()}: ${saysCut(result).toLowerCase()}${writeFound({ ...meant, words: undefined }, found)}`
  return yield* writeSpoken(asker, meant, found, head)
})

/** The names in the words, folded: those with a capital, and those of competitors. What is said of another name answers nothing. */
const findNames = Effect.fnUntraced(function* (org: string, words: string) {
  const { scoped, sql } = yield* Database
  const known = yield* scoped<{ readonly folded: string }>(
    org,
    sql`select folded from competitors where org_id = scope.org and length(folded) > 2 and strpos(${fold(words)}, folded) > 0`,
  )
  return [...known.map(({ folded }) => folded), ...(words.match(CAPITALIZED) ?? []).map(fold)]
})

/** Answers from the calls of the deals that a name selects, or from those in which the person of that name speaks. */
const answerNamed = Effect.fnUntraced(function* (asker: Asker, asked: SpokenQuestion, name: string) {
  const org = asker.organizationId
  const meant = yield* findNamed(org, name, asked.asks === "person")
  if (meant === undefined) return undefined
  const spoken = findSpoken(meant.passages, yield* sidesOf(org, meant.passages))
  if (asked.asks === "speakers") return yield* writeSpeakers(asker, asked, name, meant.passages, spoken)
  const isTheirs = ({ speaker, side }: SpokenSentence) =>
    asked.asks === "summary" ||
    (meant.isPerson
      ? fold(speaker).includes(fold(name))
      : asked.side === undefined
        ? side !== "seller"
        : side === asked.side)
  const own = spoken.filter(isTheirs)
  if (own.length === 0) return undefined
  const index = yield* SearchIndex
  const ids = [...new Set(meant.passages.flatMap(({ dealId }) => dealId ?? []))]
  const { words } = asked
  const result: SearchResult =
    words === undefined
      ? { passages: [], terms: [] }
      : yield* index.search(org, {
          text: wordsToSeek(words),
          limit: MAX_PASSAGES,
          scope: { within: "deals", dealIds: ids },
        })
  const isAsked = words === undefined ? () => true : hasWords(asked, result, isOnTopic)
  const found = own.filter((sentence) => isAsAsked(asked, sentence.text) && isAsked(sentence))
  if (found.length > 0) return yield* writeSpoken(asker, asked, found, writeFound(asked, found))
  const head = `In the calls, no sentence of ${asText(name)} is recognized as ${describeSought(asked)}. What they say:`
  return yield* writeSpoken(
    asker,
    asked,
    own.filter((each) => !isQuestion(each.text)),
    head,
  )
})

interface Named {
  readonly isPerson: boolean
  readonly passages: ReadonlyArray<Passage>
}

/** The chunks with speakers of the deals whose client or deal has the name; else those of the documents in which a speaker has it. */
const findNamed = Effect.fnUntraced(function* (org: string, name: string, isPerson: boolean) {
  const { scoped, sql } = yield* Database
  const deals = isPerson
    ? []
    : yield* scoped<{ readonly id: string }>(
        org,
        sql`select id from (
            select id, created_at from deals where org_id = scope.org and name collate "C" = ${name}
            union select d.id, d.created_at from clients c join deals d on d.org_id = scope.org and d.client_id = c.id
              where c.org_id = scope.org and c.folded = ${fold(name)}) named
          order by created_at desc, id limit ${MAX_DEALS}::int`,
      )
  const limit = { documents: MAX_DOCUMENTS, chunks: MAX_CHUNKS }
  const hasSpeaker = (passage: Passage) => passage.places.some(({ place }) => "speaker" in place)
  if (deals.length > 0) {
    const ids = deals.map(({ id }) => id)
    const passages = (yield* readDocuments(org, sql`deal_id = any(${ids}::text[])`, limit)).filter(hasSpeaker)
    return passages.length === 0 ? undefined : ({ isPerson: false, passages } satisfies Named)
  }
  if (!PERSON.test(name) || NO_PERSON.test(name)) return undefined
  const speaks = sql`id in (select c.document_id from document_chunks c
    join (select id from documents where org_id = scope.org order by created_at desc limit ${MAX_SPEAKER_DOCUMENTS}::int) n on n.id = c.document_id
    where c.org_id = scope.org and strpos(replace(lower(c.places::text), ': ', ':'), ${`"speaker":"${name.toLowerCase()}`}) > 0)`
  const passages = (yield* readDocuments(org, speaks, limit)).filter(hasSpeaker)
  return passages.length === 0 ? undefined : ({ isPerson: true, passages } satisfies Named)
})

const sidesOf = (org: string, passages: ReadonlyArray<Passage>) =>
  readSides(org, [...new Set(passages.flatMap(({ dealId }) => dealId ?? []))])

const isOfSide = ({ side }: SpokenQuestion, sentence: SpokenSentence) =>
  side === undefined || sentence.side === side || (side === "buyer" && sentence.side === "unknown")

/** Who asks about a thing speaks about it, but claims nothing. */
const isAsAsked = ({ attitude, words, isClaim }: SpokenQuestion, sentence: string): boolean =>
  (attitude === undefined && words !== undefined && !isClaim) || hasAttitude(attitude, sentence)

const hasAttitude = (attitude: Attitude | undefined, sentence: string): boolean => {
  switch (attitude) {
    case undefined:
      return !isQuestion(sentence)
    case "question":
      return isQuestion(sentence)
    case "promise":
      return isPromise(sentence)
    case "withdrawal":
      return isTakenBack(sentence)
    case "need":
      return NEEDS.test(sentence)
    default:
      // "It works well, but two of us found it hard to set up" is both. A wish is no judgement.
      return (
        !NEEDS.test(sentence) && [sentence, ...sentence.split(CLAUSE)].some((part) => effectOnUs(part) === attitude)
      )
  }
}

const NEEDS =
  /(?<!\p{L})(?:needs?|needed|requires?|required|must|without|essential|mandatory|insist|depends?)(?!\p{L})/iu
const CAPITALIZED = /(?<!\p{L})\p{Lu}\p{L}{2,}/gu
const CLAUSE = /[,;:—–]\s|\s(?:but|however|although|though|while|yet|except|despite)\s/i

type Match = (matcher: TermMatcher, terms: SearchResult["terms"], words: string, sentence: string) => boolean

const isAllOf: Match = (matcher, terms, _, sentence) => matcher.find(sentence) === (1n << BigInt(terms.length)) - 1n

const isOnTopic: Match = (matcher, terms, words, sentence) => {
  const topics = findTopics(words)
  return isAllOf(matcher, terms, words, sentence) || findTopics(sentence).some((topic) => topics.includes(topic))
}

/** Words of a search for each topic. */
const TOPIC_WORDS: Readonly<Record<Topic, string>> = {
  Price: "price prices cost costs expensive cheap cheaper budget discount seats",
  Security: "security compliance audit certified privacy encryption",
  Integration: "integration integrate API connector connectors sync",
  Support: "support help helped service onboarding answered",
  Timeline: "timeline deadline rollout implementation delivery delay launch",
  Usability: "usability intuitive interface complicated confusing training",
  Reliability: "reliable crash outage downtime bug slow performance speed",
  Decision: "decision board procurement approval signed contract legal",
}

const hasWords = ({ words = "", isClaim, attitude }: SpokenQuestion, { terms }: SearchResult, match: Match) => {
  const matcher = new TermMatcher(terms)
  return ({ text }: SpokenSentence) =>
    terms.length > 0 &&
    match(matcher, terms, words, text) &&
    comparesWithSame(words, text) &&
    (!isClaim || attitude !== undefined || terms.length < MIN_CLAIM_WORDS || isDenied(words) === isDenied(text))
}

/** "Could not" and "couldn't" are the same words of a claim, and buyers say "you" where we say "us". */
const wordsToSeek = (words: string) =>
  words.replaceAll(
    /(?<!\p{L})(?:\p{L}+n['’]t|cannot|not|(?:could|can|would|will|do|does|did) not|we|us|ours?)(?!\p{L})/gu,
    " ",
  )

const isDenied = (text: string) => splitWords(text).filter(({ key }) => NEGATIONS.has(key)).length % 2 === 1
