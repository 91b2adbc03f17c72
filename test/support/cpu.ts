import { assert } from "@effect/vitest"

/** Quadratic work takes 16 times as long for four times the input. */
const MAX_GROWTH = 10
/** Below this a difference is noise. */
const NOISE_MS = 100

/** CPU milliseconds of this thread: what others do on the machine does not count. */
const cpuMsOf = (work: () => void) => {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

/** Fails where four times the input takes so much more CPU time that the work is not in proportion to it. */
export const assertInProportion = (what: string, size: number, work: (size: number) => void) => {
  const [small, large] = [size, 4 * size].map((each) => Math.min(...[1, 2, 3].map(() => cpuMsOf(() => work(each)))))
  assert.isBelow(
    large!,
    MAX_GROWTH * small! + NOISE_MS,
    `${what}: ${small!.toFixed(0)} ms, four times as much ${large!.toFixed(0)} ms`,
  )
}
