import { createHash } from "node:crypto"
import type { Weights } from "../src/core/answers/reader/network.ts"
import { FLAG_NAMES, HEAD_NAMES } from "./labels.ts"
import type { TrainedNetwork } from "./network.ts"
import { type Classes, DIMENSIONS, FEATURES, FILTERS, firstRow, WIDTHS } from "./shape.ts"
import type { Words } from "./vocabulary.ts"

/** The weights in the form that `src/core/answers/reader/network.ts` reads: rows of signed bytes, each with a scale. */
export const weightsOf = (network: TrainedNetwork, words: Words, classes: Classes): Weights => {
  const { parameters, layout } = network
  const vectors = Array.from({ length: words.trained }, (_, word) => network.vectorOf(word))
  const range = (start: number, length: number) => parameters.subarray(start, start + length)
  const heads = Object.fromEntries(HEAD_NAMES.map((head) => [head, classes[head]]))
  let output = 0
  const data = [
    rowsOf(vectors),
    ...WIDTHS.map((width, index) =>
      rowsOf(
        Array.from({ length: FILTERS }, (_, filter) =>
          Float64Array.from({ length: width * DIMENSIONS }, (_, n) => {
            const row = firstRow(width) + Math.floor(n / DIMENSIONS) * FILTERS + filter
            return parameters[layout.filters + row * DIMENSIONS + (n % DIMENSIONS)]!
          }),
        ),
        range(layout.filterBiases + index * FILTERS, FILTERS),
      ),
    ),
    ...[...HEAD_NAMES.map((head) => classes[head].length), FLAG_NAMES.length].map((length) => {
      const first = output
      output += length
      const rows = Array.from({ length }, (_, n) => range(layout.outputs + (first + n) * FEATURES, FEATURES))
      return rowsOf(rows, range(layout.outputBiases + first, length))
    }),
  ]
  const { vocabulary, trained, common, frequent } = words
  return {
    vocabulary,
    trained,
    common,
    frequent,
    heads,
    flags: FLAG_NAMES,
    data: Buffer.concat(data).toString("base64"),
  }
}

const MAX_BYTE = 127

/** The scales of the rows, their biases if they have some, and their values as bytes. */
const rowsOf = (rows: ReadonlyArray<Float64Array>, biases: Float64Array = new Float64Array(0)): Buffer => {
  const scales = Float32Array.from(
    rows,
    (row) => row.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / MAX_BYTE,
  )
  return Buffer.concat([
    littleEndian(scales),
    littleEndian(Float32Array.from(biases)),
    ...rows.map((row, n) => Buffer.from(Int8Array.from(row, (value) => Math.round(value / (scales[n]! || 1))))),
  ])
}

const littleEndian = (values: Float32Array): Buffer => {
  const buffer = Buffer.alloc(values.length * 4)
  values.forEach((value, n) => buffer.writeFloatLE(value, n * 4))
  return buffer
}

/** The text of `src/core/answers/reader/weights.ts`. */
export const sourceOf = (weights: Weights): string =>
  [
    `// Written by \`node training/train.ts\`. SHA-256 of the weights: ${checksumOf(weights)}`,
    'import type { Weights } from "./network.ts"',
    "",
    `export const WEIGHTS: Weights = ${JSON.stringify(weights)}`,
    "",
  ].join("\n")

export const checksumOf = (weights: Weights): string =>
  createHash("sha256").update(JSON.stringify(weights)).digest("hex")
