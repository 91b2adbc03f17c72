import { floorsOf, roomOf, roomsOf, type Tie } from "./graph.ts"

/** Returns the broken rules of the imports inside `src/core`, as sentences. */
export const brokenWalls = (ties: ReadonlyArray<Tie>): ReadonlyArray<string> => {
  const { knot } = floorsOf(roomsOf(ties))
  const between = ties.filter(({ from, to }) => roomOf(from) !== roomOf(to))
  return [
    ...(knot.length > 0 ? [`these rooms import each other in a circle: ${knot.join(", ")}`] : []),
    ...between
      .filter(({ from, to }) => roomOf(to) === "server" && from !== "Sightline.ts")
      .map(({ from, to }) => `${from} imports ${to}: only Sightline.ts and the adapters import server/`),
    ...between
      .filter(({ from, to }) => roomOf(from) === "http" && !["common", "ports"].includes(roomOf(to)))
      .map(({ from, to }) => `${from} imports ${to}: http/ is vocabulary and imports only common/ and ports/`),
    ...between
      .filter(({ from }) => roomOf(from) === "common")
      .map(({ from, to }) => `${from} imports ${to}: common/ imports no other room`),
    ...ties
      .filter(({ from, to }) => from.endsWith("/handlers.ts") && to.endsWith("/handlers.ts"))
      .map(({ from, to }) => `${from} imports ${to}: handlers do not import each other`),
  ]
}
