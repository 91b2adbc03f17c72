import { readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"

/** An import between two files, by their paths below the root of the graph. */
export interface Tie {
  readonly from: string
  readonly to: string
}

/** Reads every relative import below `root`, type-only and dynamic ones included. */
export const tiesBelow = (root: string): ReadonlyArray<Tie> =>
  readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .flatMap((from) => {
      const text = readFileSync(join(root, from), "utf8")
      return [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*"(\.[^"]+)"/g)].map(([, specifier]) => ({
        from,
        to: relative(root, join(root, dirname(from), specifier!)),
      }))
    })

/** The folder directly below the root, or the file itself if it is at the root. */
export const roomOf = (file: string): string => file.split("/")[0]!

/** Maps every room to the rooms that it imports. */
export const roomsOf = (ties: ReadonlyArray<Tie>): ReadonlyMap<string, ReadonlySet<string>> => {
  const rooms = new Map<string, Set<string>>()
  for (const { from, to } of ties) {
    const [a, b] = [roomOf(from), roomOf(to)]
    if (!rooms.has(a)) rooms.set(a, new Set())
    if (!rooms.has(b)) rooms.set(b, new Set())
    if (a !== b) rooms.get(a)!.add(b)
  }
  return rooms
}

/**
 * Sorts rooms into floors: a room imports only from lower floors. Rooms in a circle, and rooms above one, have no floor and
 * are returned as `knot`.
 */
export const floorsOf = (rooms: ReadonlyMap<string, ReadonlySet<string>>) => {
  const floors: Array<ReadonlyArray<string>> = []
  const placed = new Set<string>()
  for (;;) {
    const floor = [...rooms]
      .filter(([room, imports]) => !placed.has(room) && [...imports].every((each) => placed.has(each)))
      .map(([room]) => room)
    if (floor.length === 0) break
    floors.push(floor.toSorted())
    for (const room of floor) placed.add(room)
  }
  return { floors, knot: [...rooms.keys()].filter((room) => !placed.has(room)).toSorted() }
}

/** The files that `file` imports, directly or indirectly. */
export const reach = (ties: ReadonlyArray<Tie>, file: string): ReadonlySet<string> => {
  const seen = new Set([file])
  for (const each of seen) for (const { from, to } of ties) if (from === each) seen.add(to)
  return seen
}
