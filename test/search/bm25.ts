/** The constants of the SQL functions. */
const K1 = 1.6
const B = 0.75

/** A passage, split into words. */
export interface Counted {
  readonly key: string
  readonly words: ReadonlyArray<string>
}

/** BM25 by its published formula. */
export const bm25 = (passages: ReadonlyArray<Counted>, query: ReadonlyArray<string>): ReadonlyMap<string, number> => {
  const average = passages.reduce((sum, { words }) => sum + words.length, 0) / passages.length
  const scores = new Map<string, number>()
  for (const { key, words } of passages) {
    let score = 0
    for (const term of query) {
      const holding = passages.filter((passage) => passage.words.includes(term)).length
      const times = words.filter((word) => word === term).length
      const idf = Math.log(1 + (passages.length - holding + 0.5) / (holding + 0.5))
      score += (idf * times * (K1 + 1)) / (times + K1 * (1 - B + (B * words.length) / average))
    }
    if (score > 0) scores.set(key, score)
  }
  return scores
}
