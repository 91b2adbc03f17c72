import { floorsOf, roomsOf, tiesBelow } from "./graph.ts"
import { brokenWalls } from "./walls.ts"

// `npm run graph` prints the rooms of src/core, floor by floor, and exits with 1 if a wall is broken.
const ties = tiesBelow("src/core")
const rooms = roomsOf(ties)
const { floors } = floorsOf(rooms)
for (const [height, floor] of floors.entries()) {
  for (const room of floor) console.log(`${height}  ${room.padEnd(14)} ${[...rooms.get(room)!].toSorted().join(" ")}`)
}
const broken = brokenWalls(ties)
for (const sentence of broken) console.error(sentence)
process.exitCode = broken.length > 0 ? 1 : 0
