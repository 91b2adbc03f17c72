import { rmSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, layer } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { layerPglite } from "../../src/adapters/database/pglite.ts"
import { BlobStore } from "../../src/core/ports/BlobStore.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { erase } from "../../src/core/catalogue/erase.ts"
import { migratedDirectory } from "../support/embedded.ts"
import { filesWith } from "../support/filesWith.ts"
import { UNLIMITED } from "../support/unlimited.ts"

const ROWS = 3000

class Directory extends Context.Service<Directory, string>()("test/Directory") {}

const layerDirectory = Layer.effect(
  Directory,
  Effect.acquireRelease(Effect.promise(migratedDirectory), (path) =>
    Effect.sync(() => rmSync(path, { recursive: true, force: true })),
  ),
)
const layerOpened = Database.layer.pipe(
  Layer.provide(
    Layer.unwrap(
      Effect.map(Directory, (directory) => layerPglite({ directory: join(directory, "postgres"), reserve: 0 })),
    ),
  ),
  Layer.provideMerge(layerDirectory),
  Layer.merge(BlobStore.layerMemory),
)

/** Creates an organization with rows whose names begin with `word`. */
const create = Effect.fnUntraced(function* (org: string, word: string, tables = ["competitors"]) {
  const { sql, transaction } = yield* Database
  yield* transaction(
    org,
    Effect.gen(function* () {
      yield* sql`insert into organizations ${sql.insert({ id: org, name: word, plan: UNLIMITED })}`
      for (const table of tables)
        yield* sql`insert into ${sql(table)} (org_id, id, name)
          select ${org}, 'c' || n, ${word}::text || ' ' || n from generate_series(1, ${ROWS}::int) n`
    }),
  )
})

const rename = Effect.fnUntraced(function* (org: string, word: string) {
  const { sql, transaction } = yield* Database
  yield* transaction(org, sql`update competitors set name = ${word}::text || ' ' || id where org_id = ${org}`)
})

const sizeOf = Effect.fnUntraced(function* (table: string) {
  const { sql, unscoped } = yield* Database
  const [row] = yield* unscoped<{ bytes: number }>(sql`select pg_total_relation_size(${table})::float8 as bytes`)
  return row!.bytes
})

describe("the embedded database", () => {
  layer(layerOpened, { excludeTestServices: true })((it) => {
    it.effect("takes the space of rows that were updated again, and vacuums no table that nobody wrote", () =>
      Effect.gen(function* () {
        const { sql, unscoped, vacuumAfterWrites } = yield* Database
        yield* create("org_updated", "Before")
        const sizes: Array<number> = []
        for (const round of ["First", "Second", "Third", "Fourth"]) {
          yield* rename("org_updated", `${round} name`)
          assert.isAbove(yield* vacuumAfterWrites!, 0)
          sizes.push(yield* sizeOf("competitors"))
        }
        assert.isAtMost(sizes.at(-1)!, 1.5 * sizes[0]!)
        assert.strictEqual(yield* vacuumAfterWrites!, 0)
        const vacuumed = yield* unscoped<{ name: string }>(
          sql`select relname as name from pg_stat_user_tables where last_vacuum is not null`,
        )
        assert.deepStrictEqual(
          vacuumed.map(({ name }) => name),
          ["competitors"],
        )
      }),
    )

    it.effect("has no text of an erased organization in its files, and keeps the others'", () =>
      Effect.gen(function* () {
        const { sql, unscoped, vacuumAfterWrites } = yield* Database
        const directory = yield* Directory
        // The table `owners` is empty afterwards.
        yield* create("org_erased", "Zorgblatt", ["competitors", "owners"])
        yield* create("org_kept", "Quellaria")
        // The pages keep the bytes of rows that were vacuumed.
        yield* rename("org_erased", "Zorgblatt later")
        yield* vacuumAfterWrites!
        yield* unscoped(sql`checkpoint`)
        const held = filesWith(directory, "Zorgblatt")
        assert.include(held.join(" "), "/base/")
        assert.include(held.join(" "), "/pg_wal/")

        assert.deepStrictEqual(yield* erase("org_erased"), { id: "org_erased", files: "removed" })
        assert.deepStrictEqual(filesWith(directory, "Zorgblatt"), [])
        assert.deepStrictEqual(filesWith(directory, "org_erased"), [])
        assert.isNotEmpty(filesWith(directory, "Quellaria"))
        assert.isAbove(yield* sizeOf("competitors"), 0)
      }),
    )
  })
})
