/** Whether `npm run test:all` runs, which has new seeds and full counts. `npm test` decides a landing in minutes. */
export const ALL = process.env["TEST_ALL"] === "1"

/** The number of random cases: `landing` in `npm test`, `all` in `npm run test:all`. */
export const extent = (landing: number, all: number): number => (ALL ? all : landing)

/**
 * Whether this engine is asked the random case `n`. PGlite is PostgreSQL with the same planner and functions, and several times as slow in
 * WebAssembly: `npm test` asks it each third case.
 */
export const isAsked = ({ name }: { readonly name: string }, n: number): boolean =>
  ALL || name !== "PGlite" || n % 3 === 0
