export const ON_BUN = "bun" in process.versions

/**
 * What a process may grow by under a thread, in heaps of that thread: there is more than the heap. Deno ends a thread at its heap's
 * limit without a word, and one that is ended from outside before goes on for a while: there the watch comes just before the limit.
 */
const HEAPS = "deno" in process.versions ? 0.9 : 2

/** Parsing makes short-lived garbage; a small nursery keeps V8 from letting 100 MB of it stand. */
const YOUNG_MEGABYTES = 4

/** Milliseconds between two looks at a thread's time and memory. */
export const GLANCE = 50

export const residentBytes = () => process.memoryUsage.rss()

/** What V8 holds a thread to; Bun does not. */
export const heapLimits = (megabytes: number) => ({
  maxOldGenerationSizeMb: megabytes,
  maxYoungGenerationSizeMb: YOUNG_MEGABYTES,
})

/** What the whole process may grow to while so many threads work. */
export const mostResident = (heapMegabytes: number, threads = 1) =>
  residentBytes() + HEAPS * heapMegabytes * 1024 ** 2 * threads

/** The URL of a worker's module in the folder of the module at `url`: in the source, built, bundled, or in a compiled binary. */
export const moduleBeside = (url: string, name: string) =>
  new URL(url.endsWith(".ts") ? `./${name}.ts` : `./${name}.js`, url)
