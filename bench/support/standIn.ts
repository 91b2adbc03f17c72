import { type ChildProcess, fork } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { file } from "./servers.ts"

/** A thread that uses `run` milliseconds of CPU in every `period`. */
export interface Lane {
  readonly run: number
  readonly period: number
}

/** For each thread of a process: its nanoseconds of CPU, and the number of its runs. */
const threadsOf = (pid: number) =>
  readdirSync(`/proc/${pid}/task`).map((thread) => {
    const [cpu = 0, , runs = 0] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ").map(Number)
    return { thread, cpu, runs }
  })

/** Watches processes from now on. The result has a lane for each of their threads that used the CPU. */
export const watch = (pids: () => ReadonlyArray<number>) => {
  const look = () => new Map(pids().map((pid) => [pid, threadsOf(pid)]))
  const before = new Map([...look().values()].flat().map((seen) => [seen.thread, seen]))
  const began = performance.now()
  return () => {
    const milliseconds = performance.now() - began
    return new Map(
      [...look()].map(([pid, threads]) => {
        const lanes = threads.flatMap(({ thread, cpu, runs }): ReadonlyArray<Lane> => {
          const used = (cpu - (before.get(thread)?.cpu ?? 0)) / 1e6
          const times = runs - (before.get(thread)?.runs ?? 0)
          return used < milliseconds / 1000 ? [] : [{ run: used / times, period: milliseconds / times }]
        })
        return [pid, lanes] as const
      }),
    )
  }
}

export const coresOf = (processes: ReadonlyMap<number, ReadonlyArray<Lane>>) =>
  [...processes.values()].flat().reduce((sum, { run, period }) => sum + run / period, 0)

/** Starts a process for each watched one, which only uses the CPU as that one did. */
export const standIn = async (
  processes: ReadonlyMap<number, ReadonlyArray<Lane>>,
  /** Processes in a session of their own, which the scheduler may give a share of its own. */
  apart: (pid: number) => boolean,
) => {
  const children = [...processes]
    .filter(([, lanes]) => lanes.length > 0)
    .map(([pid, lanes]) => fork(file("bench/support/spinning.ts"), [JSON.stringify(lanes)], { detached: apart(pid) }))
  await Promise.all(children.map(ready))
  return { pids: children.map(({ pid }) => pid!), stop: () => children.forEach((child) => child.kill("SIGKILL")) }
}

const ready = (child: ChildProcess) => new Promise((resolve) => child.once("message", resolve))
