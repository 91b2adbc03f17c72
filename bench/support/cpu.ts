import { readdirSync, readFileSync } from "node:fs"

/** Kernel ticks are 10 ms on Linux. Every measurement is long enough for an error of a few per cent. */
const MICROSECONDS_PER_TICK = 10_000

interface Stat {
  readonly parent: number
  /** CPU of the process, and of its children that have ended. */
  readonly own: number
  readonly buried: number
}

const stat = (pid: number): Stat | undefined => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8")
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ")
    const at = (index: number) => Number(fields[index])
    return { parent: at(1), own: at(11) + at(12), buried: at(13) + at(14) }
  } catch {
    return undefined
  }
}

export const parentOf = (pid: number): number => {
  const found = stat(pid)
  if (found === undefined) throw new Error(`no process ${pid}`)
  return found.parent
}

export const childrenOf = (pid: number): ReadonlyArray<number> =>
  readdirSync("/proc")
    .map(Number)
    .filter((each) => stat(each)?.parent === pid)

/** CPU microseconds that one process has used. */
export const cpuOf = (pid: number): number => (stat(pid)?.own ?? 0) * MICROSECONDS_PER_TICK

/** CPU seconds of this process. */
export const ownCpu = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000_000
}

/** CPU microseconds of the processes that one has started and that have ended. */
export const cpuOfChildren = (pid: number): number => (stat(pid)?.buried ?? 0) * MICROSECONDS_PER_TICK

/**
 * CPU microseconds of a PostgreSQL: the postmaster, its live children, and those that have ended. Reads again if a child ended
 * meanwhile, because its time moves to the postmaster.
 */
export const cpuOfCluster = (postmaster: number, attempts = 10): number => {
  const buried = stat(postmaster)?.buried
  let ticks = 0
  for (const entry of readdirSync("/proc")) {
    const pid = Number(entry)
    if (!Number.isInteger(pid)) continue
    const found = stat(pid)
    if (pid === postmaster) ticks += (found?.own ?? 0) + (found?.buried ?? 0)
    else if (found?.parent === postmaster) ticks += found.own
  }
  return stat(postmaster)?.buried === buried || attempts <= 1
    ? ticks * MICROSECONDS_PER_TICK
    : cpuOfCluster(postmaster, attempts - 1)
}

/** Resident memory of a process in MB: now and at its peak. */
export const memoryOf = (pid: number): { readonly now: number; readonly peak: number } => {
  const text = readFileSync(`/proc/${pid}/status`, "utf8")
  const mb = (name: string) => Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(text)?.[1] ?? 0) / 1024)
  return { now: mb("VmRSS"), peak: mb("VmHWM") }
}
