export const ON_BUN = "bun" in process.versions

/** Deno ends a thread at its heap's limit without a word, so there the limit only comes after the watch on the process. */
const HEAP_SLACK = "deno" in process.versions ? 4 : 1

/** Parsing makes short-lived garbage; a small nursery keeps V8 from letting 100 MB of it stand. */
const YOUNG_MEGABYTES = 4

/** Milliseconds between two looks at a thread's time and memory. */
export const GLANCE = 50

export const residentBytes = () => process.memoryUsage.rss()

/** What V8 holds a thread to; Bun does not. */
export const heapLimits = (megabytes: number) => ({
  maxOldGenerationSizeMb: megabytes * HEAP_SLACK,
  maxYoungGenerationSizeMb: YOUNG_MEGABYTES,
})

/** What the whole process may grow to while so many threads work: twice the heap of each, for what is outside it. */
export const mostResident = (heapMegabytes: number, threads = 1) =>
  residentBytes() + 2 * heapMegabytes * 1024 ** 2 * threads

/** A module of this folder as a thread is started with: from source, built, or in a compiled binary. */
export const moduleBeside = (name: string) =>
  new URL(import.meta.url.endsWith(".ts") ? `./${name}.ts` : `./${name}.js`, import.meta.url)
