import { nearest } from "../../../common/nearest.ts"
import { asText } from "../../citations/markdown.ts"
import { OFFERS } from "../../offers.ts"
import { findUnused } from "../plan/account.ts"
import { isEnglish, translate } from "../languages/translate.ts"
import { type Base, findNoun, NOUNS } from "../words/lexicon.ts"
import { type Kind, KINDS, type KnownName, type WorkspaceNames } from "../words/names.ts"
import { parse } from "../parse/parse.ts"
import type { Today } from "../words/periods.ts"
import { type Effort, MAX_PARTS } from "../names/Effort.ts"
import { makeIndex, maskLetters, withNames } from "../names/nameIndex.ts"
import { makePlans } from "../plan/plan.ts"
import type { Slots } from "../parse/slots.ts"
import type { Unknown } from "../names/foundNames.ts"
import { offerNames } from "../names/spelling.ts"
import { readAgain } from "../../reader/readAgain.ts"

type Predict = Parameters<typeof readAgain>[4]

const MAX_OFFERED = 6
/** Reasons have other names than people give them: "Total cost" for the price. */
const MAX_REASONS = 15
const QUESTIONS = 2

const joinOr = (names: ReadonlyArray<string>) =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`

const list = (names: ReadonlyArray<string>) => listFirst(names, MAX_OFFERED)

const listFirst = (names: ReadonlyArray<string>, most: number) =>
  `${names.slice(0, most).map(asText).join(", ")}${names.length > most ? ", …" : ""}`

/** Texts, which are neither regions nor any other group of deals. */
const TEXTS =
  /^(?:the |our )?(?:calls?|meetings?|conversations?|recordings?|transcripts?|battle ?cards?|documents?|docs|e-?mails?|notes)$/iu

/** Says which part is not understood, and the nearest things that the workspace has; undefined if it has nothing near. */
const explain = (
  { said, as, several, hint = "" }: Unknown,
  known: ReadonlyArray<KnownName>,
  effort: Effort,
): string | undefined => {
  const quoted = `“${asText(said)}”`
  if (several !== undefined) return `${quoted} can mean ${joinOr(several.map(asText))}. Which one do you mean?`
  if (as === "future")
    return `I cannot answer ${quoted}: this workspace records what happened, and makes no forecast. The open pipeline by close date is what it knows of the time ahead.`
  if (as === "quota")
    return `Sightline has no quotas, so it cannot answer ${quoted}: attainment and coverage divide by one. The won amount and the open pipeline are what it knows.`
  if (as === "foreign")
    return `This workspace has nothing about the business of ${quoted} itself: it records our own deals against competitors.`
  if (as === "conflict") return `${quoted} contradicts another part of the question, so no deal can match it.`
  if (as === "unfit")
    return `I cannot answer ${quoted}: no report selects or adds up deals that way.${hint === "" ? "" : ` ${hint}`}`
  if (as === "unanswered") return `I did not answer ${quoted}, so I cannot continue it. Please ask the whole question.`
  if (as === "unused")
    return `I understand ${quoted}, but no report combines it with the rest of this question. Ask without it, or for it alone.`
  if (TEXTS.test(said))
    return `Reports count deals and mentions, and nothing in ${quoted}: ask what somebody says there, or which of them mention something.`
  const offers = offerNames(as, known)
  if (offers.length > 0) {
    const kinds = joinOr(offers.map(({ one }) => one))
    const has = offers
      .map(
        ({ many, names }) =>
          `the ${many} ${listFirst(closestFirst(said, names, known, effort), as === "reason" ? MAX_REASONS : MAX_OFFERED)}`,
      )
      .join("; ")
    return `This workspace has no ${kinds} ${quoted}; there are ${has}.`
  }
  const close = nearest(said, [...namesLike(said, known, effort), ...NOUNS.map(({ one }) => one)], () =>
    effort.compares(),
  )
  return close.length > 0
    ? `I do not understand ${quoted}: it is no name, measure or group of this workspace. Closest: ${list(close)}.`
    : undefined
}

/** Says in one sentence which parts have nothing near. */
const explainStrange = (said: ReadonlyArray<string>): string => {
  const quoted = [...new Set(said)].map((each) => `“${asText(each)}”`)
  const words = quoted.length < 2 ? quoted.join("") : `${quoted.slice(0, -1).join(", ")} and ${quoted.at(-1)}`
  const are = quoted.length < 2 ? "it is no name, measure or group" : "they are no names, measures or groups"
  return `I do not understand ${words}: ${are} of this workspace. Deals can be grouped by ${DIMENSIONS}.`
}

const DIMENSIONS = "competitor, owner, client, region, industry, product, feature, reason, stage, deal type or date"

/** Names that are all compared; of more, only those that may differ by two letters. */
const MAX_COMPARED_NAMES = 1_000

/** The names to compare a part with. */
const namesLike = (said: string, known: ReadonlyArray<KnownName>, effort: Effort): ReadonlyArray<string> => {
  if (effort.isUsedUp) return []
  if (known.length <= MAX_COMPARED_NAMES) return known.map(({ name }) => name)
  const low = said.toLowerCase()
  const letters = maskLetters(low)
  const index = makeIndex(known)
  const like: Array<string> = []
  for (let length = Math.max(low.length - 2, 1); length <= low.length + 2; length++) {
    for (const { of } of index.near(length, letters, 4)) like.push(of.name)
  }
  return like
}

const closestFirst = (said: string, names: ReadonlyArray<string>, known: ReadonlyArray<KnownName>, effort: Effort) => {
  const offered = new Set(names)
  const close = nearest(
    said,
    namesLike(said, known, effort).filter((name) => offered.has(name)),
    () => effort.compares(),
  )
  return [...new Set([...namesWith(said, names), ...close, ...names])]
}

/** The names that have the part as a word: "UK and Ireland" for "UK". */
const namesWith = (said: string, names: ReadonlyArray<string>): ReadonlyArray<string> => {
  const word = ` ${said.toLowerCase()} `
  return names.filter((name) => ` ${name.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, " ")} `.includes(word))
}

/** Questions about a name of a kind, and about numbers of a kind. */
const ABOUT: Partial<Readonly<Record<Kind, (name: string) => ReadonlyArray<string>>>> = {
  competitor: (name) => [`What is our win rate against ${name}?`, `Why do we lose to ${name}?`],
  owner: (name) => [`How many deals did ${name} win this year?`, `What is the open pipeline of ${name}?`],
  client: (name) => [`Which deals do we have with ${name}?`, `What is our win rate with ${name}?`],
  region: (name) => [`What is our win rate in ${name}?`, `What is our open pipeline in ${name}?`],
  industry: (name) => [`What is our win rate in ${name}?`, `What is our open pipeline in ${name}?`],
  product: (name) => [`What is our win rate with ${name}?`, `What is our revenue with ${name} by quarter?`],
  feature: (name) => [`How often was ${name} mentioned?`, `What is our win rate in deals that mention ${name}?`],
}
/** Two questions that run, about the name of a competitor, a client or another part of a deal. */
export const questionsAbout = (kind: Kind, name: string): ReadonlyArray<string> => ABOUT[kind]?.(name) ?? []

const OF_BASE: Partial<Readonly<Record<Base, ReadonlyArray<string>>>> = {
  win_rate: ["What is our win rate by competitor?", "What is our win rate by region?"],
  amount: ["What are the ten biggest open deals?", "What is our revenue this quarter?"],
  revenue: ["What is our revenue this quarter?", "What is our revenue by region?"],
  pipeline: ["What is our pipeline by stage?", "What are the ten biggest open deals?"],
  size: ["What is our average deal size?", "What is our average deal size by region?"],
  cycle: ["How long is our average sales cycle?", "What is our sales cycle by region?"],
  age: ["How old are our open deals on average?", "Which open deals are overdue?"],
  mentions: ["Which features are requested most?", "Which features do we lose deals over?"],
  loss_rate: ["What is our loss rate?", "Why do we lose?"],
}

/** Questions that run in any workspace with deals. */
const GENERAL: ReadonlyArray<string> = [
  "What is our win rate by competitor?",
  "What is our pipeline by stage?",
  "Which competitor do we lose to most?",
  "Why do we lose?",
  "How many deals did we win last quarter?",
]

/** Questions about the groups, outcomes and reasons that a question has. */
const similarTo = ({ bases, groups, head, outcomes, asksWhy }: Slots): ReadonlyArray<string> => [
  ...bases.flatMap((base) => OF_BASE[base] ?? []),
  ...[head, ...groups].flatMap((each) => {
    const one = each === undefined || each === "deal" ? undefined : findNoun(each)?.one
    return one === undefined ? [] : [`What is our win rate by ${one}?`, `How many deals do we have by ${one}?`]
  }),
  ...outcomes.flatMap((outcome) =>
    outcome === "open"
      ? ["What are the ten biggest open deals?", "Which open deals are overdue?"]
      : outcome === "won"
        ? ["How many deals did we win last quarter?", "Why do we win?"]
        : ["How many deals did we lose last quarter?", "Why do we lose?"],
  ),
  ...(asksWhy ? ["Why do we lose?", "Why do we win?"] : []),
]

/** Questions that run: the one asked with a name instead of the unknown part, those that share a part with it, or general ones. */
const suggest = (
  question: string,
  unknown: ReadonlyArray<Unknown>,
  names: WorkspaceNames,
  today: Today,
  predict: Predict | undefined,
): ReadonlyArray<string> => {
  const [first] = unknown
  const after = first === undefined ? "" : question.slice(question.indexOf(first.said) + first.said.length)
  // "The East region" is no industry.
  const isOther = (kind: Kind) =>
    NOUNS.some(
      ({ words, dimension }) => dimension !== KINDS[kind] && new RegExp(`^ (?:${words})(?!\\p{L})`, "iu").test(after),
    )
  const offered =
    first === undefined
      ? []
      : (first.several ??
        offerNames(first.as, names.names).flatMap(({ kind, names }) =>
          isOther(kind) ? [] : [...namesWith(first.said, names), ...names].slice(0, 1),
        ))
  // "In the picture" has no name in it that another could replace.
  const isLikeName = first !== undefined && /^\p{Lu}|\s\p{Lu}/u.test(first.said)
  const replaced =
    first === undefined || !isLikeName ? [] : offered.map((name) => replaceName(question, first.said, name))
  // Names of clients are loaded only as far as the question has them in full.
  const isKnown = new Set(names.names.map(({ name }) => name))
  const clients = (first?.several ?? []).filter((name) => !isKnown.has(name))
  const known = {
    ...names,
    names: withNames(
      names.names,
      clients.map((name) => ({ kind: "client" as const, value: name, name })),
    ),
  }
  const asked = parse(question, names, today)
  const about = asked.names.flatMap(({ kind, name, others }) => (others.length > 0 ? [] : (ABOUT[kind]?.(name) ?? [])))
  const runs = (text: string) => {
    const slots = parse(translate(text, known.names), known, today)
    const plans = makePlans(slots)
    if (slots.unknown.length > 0 || plans.length === 0 || findUnused(slots, plans).length > 0) return false
    if (predict === undefined || !isEnglish(text)) return true
    return readAgain([text], { slots, plans, isRead: true }, known, today, predict).kind !== "differs"
  }
  const shared = [
    ...new Set([
      ...replaced,
      ...clients.slice(0, 1).flatMap((name) => questionsAbout("client", name)),
      ...about,
      ...similarTo(asked),
    ]),
  ].filter(runs)
  return (shared.length > 0 ? shared : GENERAL.filter(runs)).slice(0, QUESTIONS)
}

/** Puts a name in place of the part, and of the article before it: "in the East" becomes "in DACH". A genitive stays one. */
export const replaceName = (question: string, said: string, name: string) => {
  const part = said.replace(/['’]s$/, "")
  return question.replace(question.includes(`the ${part}`) ? `the ${part}` : part, () => name)
}

/** Writes questions that run as a list. */
export const writeQuestions = (questions: ReadonlyArray<string>): string =>
  `${OFFERS}\n${questions.map((each) => `- ${asText(each)}`).join("\n")}\n`

/** Explains why a question is not answered: names each unknown part, what the workspace has, and questions that run. */
export const explainUnknown = (
  question: string,
  parts: ReadonlyArray<Unknown>,
  names: WorkspaceNames,
  today: Today,
  effort: Effort,
  predict?: Predict,
): string => {
  // Without a quota, the other parts of such a question do not matter.
  const unknown = parts.filter(({ as }, _, all) => as === "quota" || !all.some((each) => each.as === "quota"))
  const explained = unknown
    .slice(0, MAX_PARTS)
    .map((each) => ({ said: each.said, text: explain(each, names.names, effort) }))
  const unclear = explained.flatMap(({ said, text }) => (text === undefined ? [said] : []))
  const strange = unclear.filter((said) => !unclear.some((each) => each !== said && each.includes(said)))
  const known = explained.flatMap(({ text }) => text ?? [])
  const nothing = unknown.length === 0 ? ["I do not see which number or which deals this asks for."] : []
  const more = unknown.length - explained.length
  const others =
    more === 0 ? [] : [`I do not understand ${more} more ${more === 1 ? "part" : "parts"} of the question.`]
  const reasons = [
    ...nothing,
    ...(strange.length > 0 ? [explainStrange(strange)] : []),
    ...new Set(known),
    ...others,
  ].join(" ")
  return `${reasons}\n\n${writeQuestions(suggest(question, unknown, names, today, predict))}`
}

/** Says that a question may be misread, and offers plain questions for what it may mean. */
export const explainDoubt = (
  question: string,
  offered: ReadonlyArray<{ readonly question: string }>,
  names: WorkspaceNames,
  today: Today,
  predict: Predict,
): string => {
  const questions =
    offered.length > 0 ? offered.map((each) => each.question) : suggest(question, [], names, today, predict)
  return `I do not understand this question well enough to answer it.\n\n${writeQuestions(questions)}`
}

/** Each part of the question was understood, but no filter combines them. */
export const NOT_COMBINABLE =
  "The parts of this question contradict each other, so no deal can match them. Ask with fewer conditions.\n"
