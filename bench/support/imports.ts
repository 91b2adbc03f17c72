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
  Stream.fromIterable(Array.from({ length: Math.ceil(deals / CHUNK) }, (_, chunk) => chunk * CHUNK)).pipe(
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

/** Imports the deals, the same file again, and one in which all amounts are others. `databaseCpu` reads the CPU seconds that the server has used so far. */
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
          const [beganMs, cpu, before] = [performance.now(), ownCpu(), databaseCpu()]
          const report = yield* imports.run(ORGANIZATION, { format: "ndjson", bytes: bytesOf(deals, raise) })
          if (report[result] !== deals) return yield* Effect.die(`${JSON.stringify(report)}`)
          return {
            seconds: (performance.now() - beganMs) / 1000,
            cpu: ownCpu() - cpu,
            databaseCpu: databaseCpu() - before,
          }
        })
      return [yield* once("created"), yield* once("unchanged"), yield* once("updated", 1)] as const
    }).pipe(Effect.provide(Sightline.layer({ database }) as Layer.Layer<Import | Organizations>)),
  )
