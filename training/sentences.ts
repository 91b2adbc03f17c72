import { readFileSync } from "node:fs"
import { join } from "node:path"
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
] as const
export const TRAINING_VOICES = [...SHARED_VOICES, ...OWN_VOICES]
/** Voices that never train. Some of the wrong answers to the first two were read; the others are only counted. */
export const HELD_VOICES = ["heldone", "heldtwo", "heldthree", "heldfour"] as const

type Voice = (typeof TRAINING_VOICES)[number] | (typeof HELD_VOICES)[number]

const isShared = (voice: string) => SHARED_VOICES.some((shared) => shared === voice)

const read = (file: string) => readFileSync(join(import.meta.dirname, file), "utf8")

/** The tasks of a voice, and what it says for each. */
export const tasksOf = (voice: Voice) => ({
  tasks: JSON.parse(read(`tasks/${isShared(voice) ? "shared" : voice}.json`)) as ReadonlyArray<Task>,
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
      const topic = task.frame.foreign ?? (isShared(voice) ? id : undefined)
      return { voice, topic, text, tokens: tokenize(text, WORKSPACE, TODAY).words, labels: labelsOf(task) }
    })
  })

/** Every third topic. A measurement counts only these of the topics, and trains without them. */
export const heldTopics = (sentences: ReadonlyArray<Sentence>): ReadonlySet<string> => {
  const topics = new Set(sentences.flatMap(({ topic }) => topic ?? []))
  return new Set([...topics].toSorted().filter((_, index) => index % 3 === 0))
}
