import { splitWords } from "../find/words.ts"

/** Topics of buyers, by words that begin like these. The names are those of key quotes. */
export const TOPICS = {
  Price: [
    "pric",
    "cost",
    "budget",
    "expensive",
    "cheap",
    "discount",
    "afford",
    "quote",
    "license",
    "licence",
    "fee",
    "seat",
  ],
  Security: ["secur", "complian", "audit", "certif", "privacy", "gdpr", "encrypt", "penetration", "soc", "iso"],
  Integration: ["integrat", "api", "connector", "erp", "crm", "sync"],
  Support: ["support", "help", "helpdesk", "service", "onboarding", "response"],
  Timeline: ["timeline", "deadline", "schedul", "rollout", "implementation", "deliver", "delay", "launch", "quarter"],
  Usability: ["usab", "intuitive", "interface", "complicat", "complex", "confus"],
  Reliability: [
    "reliab",
    "crash",
    "outage",
    "downtime",
    "uptime",
    "bug",
    "error",
    "stable",
    "slow",
    "performance",
    "speed",
  ],
  Decision: [
    "decid",
    "decision",
    "board",
    "procurement",
    "approv",
    "signed",
    "signing",
    "signature",
    "contract",
    "legal",
  ],
} as const satisfies Readonly<Record<string, ReadonlyArray<string>>>
export type Topic = keyof typeof TOPICS
const TOPIC_NAMES = Object.keys(TOPICS) as ReadonlyArray<Topic>

/** Shorter beginnings are whole words: "soc" is not "society". */
const MIN_BEGINNING = 4

const beginsWith = (key: string, beginning: string) =>
  beginning.length < MIN_BEGINNING ? key === beginning || key === `${beginning}s` : key.startsWith(beginning)

/** The topics of a sentence. */
export const findTopics = (sentence: string): ReadonlyArray<Topic> => {
  const keys = splitWords(sentence).map(({ key }) => key)
  return TOPIC_NAMES.filter((topic) =>
    TOPICS[topic].some((beginning) => keys.some((key) => beginsWith(key, beginning))),
  )
}

/** The topic that a reason of the catalogue is about, by its name or aliases. */
export const findTopic = (names: ReadonlyArray<string>): Topic | undefined => {
  for (const name of names) {
    const [topic] = findTopics(name)
    if (topic !== undefined) return topic
  }
  return undefined
}

/** The place of a topic's first word in a sentence. */
export const findSpan = (
  sentence: string,
  topic: Topic,
): { readonly start: number; readonly end: number } | undefined =>
  splitWords(sentence).find(({ key }) => TOPICS[topic].some((beginning) => beginsWith(key, beginning)))
