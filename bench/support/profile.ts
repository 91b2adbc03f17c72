import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Program } from "./servers.ts"
import { heading, table } from "./report.ts"

interface Profile {
  readonly nodes: ReadonlyArray<{
    readonly id: number
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number }
  }>
  readonly samples: ReadonlyArray<number>
  readonly timeDeltas: ReadonlyArray<number>
}

/** Runs a program under V8's sampling profiler. After it has ended, `report` prints where its time went. */
export const profiled = (program: Program) => {
  const directory = mkdtempSync(join(tmpdir(), "sightline-profile-"))
  return {
    program: {
      ...program,
      runtimeArgs: ["--cpu-prof", "--cpu-prof-interval=500", `--cpu-prof-dir=${directory}`],
    } satisfies Program,
    report: () => {
      for (const name of readdirSync(directory))
        print(JSON.parse(readFileSync(join(directory, name), "utf8")) as Profile)
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** A file's URL, from its package or folder on. */
const short = (url: string) =>
  url === "" ? "(V8)" : url.replace(/^.*\/node_modules\//, "").replace(/^.*\/(src|bench)\//, "$1/")

const print = ({ nodes, samples, timeDeltas }: Profile) => {
  const names = new Map(
    nodes.map(({ id, callFrame: { functionName, url, lineNumber } }) => [
      id,
      { file: short(url), name: `${functionName || "(anonymous)"} ${short(url)}:${lineNumber + 1}` },
    ]),
  )
  const byFunction = new Map<string, number>()
  const byFile = new Map<string, number>()
  let busy = 0
  const add = (map: Map<string, number>, key: string, time: number) => map.set(key, (map.get(key) ?? 0) + time)
  for (const [index, id] of samples.entries()) {
    const found = names.get(id)
    if (found === undefined || /^\((idle|root)\)/.test(found.name)) continue
    const time = timeDeltas[index] ?? 0
    busy += time
    add(byFunction, found.name, time)
    add(byFile, found.file, time)
  }
  const most = (map: Map<string, number>, count: number) =>
    [...map]
      .toSorted(([, a], [, b]) => b - a)
      .slice(0, count)
      .map(([name, time]) => [name, `${((time / busy) * 100).toFixed(1)} %`])
  heading(`Where ${(busy / 1e6).toFixed(1)} s of CPU went: self time`)
  table(["function", "share"], most(byFunction, 40))
  console.log()
  table(["file", "share"], most(byFile, 25))
}
