import { ALL } from "./extent.ts"

/** Seeded random numbers (mulberry32): the same seed gives the same test. */
export const makeRandom = (seed: number) => {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  const below = (n: number) => Math.floor(next() * n)
  const pick = <A>(from: ReadonlyArray<A>): A => from[below(from.length)] as A
  const chance = (probability: number) => next() < probability
  /** Picks between `least` and `most` distinct values, in random order. */
  const some = <A>(from: ReadonlyArray<A>, least: number, most: number): Array<A> => {
    const rest = [...from]
    const count = Math.min(rest.length, least + below(most - least + 1))
    return Array.from({ length: count }, () => rest.splice(below(rest.length), 1)[0] as A)
  }
  return { next, below, pick, chance, some }
}
export type Random = ReturnType<typeof makeRandom>

/** The seed of this run: `TEST_SEED`, else 1 in `npm test` and a new one in `npm run test:all`. It is printed, so that a failure can be repeated. */
export const seedOfRun = (what: string): number => {
  const seed = Number(process.env["TEST_SEED"] ?? (ALL ? Date.now() % 1_000_000_007 : 1))
  console.log(`${what}: TEST_SEED=${seed}`)
  return seed
}
