import { assert } from "@effect/vitest"

/** For four times the input, quadratic work takes 16 times as long. */
const MAX_GROWTH = 10
/** Smaller differences are noise. */
const NOISE_MS = 100

/** Measures CPU time of this thread, which other processes do not affect. */
const cpuMsOf = (work: () => void) => {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

/** Fails if four times the input takes more than `MAX_GROWTH` times the CPU time. */
export const assertInProportion = (what: string, size: number, work: (size: number) => void) => {
  const [small, large] = [size, 4 * size].map((each) => Math.min(...[1, 2, 3].map(() => cpuMsOf(() => work(each)))))
  assert.isBelow(
    large!,
    MAX_GROWTH * small! + NOISE_MS,
    `${what}: ${small!.toFixed(0)} ms, four times as much ${large!.toFixed(0)} ms`,
  )
}
