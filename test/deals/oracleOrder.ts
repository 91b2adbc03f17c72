import type { Row } from "./oracle.ts"

const codePoints = new Map<string, ReadonlyArray<number>>()
const pointsOf = (text: string): ReadonlyArray<number> => {
  const known = codePoints.get(text) ?? [...text].map((character) => character.codePointAt(0) ?? 0)
  codePoints.set(text, known)
  return known
}

/** Compares by Unicode code point; JavaScript's `<` compares UTF-16 units. */
export const compareText = (a: string, b: string): number => {
  const [x, y] = [pointsOf(a), pointsOf(b)]
  for (let n = 0; n < Math.min(x.length, y.length); n++) {
    const difference = (x[n] ?? 0) - (y[n] ?? 0)
    if (difference !== 0) return difference
  }
  return x.length - y.length
}

/** Sorts all matches: by value, nulls last, ties by id in the same direction. */
export const ordered = (deals: ReadonlyArray<Row>, sort: string, order: "asc" | "desc"): ReadonlyArray<string> => {
  const sign = order === "asc" ? 1 : -1
  const value = (deal: Row) => (sort.endsWith("_at") && deal[sort] !== null ? Date.parse(deal[sort]) : deal[sort])
  const compare = (a: any, b: any) => (typeof a === "string" ? compareText(a, b) : a - b)
  return [...deals]
    .sort((a, b) => {
      const [x, y] = [value(a), value(b)]
      if ((x === null) !== (y === null)) return x === null ? 1 : -1
      return sign * ((x === null ? 0 : compare(x, y)) || compareText(a["id"], b["id"]))
    })
    .map((deal) => deal["id"])
}
