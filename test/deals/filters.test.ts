import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { Deals, dealsIn, type DealBytes } from "../../src/core/deals/Deals.ts"
import { DealFilters } from "../../src/core/deals/filters/filters.ts"
import { type Sort, type SortOrder, SORTS } from "../../src/core/deals/columns/sorting.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { Organizations } from "../../src/core/catalogue/Organizations.ts"
import { type allEngines, citus, engines, whereIs } from "../support/engines.ts"
import { extent, isAsked } from "../support/extent.ts"
import { atTime } from "../support/fixedClock.ts"
import { makeRandom, seedOfRun } from "../support/random.ts"
import { localDay, ZONES } from "../support/zones.ts"
import { matches } from "./oracle.ts"
import { ordered } from "./oracleOrder.ts"
import { randomFilters } from "./randomFilters.ts"
import { insertWorkspace, makeWorkspace, type Row, type Workspace } from "./workspace.ts"
import { layerOrganizations } from "../support/organizations.ts"
import { UNLIMITED } from "../support/unlimited.ts"

const DEALS = 520
const FILTER_SETS = extent(300, 2000)
const FILTER_SETS_ON_CITUS = extent(75, 500)
/** Within the dates of the random deals, in the middle of a quarter of the fiscal year. */
const NOW = { today: "2026-02-18", fiscalStart: 2 }
/** It is a day later in Auckland. */
const AT = `${NOW.today}T13:00:00Z`
const decode = Schema.decodeUnknownSync(DealFilters, { onExcessProperty: "error" })
const idsOf = (page: DealBytes) => (dealsIn(page) as ReadonlyArray<{ id: string }>).map(({ id }) => id)

/** One query, and every deal that it must return. */
interface Case {
  readonly filters: Row
  readonly sort: Sort
  readonly sortOrder: SortOrder
  readonly pageSize: number
  readonly pageIndex: number
  /** The page size of a walk by cursor; undefined if this query has no such walk. */
  readonly step: number | undefined
  readonly expected: ReadonlyArray<string>
  readonly what: string
}

/** The engine's service over `mine`, next to another organization with the same ids and other contents. */
const start = Effect.fnUntraced(function* (engine: (typeof allEngines)[number], mine: Workspace, theirs: Workspace) {
  const context = yield* Layer.build(
    Layer.mergeAll(Deals.layer, layerOrganizations).pipe(
      Layer.provideMerge(Database.layer),
      Layer.provide(engine.database),
    ),
  )
  const organizations = Context.get(context, Organizations)
  const { id: org } = yield* organizations.create({ name: "Mine", plan: UNLIMITED })
  const { id: other } = yield* organizations.create({ name: "Other", plan: UNLIMITED })
  yield* organizations.change(org, { fiscal_start: NOW.fiscalStart })
  yield* Effect.provideContext(Effect.andThen(insertWorkspace(org, mine), insertWorkspace(other, theirs)), context)
  const setZone = (timezone: string) => organizations.change(org, { timezone })
  return { name: engine.name, org, deals: Context.get(context, Deals), setZone }
})

const check = Effect.fnUntraced(function* ({ name, org, deals }: Effect.Success<ReturnType<typeof start>>, each: Case) {
  const { sort, sortOrder, pageSize, pageIndex, step, expected } = each
  const what = `${name}, ${each.what}`
  const filters = decode(each.filters)
  const query = { filters, sort, sortOrder, columns: ["id"] }
  assert.strictEqual(yield* deals.count(org, filters), expected.length, `count, ${what}`)

  const page = yield* deals.list(org, { ...query, pageSize, pageIndex })
  const end = (pageIndex + 1) * pageSize
  assert.deepStrictEqual(idsOf(page), expected.slice(pageIndex * pageSize, end), `page ${pageIndex}, ${what}`)
  assert.strictEqual(page.next !== undefined, expected.length > end, `next, ${what}`)

  if (step === undefined) return
  const walked: Array<string> = []
  let cursor: string | undefined
  do {
    const part = yield* deals.list(org, { ...query, pageSize: step, cursor })
    walked.push(...idsOf(part))
    cursor = part.next
  } while (cursor !== undefined)
  assert.deepStrictEqual(walked, expected, `by cursor of ${step}, ${what}`)
})

const agree = (on: ReadonlyArray<(typeof allEngines)[number]>, sets: number) =>
  Effect.gen(function* () {
    const seed = seedOfRun("filters")
    const random = makeRandom(seed)
    const drawn = makeWorkspace(random, DEALS)
    const segments = Array.from({ length: 5 }, (_, n) => ({
      id: `seg_${n}`,
      name: `Segment ${n}`,
      filters: randomFilters(random, drawn.deals, ["segment_ids"]),
    }))
    const world = { ...drawn, segments }
    const theirs = makeWorkspace(random, DEALS)
    const services = yield* Effect.forEach(on, (engine) => start(engine, world, theirs))

    const zones = random.some(ZONES, ZONES.length, ZONES.length)
    const zoneOf = (n: number) => zones[Math.floor((n * zones.length) / sets)]!
    const draw = (n: number): Case => {
      const now = { ...NOW, today: localDay(AT, zoneOf(n)), zone: zoneOf(n) }
      const filters = randomFilters(random, world.deals)
      const sort = random.pick(SORTS)
      const sortOrder = random.pick(["asc", "desc"] as const)
      const matching = world.deals.filter((deal) => matches(deal, filters, world, now))
      const pageSize = 1 + random.below(100)
      return {
        filters,
        sort,
        sortOrder,
        pageSize,
        pageIndex: random.below(Math.ceil(matching.length / pageSize) + 1),
        step: n % 10 === 0 ? Math.min(100, Math.ceil(matching.length / (2 + random.below(5))) || 1) : undefined,
        expected: ordered(matching, sort, sortOrder),
        what: `TEST_SEED=${seed}, ${zoneOf(n)}, set ${n}, ${sort} ${sortOrder}, ${pageSize} a page: ${JSON.stringify(filters)}`,
      }
    }
    for (let n = 0; n < sets; n++) {
      if (n === 0 || zoneOf(n) !== zoneOf(n - 1)) yield* Effect.forEach(services, ({ setZone }) => setZone(zoneOf(n)))
      const each = draw(n)
      const asking = services.filter((service) => isAsked(service, n))
      yield* Effect.forEach(asking, (service) => check(service, each), { concurrency: 2, discard: true })
    }
  }).pipe(Effect.scoped, atTime(AT))

describe("filters, sorting and paging", () => {
  it.live(`agree with a plain oracle on ${FILTER_SETS} random filter sets in zones of all kinds, on both engines`, () =>
    agree(engines, FILTER_SETS),
  )

  it.live(
    `agree with it on ${FILTER_SETS_ON_CITUS} sets on Citus, each from one shard`,
    () => agree([citus], FILTER_SETS_ON_CITUS),
    whereIs(citus),
  )
})
