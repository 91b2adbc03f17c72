import { readFileSync } from "node:fs"
import { join } from "node:path"
import { putInEnglish } from "../src/core/answers/questions/languages/translate.ts"
import { tokenize } from "../src/core/answers/reader/tokens.ts"
import { type Labels, labelsOf, type Task } from "./labels.ts"
import { TODAY, WORKSPACE } from "./workspace.ts"

export interface Sentence {
  readonly voice: string
  /** What a measurement keeps apart beside the voice: the shared task, or the condition that the workspace does not know. */
  readonly topic: string | undefined
  readonly text: string
  readonly tokens: ReadonlyArray<string>
  readonly labels: Labels
}

/** Voices that say the same tasks, of `tasks/shared.json`. */
export const SHARED_VOICES = [
  "lead",
  "terse",
  "phone",
  "product",
  "finance",
  "newcomer",
  "jargon",
  "success",
  "second",
] as const
/** Voices with tasks of their own. */
const OWN_VOICES = [
  "vp",
  "revops",
  "compete",
  "productman",
  "founder",
  "hurried",
  "nonnative",
  "chief",
  "board",
  "coach",
  "sdr",
  "cfo",
  "mail",
  "trader",
  "plain",
  "british",
  "indian",
  "australian",
  "engineer",
  "assistant",
  "consultant",
  "marketer",
  "investor",
] as const
/** Voices in German, French and Spanish, and the tasks that they say. */
const OTHER_LANGUAGES = {
  german: "shared",
  germanboard: "board",
  germanchat: "trader",
  germancontroller: "coach",
  germanlead: "vp",
  germanmarketing: "productman",
  germanrep: "hurried",
  french: "shared",
  frenchboard: "founder",
  frenchchat: "mail",
  frenchcontroller: "cfo",
  frenchlead: "revops",
  frenchproduct: "chief",
  frenchrep: "vp",
  spanish: "shared",
  spanishboard: "coach",
  spanishchat: "plain",
  spanishcontroller: "sdr",
  spanishlead: "compete",
  spanishproduct: "productman",
  spanishrep: "trader",
} as const
export const HELD_OTHER_LANGUAGES = { heldgerman: "heldone", heldfrench: "heldtwo", heldspanish: "heldthree" } as const

const TASKS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(SHARED_VOICES.map((voice) => [voice, "shared"])),
  ...OTHER_LANGUAGES,
  ...HELD_OTHER_LANGUAGES,
}

export const TRAINING_VOICES = [
  ...SHARED_VOICES,
  ...OWN_VOICES,
  ...(Object.keys(OTHER_LANGUAGES) as ReadonlyArray<keyof typeof OTHER_LANGUAGES>),
]
/** Voices that never train. Some of the wrong answers to the first two were read; the others are only counted. */
export const HELD_VOICES = [
  "heldone",
  "heldtwo",
  "heldthree",
  "heldfour",
  ...(Object.keys(HELD_OTHER_LANGUAGES) as ReadonlyArray<keyof typeof HELD_OTHER_LANGUAGES>),
] as const

type Voice = (typeof TRAINING_VOICES)[number] | (typeof HELD_VOICES)[number]

/** Whether a voice speaks another language than English. */
export const isOtherLanguage = (voice: string): boolean => voice in OTHER_LANGUAGES

const read = (file: string) => readFileSync(join(import.meta.dirname, file), "utf8")

/** "This quarter versus last quarter" is a comparison with the period before. */
const asPrevious = (task: Task): Task =>
  task.frame.periods?.[0] === "this quarter"
    ? { ...task, frame: { ...task.frame, compare: "previous_period", period: "this_quarter" } }
    : task

/** The tasks of a voice, and what it says for each. */
export const tasksOf = (voice: Voice) => ({
  tasks: (JSON.parse(read(`tasks/${TASKS[voice] ?? voice}.json`)) as ReadonlyArray<Task>).map(asPrevious),
  texts: read(`voices/${voice}.tsv`)
    .trim()
    .split("\n")
    .map((line) => line.split("\t") as [id: string, text: string]),
})

/** The sentences of the voices, with the labels of their tasks. */
export const readSentences = (voices: ReadonlyArray<Voice>): ReadonlyArray<Sentence> =>
  voices.flatMap((voice) => {
    const { tasks, texts } = tasksOf(voice)
    const byId = new Map(tasks.map((task) => [task.id, task]))
    return texts.map(([id, text]) => {
      const task = byId.get(id)!
      const topic = task.frame.foreign ?? (TASKS[voice] === "shared" ? id : undefined)
      const { words: tokens } = tokenize(putInEnglish(text, WORKSPACE.names), WORKSPACE, TODAY)
      return { voice, topic, text, tokens, labels: labelsOf(task) }
    })
  })

/** Every third topic. A measurement counts only these of the topics, and trains without them. */
export const heldTopics = (sentences: ReadonlyArray<Sentence>): ReadonlySet<string> => {
  const topics = new Set(sentences.flatMap(({ topic }) => topic ?? []))
  return new Set([...topics].toSorted().filter((_, index) => index % 3 === 0))
}
