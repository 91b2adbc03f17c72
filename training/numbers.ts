import { DIMENSIONS, ROWS } from "./shape.ts"

/** Multiplies a word's vector by each row of the filters, four rows at a time: the hot loop of the training. */
export const multiply = (
  rows: Float64Array,
  first: number,
  vectors: Float64Array,
  from: number,
  products: Float64Array,
  to: number,
): void => {
  for (let row = 0; row < ROWS; row += 4) {
    const at = first + row * DIMENSIONS
    let [a, b, c, d] = [0, 0, 0, 0]
    for (let n = 0; n < DIMENSIONS; n++) {
      const value = vectors[from + n]!
      a += rows[at + n]! * value
      b += rows[at + DIMENSIONS + n]! * value
      c += rows[at + 2 * DIMENSIONS + n]! * value
      d += rows[at + 3 * DIMENSIONS + n]! * value
    }
    products[to + row] = a
    products[to + row + 1] = b
    products[to + row + 2] = c
    products[to + row + 3] = d
  }
}

/** Replaces scores by probabilities. */
export const softmax = (scores: Float64Array): void => {
  const highest = Math.max(...scores)
  let sum = 0
  for (let n = 0; n < scores.length; n++) sum += scores[n] = Math.exp(scores[n]! - highest)
  for (let n = 0; n < scores.length; n++) scores[n] = scores[n]! / sum
}
