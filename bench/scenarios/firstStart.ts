import { execFileSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { median } from "../support/contest.ts"
import { heading, judge, table } from "../support/report.ts"
import { file } from "../support/servers.ts"

/** A process that opens a new database and prints its time and CPU. */
const programOf = (open: string) => `const begin = performance.now()
const directory = process.argv[2]
${open}
const { user, system } = process.cpuUsage()
console.log(JSON.stringify({ ms: performance.now() - begin, cpu: (user + system) / 1000 }))
process.exit(0)
`

const ENGINE = `const { PGlite } = await import("@electric-sql/pglite")
const { pg_trgm } = await import("@electric-sql/pglite/contrib/pg_trgm")
const { btree_gin } = await import("@electric-sql/pglite/contrib/btree_gin")
const settings = ["max_wal_size=32MB", "min_wal_size=32MB", "shared_buffers=32MB"].flatMap((one) => ["-c", one])
const startParams = [...PGlite.defaultStartParams, ...settings]
await PGlite.create({ dataDir: directory, extensions: { pg_trgm, btree_gin }, startParams })`

const ourEngine = (dist: string) => `const { layerPglite } = await import("${dist}/adapters/database/pglite.js")
const Effect = await import("effect/Effect")
const Layer = await import("effect/Layer")
const Scope = await import("effect/Scope")
await Effect.runPromise(Layer.buildWithScope(layerPglite({ directory }), Scope.makeUnsafe()))`

/** Measures the first start of PGlite: alone, with the migrations, and with the package's directory. `npm run build` first. */
export const main = async (args: ReadonlyArray<string>) => {
  const rounds = args.includes("--quick") ? 3 : 9
  const cache = file("node_modules/.cache/bench")
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, "first-start-"))
  try {
    const migrating = join(folder, "dist")
    cpSync(file("dist"), migrating, { recursive: true })
    writeFileSync(join(migrating, "adapters/database/prebuilt/packed.js"), "export const packedDirectory = undefined\n")
    const programs = {
      "PGlite alone": ENGINE,
      "Sightline, which migrates": ourEngine(pathToFileURL(migrating).href),
      "Sightline with the directory of the package": ourEngine(pathToFileURL(file("dist")).href),
    }
    for (const place of ["in memory", "in a directory"]) {
      const names = Object.keys(programs) as ReadonlyArray<keyof typeof programs>
      const taken = new Map(names.map((name) => [name, { ms: [] as number[], cpu: [] as number[] }]))
      for (let round = 0; round <= rounds; round++) {
        for (const [at, name] of names.entries()) {
          const program = join(folder, `${at}.mjs`)
          writeFileSync(program, programOf(programs[name]))
          const directory = mkdtempSync(join(tmpdir(), "sightline-first-start-"))
          const given = place === "in memory" ? [] : [join(directory, "postgres")]
          const printed = execFileSync(process.execPath, [program, ...given], { encoding: "utf8" })
          rmSync(directory, { recursive: true, force: true })
          const { ms, cpu } = JSON.parse(printed) as { readonly ms: number; readonly cpu: number }
          // The first round fills the system's file cache.
          if (round > 0) {
            taken.get(name)!.ms.push(ms)
            taken.get(name)!.cpu.push(cpu)
          }
        }
      }
      heading(`First start ${place}`)
      const least = (values: ReadonlyArray<number>) => Math.min(...values)
      table(
        ["program", "ms (median)", "fastest", "CPU ms"],
        names.map((name) => {
          const { ms, cpu } = taken.get(name)!
          return [name, median(ms).toFixed(0), least(ms).toFixed(0), median(cpu).toFixed(0)]
        }),
      )
      console.log()
      const of = (name: (typeof names)[number]) => median(taken.get(name)!.cpu)
      judge(`first start ${place}, of that of PGlite alone: CPU`, of(names[2]!) / of(names[0]!), 0.6)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
