import { parseArgs } from "node:util"
import { WEIGHTS } from "../src/core/answers/reader/weights.ts"
import { describeVoices } from "./count.ts"
import { fit, TRAINING_OPTIONS } from "./fit.ts"
import { makePredictor } from "../src/core/answers/reader/predict.ts"
import { judgeFollowUps } from "./followUps.ts"
import { judgeVoice } from "./judge.ts"
import { HELD_VOICES, heldTopics, readSentences, tasksOf, TRAINING_VOICES } from "./sentences.ts"
import { classesOf } from "./shape.ts"

const { values } = parseArgs({
  options: {
    ...TRAINING_OPTIONS,
    // Voices that a training leaves out, with a comma between; "none" counts only the held voices.
    voices: { type: "string", default: "success,jargon,phone,plain,trader" },
  },
})

const left = values.voices === "none" ? [] : values.voices.split(",")
const unknown = left.filter((voice) => !TRAINING_VOICES.some((known) => known === voice))
if (unknown.length > 0) {
  throw new Error(`No voice "${unknown.join('", "')}" trains. These do: ${TRAINING_VOICES.join(", ")}.`)
}

console.log("The committed weights, for voices that never train:")
console.log(describeVoices(WEIGHTS, readSentences(HELD_VOICES)))
const predict = makePredictor(WEIGHTS)
for (const voice of HELD_VOICES) {
  console.log(`Answers to ${voice}, by the grammar alone and with the network, and to sentences without an answer:`)
  console.table(judgeVoice(tasksOf(voice), predict))
}
console.log("Follow-ups of all voices that never train:")
console.table(judgeFollowUps(HELD_VOICES.map(tasksOf), predict))

if (left.length > 0) {
  const sentences = readSentences(TRAINING_VOICES)
  const held = heldTopics(sentences)
  const isLeft = (voice: string) => left.includes(voice)
  const training = sentences.filter(({ voice, topic = "" }) => !isLeft(voice) && !held.has(topic))
  const counted = sentences.filter(({ voice, topic }) => isLeft(voice) && (topic === undefined || held.has(topic)))
  console.log(
    `A training without ${left.join(", ")}, a third of the shared tasks and a third of the unknown conditions:`,
  )
  console.log(describeVoices(fit(training, classesOf(sentences), values), counted))
}
