import { parentPort } from "node:worker_threads"
import type { ToMedia } from "../../../src/ingest/media/protocol.ts"
import { refuseEarlyWork } from "./early.ts"

/** Threads that misbehave as libraries do. The size of the recording selects the behaviour. */
const BEHAVIOURS: ReadonlyArray<() => void> = [
  () => {
    for (;;) Math.random()
  },
  () => {
    const kept: Array<unknown> = []
    for (;;) kept.push(Array.from({ length: 1000 }, (_, index) => ({ index })))
  },
  () => process.exit(3),
  () => {
    throw new Error("thrown where no one waits")
  },
  () => {
    parentPort?.on("message", () => parentPort?.postMessage({ kind: "read", start: 0, end: 1 }, []))
    parentPort?.postMessage({ kind: "read", start: 0, end: 1 }, [])
  },
]

refuseEarlyWork()
parentPort?.once("message", (message: ToMedia) => {
  if (message.kind === "begin") BEHAVIOURS[message.size]?.()
})
parentPort?.postMessage({ kind: "started" }, [])
