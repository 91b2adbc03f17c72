import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as Sightline from "../../src/core/Sightline.ts"
import { ownCpu } from "./cpu.ts"
import { Import } from "../../src/core/import/Import.ts"
import { Organizations } from "../../src/core/catalogue/Organizations.ts"

export const ORGANIZATION = "org_import"

/** Records of a chunk: about what a client sends at a time. */
const CHUNK = 500

/** A deal with two competitors and a driver. */
const record = (n: number, raise: number) => ({
  type: "deal",
  id: `deal_${n}`,
  name: `Deal ${n} of Company ${n % 977}`,
  amount: n * 10.5 + raise,
  status: ["Open", "Won", "Lost"][n % 3],
  owner: `Owner ${n % 50}`,
  client: `Client ${n % 500}`,
  region: ["EMEA", "APAC", "AMER"][n % 3],
  deal_type: "New business",
  created_at: `2026-0${1 + (n % 9)}-11T10:00:00Z`,
  competitors: [{ competitor: `Rival ${n % 20}`, is_primary: true }, `Rival ${20 + (n % 20)}`],
  drivers: [{ reason: `Reason ${n % 15}`, positive: n % 2 === 0, summary: "It was cheaper than the other." }],
})

const bytesOf = (deals: number, raise: number) =>
  // One chunk at a time: the bytes of a whole file would count as memory of the import.
  Stream.fromIterable(
    Array.from({ length: Math.ceil(deals / CHUNK) }, (_, chunk) => chunk * CHUNK),
    { chunkSize: 1 },
  ).pipe(
    Stream.map((first) =>
      new TextEncoder().encode(
        Array.from(
          { length: Math.min(CHUNK, deals - first) },
          (_, n) => `${JSON.stringify(record(first + n, raise))}\n`,
        ).join(""),
      ),
    ),
  )

export interface Imported {
  readonly seconds: number
  /** CPU seconds of this process; of an embedded database too. */
  readonly cpu: number
  /** CPU seconds of the server; 0 without one. */
  readonly databaseCpu: number
}

/** Measures an effect. `databaseCpu` reads the CPU seconds that the server has used so far. */
export const measureImport = <A, E, R>(importing: Effect.Effect<A, E, R>, databaseCpu: () => number) =>
  Effect.gen(function* () {
    const [beganMs, cpu, before] = [performance.now(), ownCpu(), databaseCpu()]
    const report = yield* importing
    const measured: Imported = {
      seconds: (performance.now() - beganMs) / 1000,
      cpu: ownCpu() - cpu,
      databaseCpu: databaseCpu() - before,
    }
    return { report, measured }
  })

/** Imports the deals, the same file again, and one in which all amounts are others. */
export const importThrice = (
  database: Parameters<typeof Sightline.layer>[0]["database"],
  deals: number,
  databaseCpu: () => number = () => 0,
): Promise<readonly [first: Imported, again: Imported, updated: Imported]> =>
  Effect.runPromise(
    Effect.gen(function* () {
      const imports = yield* Import
      yield* (yield* Organizations).create({ id: ORGANIZATION, name: "Bench", plan: "enterprise" })
      const once = (result: "created" | "unchanged" | "updated", raise = 0) =>
        Effect.gen(function* () {
          const { report, measured } = yield* measureImport(
            imports.run(ORGANIZATION, { format: "ndjson", bytes: bytesOf(deals, raise) }),
            databaseCpu,
          )
          if (report[result] !== deals) return yield* Effect.die(`${JSON.stringify(report)}`)
          return measured
        })
      return [yield* once("created"), yield* once("unchanged"), yield* once("updated", 1)] as const
    }).pipe(Effect.provide(Sightline.layer({ database }) as Layer.Layer<Import | Organizations>)),
  )

/** Every so often, memory is collected and read. */
const SAMPLE_MS = 1_000

/** Imports the deals, and returns the most that this process held after a collection, in MB. An embedded database is part of it. */
export const measureMemory = (
  database: Parameters<typeof Sightline.layer>[0]["database"],
  deals: number,
): Promise<number> => {
  setFlagsFromString("--expose-gc")
  const collect = runInNewContext("gc") as () => void
  let most = 0
  const sample = () => {
    collect()
    const { heapUsed, external } = process.memoryUsage()
    most = Math.max(most, heapUsed + external)
  }
  return Effect.runPromise(
    Effect.gen(function* () {
      const imports = yield* Import
      yield* (yield* Organizations).create({ id: ORGANIZATION, name: "Bench", plan: "enterprise" })
      const timer = setInterval(sample, SAMPLE_MS)
      const { created } = yield* Effect.ensuring(
        imports.run(ORGANIZATION, { format: "ndjson", bytes: bytesOf(deals, 0) }),
        Effect.sync(() => clearInterval(timer)),
      )
      sample()
      if (created !== deals) return yield* Effect.die(`${created} deals were created`)
      return most / 2 ** 20
    }).pipe(Effect.provide(Sightline.layer({ database }) as Layer.Layer<Import | Organizations>)),
  )
}
