/** A process with one thread per lane, which alternates between counting and resting. */
import { once } from "node:events"
import { isMainThread, Worker, workerData } from "node:worker_threads"
import type { Lane } from "./standIn.ts"

const count = (to: number) => {
  let sum = 0
  for (let n = 0; n < to; n++) sum = (sum * 31 + n) | 0
  return sum
}

/** Counts per millisecond: the fastest of several tries, because other programs run too. */
const speed = () => {
  const tries = Array.from({ length: 200 }, () => {
    const began = performance.now()
    count(100_000)
    return performance.now() - began
  })
  return 100_000 / Math.min(...tries)
}

if (isMainThread) {
  const perMillisecond = speed()
  const threads = (JSON.parse(process.argv[2]!) as ReadonlyArray<Lane>).map(
    (lane) => new Worker(new URL(import.meta.url), { workerData: { ...lane, perMillisecond } }),
  )
  void Promise.all(threads.map((thread) => once(thread, "online"))).then(() => process.send!("ready"))
  process.once("disconnect", () => process.exit())
} else {
  const { run, period, perMillisecond } = workerData as Lane & { readonly perMillisecond: number }
  const never = new Int32Array(new SharedArrayBuffer(4))
  const began = performance.now()
  for (let due = 0; ; due += period) {
    const early = due - (performance.now() - began)
    if (early > 0) Atomics.wait(never, 0, 0, early * (0.5 + Math.random()))
    count(run * perMillisecond)
  }
}
