import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { Deals } from "../../src/core/deals/Deals.ts"
import { DealFilters } from "../../src/core/deals/filters.ts"
import { SORTS } from "../../src/core/deals/sorting.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { Organizations } from "../../src/core/workspace/Organizations.ts"
import { engines } from "../support/engines.ts"
import { makeRandom, seedOfRun } from "../support/random.ts"
import { matches, ordered } from "./oracle.ts"
import { randomFilters } from "./randomFilters.ts"
import { insertWorkspace, makeWorkspace } from "./workspace.ts"

const DEALS = 520
const FILTER_SETS = 2000
const decode = Schema.decodeUnknownSync(DealFilters, { onExcessProperty: "error" })
const idsOf = (body: string) => (JSON.parse(body) as ReadonlyArray<{ id: string }>).map(({ id }) => id)

for (const engine of engines) {
  const services = Layer.mergeAll(Deals.layer, Organizations.layer).pipe(
    Layer.provideMerge(Database.layer),
    Layer.provide(engine.database),
  )
  describe(`filters, sorting and paging on ${engine.name}`, () => {
    layer(services, { excludeTestServices: true })((it) => {
      it.effect(
        `agree with a plain oracle on ${FILTER_SETS} random filter sets`,
        () =>
          Effect.gen(function* () {
            const seed = seedOfRun(`filters on ${engine.name}`)
            const random = makeRandom(seed)
            const deals = yield* Deals
            const organizations = yield* Organizations
            const mine = yield* organizations.create({ name: "Mine", plan: "growth" })
            const other = yield* organizations.create({ name: "Other", plan: "growth" })
            const drawn = makeWorkspace(random, DEALS)
            const segments = Array.from({ length: 5 }, (_, n) => ({
              id: `seg_${n}`,
              name: `Segment ${n}`,
              filters: randomFilters(random, drawn.deals, ["segment_ids"]),
            }))
            const world = { ...drawn, segments }
            yield* insertWorkspace(mine.id, world)
            // Another organization with the same identifiers and other contents.
            yield* insertWorkspace(other.id, makeWorkspace(random, DEALS))

            for (let n = 0; n < FILTER_SETS; n++) {
              const filters = randomFilters(random, world.deals)
              const sort = random.pick(SORTS)
              const sortOrder = random.pick(["asc", "desc"] as const)
              const expected = ordered(
                world.deals.filter((deal) => matches(deal, filters, world)),
                sort,
                sortOrder,
              )
              const what = `TEST_SEED=${seed}, set ${n}, ${sort} ${sortOrder}: ${JSON.stringify(filters)}`
              const decoded = decode(filters)
              const query = { filters: decoded, sort, sortOrder, columns: ["id"] }
              assert.strictEqual(yield* deals.count(mine.id, decoded), expected.length, `count, ${what}`)

              const pageSize = 1 + random.below(100)
              const pageIndex = random.below(Math.ceil(expected.length / pageSize) + 1)
              const page = yield* deals.list(mine.id, { ...query, pageSize, pageIndex })
              const end = (pageIndex + 1) * pageSize
              assert.deepStrictEqual(
                idsOf(page.body),
                expected.slice(pageIndex * pageSize, end),
                `page ${pageIndex} of ${pageSize}, ${what}`,
              )
              assert.strictEqual(page.next !== undefined, expected.length > end, `next, ${what}`)

              if (n % 10 !== 0) continue
              const step = Math.min(100, Math.ceil(expected.length / (2 + random.below(5))) || 1)
              const walked: Array<string> = []
              let cursor: string | undefined
              do {
                const part = yield* deals.list(mine.id, { ...query, pageSize: step, cursor })
                walked.push(...idsOf(part.body))
                cursor = part.next
              } while (cursor !== undefined)
              assert.deepStrictEqual(walked, expected, `by cursor of ${step}, ${what}`)
            }
          }),
        180_000,
      )
    })
  })
}
