import { floorsOf, reach, roomOf, roomsOf, type Tie } from "./graph.ts"

/** Files that a contract must not reach, because they have SQL or services. */
const isServerCode = (file: string) =>
  /^(?:storage|server|jobs|operator|deals\/(?:conditions|selection|rows))\//.test(file) ||
  /(?:[sS]ql|handlers)\.ts$/.test(file) ||
  /\/layer[A-Z]\w*\.ts$/.test(file)

/** The files that join the capabilities. */
const FACE = new Set(["layers.ts", "open.ts", "provided.ts", "services.ts", "Sightline.ts"])

const CLIENT_ENTRY = "server/api.ts"

/** Returns the broken rules of the imports inside `src/core`, as sentences. */
export const brokenWalls = (ties: ReadonlyArray<Tie>): ReadonlyArray<string> => {
  const { knot } = floorsOf(roomsOf(ties))
  const between = ties.filter(({ from, to }) => roomOf(from) !== roomOf(to))
  return [
    ...(knot.length > 0 ? [`these rooms import each other in a circle: ${knot.join(", ")}`] : []),
    ...between
      .filter(({ from, to }) => roomOf(to) === "server" && !FACE.has(from))
      .map(
        ({ from, to }) =>
          `${from} imports ${to}: only layers.ts, open.ts, provided.ts, services.ts, Sightline.ts and the adapters import server/`,
      ),
    ...between
      .filter(({ from, to }) => roomOf(from) === "http" && !["common", "ports"].includes(roomOf(to)))
      .map(({ from, to }) => `${from} imports ${to}: http/ is vocabulary and imports only common/ and ports/`),
    ...between
      .filter(({ from }) => roomOf(from) === "common")
      .map(({ from, to }) => `${from} imports ${to}: common/ imports no other room`),
    ...ties
      .filter(({ from, to }) => from.endsWith("/handlers.ts") && to.endsWith("/handlers.ts"))
      .map(({ from, to }) => `${from} imports ${to}: handlers do not import each other`),
    ...[...reach(ties, CLIENT_ENTRY)]
      .filter((file) => file !== CLIENT_ENTRY && isServerCode(file))
      .map((file) => `${CLIENT_ENTRY} reaches ${file}: what a client needs holds no server code`),
  ]
}
