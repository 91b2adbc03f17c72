import { assert, describe, it, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import type { SqlError } from "effect/sql/SqlError"
import { inlineParameters } from "../../src/adapters/database/copy.ts"
import { layerEmbedded } from "../support/embedded.ts"
import { layerPostgres } from "../../src/adapters/database/postgres.ts"
import { CsvEncoder } from "../../src/core/exports/csv.ts"
import { snapshots } from "../../src/core/exports/snapshot.ts"
import { resolve } from "../../src/core/deals/selection/resolve.ts"
import { BulkRead } from "../../src/core/ports/BulkRead.ts"
import type { DatabaseUnavailable } from "../../src/core/ports/DatabaseUnavailable.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { recordUnlisted } from "../../src/core/storage/recordChanges.ts"
import { Organizations } from "../../src/core/catalogue/Organizations.ts"
import { migratedPostgresUrl } from "../support/engines.ts"
import { layerOrganizations } from "../support/organizations.ts"
import { UNLIMITED } from "../support/unlimited.ts"

const postgres = Layer.unwrap(
  Effect.map(Effect.orDie(migratedPostgresUrl), (url) => layerPostgres({ url: Redacted.make(url) })),
)
const WAYS = [
  { name: "by COPY on PostgreSQL", tries: "", database: postgres },
  {
    name: "through a cursor on PostgreSQL",
    tries: "",
    database: Layer.merge(Layer.fresh(postgres), Layer.succeed(BulkRead, { _tag: "cursor" })),
  },
  { name: "in pages on PGlite", tries: "DealsChanged", database: layerEmbedded },
]
/** More than one page and, with their long text, more than the socket buffers hold. */
const DEALS = 2500

for (const { name, tries, database: engine } of WAYS) {
  describe(`a snapshot of deals ${name}`, () => {
    const services = layerOrganizations.pipe(Layer.provideMerge(Database.layer), Layer.provideMerge(engine))
    layer(services, { excludeTestServices: true })((it) => {
      const setUp = Effect.gen(function* () {
        const { id: org } = yield* (yield* Organizations).create({ name: "Mine", plan: UNLIMITED })
        const database = yield* Database
        const { transaction, sql } = database
        yield* transaction(
          org,
          Effect.gen(function* () {
            yield* sql`insert into owners (org_id, id, name) values (${org}, 'o', 'before')`
            yield* sql`insert into deals (org_id, id, name, owner_id, created_at, updated_at, wl_product_fit_explanation)
              select ${org}, 'd' || n, 'before', 'o', timestamptz '1999-12-01Z' + n % 100 * interval '1 day 1 millisecond', now(), repeat('long ', 1000)
              from generate_series(1, ${DEALS}::int) n`
          }),
        )
        return { org, database, selection: yield* resolve(org, {}, COLUMNS) }
      })
      const COLUMNS = ["id", "name", "owner_name", "wl_product_fit_explanation"]

      /** Reads the snapshot in one of the ways and runs `meanwhile` after the first chunk. Returns the CSV. */
      const read = Effect.fnUntraced(function* (
        { org, selection }: Effect.Success<typeof setUp>,
        way: number,
        meanwhile: Effect.Effect<unknown, DatabaseUnavailable>,
      ) {
        const { framing, bytes } = (yield* snapshots(org, selection)).at(way)!
        const encoder = new CsvEncoder(selection.selected, framing)
        const decoder = new TextDecoder()
        let text = ""
        let largest = 0
        let done: Fiber.Fiber<unknown, DatabaseUnavailable> | undefined
        yield* Stream.runForEach(bytes, (chunk) =>
          Effect.gen(function* () {
            largest = Math.max(largest, chunk.length)
            text += decoder.decode(encoder.encode(chunk), { stream: true })
            done ??= yield* Effect.forkChild(meanwhile)
            // The changes come between two chunks. The other way on PGlite lets them wait until it has ended.
            if (way === 0) yield* Fiber.join(done)
          }),
        )
        if (done !== undefined) yield* Fiber.join(done)
        text += decoder.decode(encoder.end())
        return { rows: text.split("\r\n").slice(1, -1), largest }
      })

      const changes = ({ org, database: { transaction, sql } }: Effect.Success<typeof setUp>) =>
        Effect.gen(function* () {
          const change = (statement: Effect.Effect<unknown, SqlError>) =>
            transaction(org, Effect.andThen(statement, recordUnlisted))
          yield* change(sql`update deals set name = 'after' where org_id = ${org}`)
          yield* change(sql`update owners set name = 'after' where org_id = ${org}`)
          yield* change(sql`delete from deals where org_id = ${org} and id like '%7'`)
          yield* change(
            sql`insert into deals (org_id, id, name, created_at, updated_at)
              select ${org}, 'e' || n, 'after', timestamptz '1998-01-01Z', now() from generate_series(1, 100) n`,
          )
        })

      it.effect("holds every deal once, in order, a page at a time", () =>
        Effect.gen(function* () {
          const world = yield* setUp
          const { rows, largest } = yield* read(world, 0, Effect.void)
          const { rows: again } = yield* read(world, -1, Effect.void)
          assert.deepStrictEqual(again, rows)
          const { scoped, sql } = world.database
          const inOrder = yield* scoped<{ id: string }>(
            world.org,
            sql`select id from deals where org_id = scope.org order by created_at desc, id collate "C" desc`,
          )
          assert.deepStrictEqual(
            rows.map((row) => row.split(",")[0]),
            inOrder.map(({ id }) => id),
          )
          assert.isBelow(largest, 2 * 1024 * 1024)
        }),
      )

      it.effect("does not show changes made while it is read", () =>
        Effect.gen(function* () {
          const unchanged = Effect.gen(function* () {
            const world = yield* setUp
            return yield* read(world, -1, changes(world))
          })
          const world = yield* setUp
          const first = yield* Effect.result(read(world, 0, changes(world)))
          assert.strictEqual(first._tag === "Failure" ? first.failure._tag : "", tries)
          const { rows } = first._tag === "Success" ? first.success : yield* unchanged
          assert.strictEqual(rows.length, DEALS)
          for (const row of rows) assert.match(row, /^d\d+,before,before,/)
        }),
      )

      it.effect("has the deals of one organization only", () =>
        Effect.gen(function* () {
          const mine = yield* setUp
          const { id: org } = yield* (yield* Organizations).create({ name: "Other", plan: UNLIMITED })
          for (const way of [0, -1]) {
            const { rows } = yield* read({ ...mine, org }, way, Effect.void)
            assert.deepStrictEqual(rows, [])
          }
        }),
      )
    })
  })
}

describe("a statement for COPY", () => {
  it("has its parameters as literals, and does not replace placeholders inside them", () => {
    const quoted = (text: string) => `<${text}>`
    assert.strictEqual(
      inlineParameters(
        "a = $1 and b = any($2::text[]) and c = $10 and d = $3",
        ["$2", ['x"y', "b\\s", ""], true, 4, 5, 6, 7, 8, 9, null],
        quoted,
      ),
      String.raw`a = <$2> and b = any(<{"x\"y","b\\s",""}>::text[]) and c = null and d = <true>`,
    )
    assert.throws(() => inlineParameters("$1", [{}], quoted), TypeError)
  })
})
