/** The used part of the engine's module. Its flags are numbers: where they lie in its memory. */
interface Interruptible {
  readonly wasmMemory: { readonly buffer: ArrayBufferLike }
  readonly FS: object
}

/** The engine's names for the flags that SIGINT sets in a process of PostgreSQL. */
const FLAGS = ["_InterruptPending", "_QueryCancelPending"] as const

/** The calls by which the engine reads and writes files. Statements that run for long make them all the time. */
const CALLS = ["read", "write"] as const

/** A statement beyond its limit goes on until it has worked for this part of it: on a busy machine it may have had little of a core. */
const WORKED = 0.4

/** The CPU time that this process has used, in milliseconds. */
export const cpuMs = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/**
 * Ends statements that run too long, though they run in this thread, where no timer fires meanwhile. The engine reads and writes its files
 * through functions of JavaScript: they look at the clock, and set the flags that the engine checks between rows. A statement then fails
 * with the SQLSTATE 57014, as on a server. An engine without these flags ends nothing.
 */
export const makeInterrupts = (engine: Interruptible) => {
  let limitMs = Infinity
  let deadlineMs = Infinity
  let beganCpuMs = 0
  const flags = FLAGS.map((name) => (engine as unknown as Record<string, unknown>)[name])
  const isSupported = flags.every((address) => typeof address === "number")
  const isOver = () => deadlineMs !== Infinity && performance.now() > deadlineMs
  const setFlags = (value: 0 | 1) => {
    // The memory has another buffer whenever it grows.
    const memory = new Uint8Array(engine.wasmMemory.buffer)
    for (const address of flags) memory[address as number] = value
  }
  if (isSupported) {
    const files = engine.FS as Record<string, (...args: ReadonlyArray<unknown>) => unknown>
    for (const name of CALLS) {
      const call = files[name]!
      files[name] = (...args) => {
        if (isOver() && cpuMs() - beganCpuMs > limitMs * WORKED) setFlags(1)
        return call(...args)
      }
    }
  }
  return {
    /** How long each message may run from now on, in milliseconds. */
    setLimit: (ms: number) => void (limitMs = ms),
    /** Call it before a message. */
    begin: () => {
      if (limitMs === Infinity) return
      deadlineMs = performance.now() + limitMs
      beganCpuMs = cpuMs()
    },
    /** Call it after a message: one that ended by itself leaves the flags to the next. */
    end: () => {
      if (isOver() && isSupported) setFlags(0)
      deadlineMs = Infinity
    },
  }
}
