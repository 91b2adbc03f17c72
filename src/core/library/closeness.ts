import { editDistance } from "../common/nearest.ts"

/**
 * Rates how alike two names are, from 0 to 1: by edit distance, or by shared parts, as in `Globex Inc` and `Globex`.
 * `similarity` is PostgreSQL's trigram similarity, which one typo in a short name halves. Edit distance counts for less,
 * so that Oracle does not match Miracle.
 */
export const closeness = (a: string, b: string, similarity: number): number => {
  const [left, right] = [a.trim().toLowerCase(), b.trim().toLowerCase()]
  const length = Math.max([...left].length, [...right].length, 1)
  return Math.max(0.9 - editDistance(left, right) / length, Math.min(1, similarity + 0.2))
}
