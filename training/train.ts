import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { fit, TRAINING_OPTIONS } from "./fit.ts"
import { readSentences, TRAINING_VOICES } from "./sentences.ts"
import { classesOf } from "./shape.ts"
import { checksumOf, sourceOf } from "./write.ts"

const { values } = parseArgs({
  options: {
    ...TRAINING_OPTIONS,
    to: { type: "string", default: join(import.meta.dirname, "../src/core/answers/reader/weights.ts") },
  },
})

const sentences = readSentences(TRAINING_VOICES)
const weights = fit(sentences, classesOf(sentences), values)
writeFileSync(values.to, sourceOf(weights))
console.log(`${values.to}: SHA-256 ${checksumOf(weights)}`)
