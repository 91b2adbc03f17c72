/** Counts the letters to change, add, drop, or swap with their neighbour. */
export const editDistance = (from: string, to: string): number => {
  const [left, right] = [[...from], [...to]]
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

const MAX_NEAREST = 3
/** Compares only this many letters of longer names, so that a suggestion costs less than its request. */
const MAX_COMPARED = 60

/** Drops case and word separators. */
const normalize = (name: string) =>
  name
    .slice(0, 2 * MAX_COMPARED)
    .toLowerCase()
    .replaceAll(/[\s_.-]+/g, "")
    .slice(0, MAX_COMPARED)

/**
 * Lists the candidates that a misspelt `name` may mean, likeliest first; empty if nothing is close. `mayCompare` is asked before each
 * comparison by letters.
 */
export const nearest = (
  name: string,
  candidates: Iterable<string>,
  mayCompare: () => boolean = () => true,
): ReadonlyArray<string> => {
  const wanted = normalize(name)
  const found: Array<{ readonly candidate: string; readonly distance: number }> = []
  for (const candidate of new Set(candidates)) {
    const distance = distanceTo(wanted, normalize(candidate), mayCompare)
    if (distance !== undefined) found.push({ candidate, distance })
  }
  return found
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, MAX_NEAREST)
    .map(({ candidate }) => candidate)
}

/** Returns the likeliest candidate as the `did_you_mean` field of an error. */
export const suggestion = (name: string, candidates: Iterable<string>): { readonly did_you_mean?: string } => {
  const [best] = nearest(name, candidates)
  return best === undefined ? {} : { did_you_mean: best }
}

/** Ends a message about an unknown name: with the likeliest one, or with `all` and each of them. */
export const orNearest = (name: string, candidates: ReadonlyArray<string>, all: string): string => {
  const [best] = nearest(name, candidates)
  return best === undefined ? `${all} ${candidates.join(", ")}` : `. Did you mean '${best}'?`
}

/** Undefined if too far: up to a third of the letters may be wrong, or one name may contain the other. */
const distanceTo = (wanted: string, candidate: string, mayCompare: () => boolean): number | undefined => {
  const [shorter, longer] = wanted.length < candidate.length ? [wanted, candidate] : [candidate, wanted]
  if (shorter === "") return undefined
  const extra = longer.length - shorter.length
  const limit = Math.max(1, Math.floor(longer.length / 3))
  const distance = extra > limit || !mayCompare() ? Infinity : editDistance(wanted, candidate)
  if (distance <= limit && distance < longer.length) return distance
  return shorter.length >= 3 && longer.includes(shorter) ? limit + extra / longer.length : undefined
}
