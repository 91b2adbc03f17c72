import { editDistance } from "../common/nearest.ts"

/**
 * How close two names are, 0 to 1: by the letters that differ, or by the parts they share, as with `Globex Inc` for
 * `Globex`. `similarity` is PostgreSQL's of their trigrams, which a single slip in a short name halves. Letters are held
 * to more: Oracle is not Miracle.
 */
export const closeness = (a: string, b: string, similarity: number): number => {
  const [left, right] = [a.trim().toLowerCase(), b.trim().toLowerCase()]
  const length = Math.max([...left].length, [...right].length, 1)
  return Math.max(0.9 - editDistance(left, right) / length, Math.min(1, similarity + 0.2))
}
