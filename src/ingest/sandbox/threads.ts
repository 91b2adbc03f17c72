export const ON_BUN = "bun" in process.versions

/**
 * How far the process may grow while a thread reads, in multiples of the thread's heap limit: buffers live outside the heap. Deno ends a
 * thread at its heap limit without an event and terminates one slowly, so there the watch acts just before the limit.
 */
const MAX_GROWTH_IN_HEAPS = "deno" in process.versions ? 0.9 : 2

/** Parsing makes short-lived garbage; a small nursery keeps V8 from retaining 100 MB of it. */
export const YOUNG_MEGABYTES = 4

/** How often the watch checks a thread's time and memory. */
export const WATCH_INTERVAL_MS = 50

export const residentBytes = () => process.memoryUsage.rss()

/** The limits that V8 enforces on a thread; Bun enforces none. */
export const heapLimits = (megabytes: number, youngMegabytes = YOUNG_MEGABYTES) => ({
  maxOldGenerationSizeMb: megabytes,
  maxYoungGenerationSizeMb: youngMegabytes,
})

/** The resident bytes that the process may reach while `threads` threads read. */
export const maxResidentBytes = (heapMegabytes: number, threads = 1) =>
  residentBytes() + MAX_GROWTH_IN_HEAPS * heapMegabytes * 1024 ** 2 * threads

/** The message by which a thread is asked for the next part of a sheet. */
export const NEXT_PART = "next"
