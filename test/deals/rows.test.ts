import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { expectTypeOf, it } from "vitest"
import { createClient } from "../../src/adapters/client/client.ts"
import { Deals, dealsIn } from "../../src/core/deals/Deals.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { Organizations } from "../../src/core/catalogue/Organizations.ts"
import { engines } from "../support/engines.ts"
import { layerOrganizations } from "../support/organizations.ts"
import { makeRandom } from "../support/random.ts"
import { insertWorkspace, makeWorkspace } from "./workspace.ts"
import { UNLIMITED } from "../support/unlimited.ts"

for (const engine of engines) {
  const services = Layer.mergeAll(Deals.layer, layerOrganizations).pipe(
    Layer.provideMerge(Database.layer),
    Layer.provide(engine.database),
  )
  describe(`Deals.rows and Deals.row on ${engine.name}`, () => {
    layer(services, { excludeTestServices: true })((it) => {
      const setUp = Effect.gen(function* () {
        const { id: org } = yield* (yield* Organizations).create({ name: "Mine", plan: UNLIMITED })
        yield* insertWorkspace(org, makeWorkspace(makeRandom(3), 25, []))
        return { org, deals: yield* Deals }
      })

      it.effect("read what the bytes for HTTP hold, page by page", () =>
        Effect.gen(function* () {
          const { org, deals } = yield* setUp
          const query = { filters: {}, columns: ["name", "amount"], sort: "name", sortOrder: "asc" } as const
          const all = dealsIn(yield* deals.list(org, { ...query, pageSize: 100 }))
          assert.lengthOf(all, 25)
          const read: Array<unknown> = []
          for (let cursor: string | null | undefined; cursor !== null;) {
            const page = yield* deals.rows(org, { ...query, pageSize: 10, cursor })
            read.push(...page.data)
            cursor = page.next_cursor
          }
          assert.deepStrictEqual(read, [...all])
          const standard = yield* deals.rows(org)
          assert.deepStrictEqual(standard.data, dealsIn(yield* deals.list(org, { filters: {}, pageSize: 50 })) as never)
          assert.isNull(standard.next_cursor)
          const { id } = standard.data[0]!
          assert.deepStrictEqual<unknown>(yield* deals.row(org, id), JSON.parse(yield* deals.get(org, id, undefined)))
          assert.hasAllKeys(yield* deals.row(org, id, { columns: ["name"] }), ["id", "name"])
        }),
      )

      it.effect("refuse columns of other workspaces and pages of no size, and miss no deal silently", () =>
        Effect.gen(function* () {
          const { org, deals } = yield* setUp
          const column = yield* Effect.flip(deals.rows(org, { columns: ["custom_answer_none"] }))
          assert.strictEqual(column._tag, "BadRequest")
          assert.include(column.message, "custom_answer_none")
          for (const pageSize of [0, 1001, 1.5, NaN]) {
            const size = yield* Effect.flip(deals.rows(org, { pageSize }))
            assert.include(size.message, "pageSize must be a whole number from 1 to 1000")
          }
          assert.strictEqual((yield* Effect.flip(deals.row(org, "none")))._tag, "NotFound")
        }),
      )
    })
  })
}

describe("the types of Deals.rows and Deals.row", () => {
  const rowsOf = <A>(page: Effect.Effect<{ readonly data: ReadonlyArray<A> }, unknown>) =>
    Effect.map(page, ({ data }) => data)
  const client = () => createClient({ baseUrl: "http://localhost", key: "k" })

  it("are those of the client", () => {
    const service = (deals: Deals["Service"]) => rowsOf(deals.rows("o", { columns: ["name", "proposal_due"] }))
    const api = () => client().deals.list({ columns: ["name", "proposal_due"] })
    expectTypeOf<Effect.Success<ReturnType<typeof service>>>().toEqualTypeOf<Awaited<ReturnType<typeof api>>>()
    const standard = (deals: Deals["Service"]) => rowsOf(deals.rows("o"))
    const standardApi = () => client().deals.list()
    expectTypeOf<Effect.Success<ReturnType<typeof standard>>>().toEqualTypeOf<Awaited<ReturnType<typeof standardApi>>>()
    const whole = (deals: Deals["Service"]) => deals.row("o", "d")
    expectTypeOf<Effect.Success<ReturnType<typeof whole>>["owner_name"]>().toEqualTypeOf<string | null>()
  })

  it("refuse columns that there are not", () => {
    const check = (deals: Deals["Service"]) => {
      // @ts-expect-error There is no such column.
      void deals.rows("o", { columns: ["nmae"] })
      // @ts-expect-error There is no such column.
      void deals.row("o", "d", { columns: ["nmae"] })
      // @ts-expect-error The column was not asked for.
      void Effect.map(deals.rows("o", { columns: ["name"] }), ({ data }) => data[0]?.amount)
      // @ts-expect-error There is no such filter.
      void deals.rows("o", { filters: { analysed: true } })
    }
    expectTypeOf(check).toBeFunction()
  })
})
