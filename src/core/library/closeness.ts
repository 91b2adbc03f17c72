/**
 * How close two names are, 0 to 1: by the letters that differ, or by the parts they share, as with `Globex Inc` for
 * `Globex`. `similarity` is PostgreSQL's of their trigrams, which a single slip in a short name halves. Letters are held
 * to more: Oracle is not Miracle.
 */
export const closeness = (a: string, b: string, similarity: number): number => {
  const [left, right] = [[...a.trim().toLowerCase()], [...b.trim().toLowerCase()]]
  return Math.max(0.9 - edits(left, right) / Math.max(left.length, right.length, 1), Math.min(1, similarity + 0.2))
}

/** Letters to change, add, drop, or swap with their neighbour. */
const edits = (left: ReadonlyArray<string>, right: ReadonlyArray<string>): number => {
  let before: ReadonlyArray<number> = []
  let row: ReadonlyArray<number> = [0, ...right.map((_, n) => n + 1)]
  for (const [i, letter] of left.entries()) {
    const next = [i + 1]
    for (const [j, other] of right.entries()) {
      const swapped = i > 0 && j > 0 && letter === right[j - 1] && left[i - 1] === other ? before[j - 1]! + 1 : Infinity
      next.push(Math.min(row[j + 1]! + 1, next[j]! + 1, row[j]! + (letter === other ? 0 : 1), swapped))
    }
    before = row
    row = next
  }
  return row.at(-1)!
}
