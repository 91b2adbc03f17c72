import type { Worker } from "node:worker_threads"
import { LIMITS } from "../document.ts"
import { ON_BUN } from "./threads.ts"

export interface Allowance {
  /** CPU time of the thread: a busy machine grants it slowly, which is not the file's fault. */
  readonly cpuSeconds?: number | undefined
  /** Ends a thread that waits forever; ten times `cpuSeconds` by default. */
  readonly wallSeconds?: number | undefined
}

type Usage = { readonly user: number; readonly system: number }
const secondsOf = ({ user, system }: Usage) => (user + system) / 1e6

/**
 * CPU seconds of a thread since its start, even while it spins. Bun and Node before 24.6 cannot measure another thread: there it is the
 * whole process minus the calling thread, which is at least as much.
 */
const measureCpuSeconds = async (worker: Worker): Promise<number> =>
  ON_BUN || typeof worker.cpuUsage !== "function"
    ? secondsOf(process.cpuUsage()) - secondsOf(process.threadCpuUsage())
    : secondsOf(await worker.cpuUsage())

/** CPU seconds of the thread before the current work (undefined until the thread answers), and whether the work has used up its allowance. */
interface Work {
  before: number | undefined
  isUsedUp: boolean
}

/** Tells when a thread has used up the time for one piece of work. */
export class TimeLimit {
  readonly cpuSeconds: number
  private readonly wallMs: number
  private readonly worker: Worker
  private work: Work = { before: undefined, isUsedUp: false }
  private isAsking = false

  constructor(worker: Worker, { cpuSeconds = LIMITS.cpuSeconds, wallSeconds = cpuSeconds * 10 }: Allowance = {}) {
    this.worker = worker
    this.cpuSeconds = cpuSeconds
    this.wallMs = wallSeconds * 1000
    this.restart()
  }

  /** Begins a new piece of work. */
  restart() {
    this.work = { before: undefined, isUsedUp: false }
    this.ask()
  }

  /** `workedMs`: wall-clock time of the work. CPU time is asked for only beyond its limit: a thread has at most as much. */
  isOver(workedMs: number): boolean {
    if (workedMs > this.wallMs) return true
    if (workedMs > this.cpuSeconds * 1000 && !this.isAsking) this.ask()
    return this.work.isUsedUp
  }

  private ask() {
    const work = this.work
    this.isAsking = true
    void measureCpuSeconds(this.worker)
      .then((seconds) => {
        work.before ??= seconds
        work.isUsedUp = seconds - work.before > this.cpuSeconds
      })
      // A thread that has ended cannot answer; its watcher hears of the end.
      .catch(() => undefined)
      .finally(() => {
        this.isAsking = false
      })
  }
}
