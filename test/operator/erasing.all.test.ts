import { rmSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { layerFiles } from "../../src/adapters/blobs/files.ts"
import { layerPglite } from "../../src/adapters/database/pglite.ts"
import { layerGuarded } from "../../src/adapters/fetch/guarded.ts"
import { layerReader } from "../../src/adapters/reading/layerReader.ts"
import { Transcriber } from "../../src/core/ports/Transcriber.ts"
import * as Sightline from "../../src/core/Sightline.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { migratedDirectory } from "../support/embedded.ts"
import { filesWith } from "../support/filesWith.ts"
import { untilEffect } from "../support/until.ts"
import { fill, utf8 } from "./fill.ts"

const CANARY = "Zorgblatt"
const DEALS = 3000

/** An import of deals whose texts have `word`, as often as a workspace is updated. */
const update = (org: string, word: string, round: number) =>
  Effect.flatMap(Sightline.Import, ({ run }) => {
    const deals = Array.from({ length: DEALS }, (_, n) => ({
      type: "deal",
      id: `u${n}`,
      name: `${word} ${round} ${n}`,
      summary: `${word} compares ${n}`,
      client: `${word} ${n % 700}`,
      amount: n + round,
    }))
    return run(org, { format: "ndjson", bytes: utf8(deals.map((deal) => JSON.stringify(deal)).join("\n")) })
  })

it.live("leaves no text of an erased organization in the data directory, after updates, vacuums and a restart", () =>
  Effect.gen(function* () {
    const directory = yield* Effect.acquireRelease(Effect.promise(migratedDirectory), (path) =>
      Effect.sync(() => rmSync(path, { recursive: true, force: true })),
    )
    const library = Layer.mergeAll(
      Layer.orDie(layerFiles({ directory: join(directory, "files") })),
      layerReader,
      layerGuarded(),
      Transcriber.layerNone,
    )
    const opened = () =>
      Sightline.layer({ database: layerPglite({ directory: join(directory, "postgres"), reserve: 0 }), library })

    const kept = yield* Effect.provide(
      Effect.gen(function* () {
        const { sql, scoped, unscoped, vacuumAfterWrites } = yield* Database
        const { org } = yield* fill(CANARY)
        const other = yield* fill("Quellaria")
        for (let round = 0; round < 3; round++) {
          yield* update(org, CANARY, round)
          yield* update(other.org, "Quellaria", round)
          yield* vacuumAfterWrites!
        }
        const stale = scoped(org, sql`select 1 as one from stale_deal_records where org_id = scope.org limit 1`)
        yield* untilEffect(
          "the records of deals are written",
          Effect.map(stale, (rows) => rows.length === 0),
        )
        yield* vacuumAfterWrites!
        yield* unscoped(sql`checkpoint`)
        assert.isAbove(filesWith(directory, CANARY).length, 10)
        assert.deepStrictEqual(yield* (yield* Sightline.Organizations).erase(org), { id: org, files: "removed" })
        yield* vacuumAfterWrites!
        yield* unscoped(sql`checkpoint`)
        assert.deepStrictEqual(filesWith(directory, CANARY), [])
        assert.deepStrictEqual(filesWith(directory, org), [])
        return other
      }),
      opened(),
    )
    assert.deepStrictEqual(filesWith(directory, CANARY), [])

    yield* Effect.provide(
      Effect.gen(function* () {
        const { count } = yield* (yield* Sightline.Deals).totals(kept.org, {})
        assert.strictEqual(count, DEALS + 1)
      }),
      opened(),
    )
  }).pipe(Effect.scoped),
)
