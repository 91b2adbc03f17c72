import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { runExport } from "../../exports/support.ts"
import type { Random } from "../../support/random.ts"
import { Web } from "../../support/web.ts"
import { Database } from "../../../src/core/storage/Database.ts"
import { type Fields, importRecords, makeRecords } from "./support.ts"

const DEALS = Array.from({ length: 12 }, (_, n) => `d${n}`)
const NEW_DEALS = Array.from({ length: 6 }, (_, n) => `new${n}`)

/** A workspace in which some things of each kind exist. */
export const fill = Effect.fnUntraced(function* (org: string, random: Random) {
  const make = makeRecords(random, 4)
  yield* importRecords(org, [
    // The same ids in every workspace, so that an export of one finds associations in another.
    ...Array.from({ length: 4 }, (_, n) => ({ type: "feature", id: `feature-${n}`, name: `feature ${n}` })),
    ...Array.from({ length: 3 }, (_, n) => ({ ...make.property(), crm: "crm_one", id: `p${n}` })),
    ...Array.from({ length: 12 }, make.entity),
    ...DEALS.map((id) => ({ ...make.deal(id), ...(random.chance(0.5) && { crm_one_id: `opp-${id}` }) })),
    ...DEALS.map((id) => ({ ...make.deal(id) })),
    ...Array.from({ length: 6 }, () => make.association(DEALS)),
  ])
})

/** Records that create, change and delete, some of them the same thing several times. */
export const change = (random: Random): ReadonlyArray<Fields> => {
  const make = makeRecords(random, 7)
  const deals = random.some(DEALS, 2, 8)
  const deleted = random.some(DEALS, 0, 3)
  const kept = [...DEALS.filter((id) => !deleted.includes(id)), ...NEW_DEALS]
  return [
    ...Array.from({ length: 2 }, make.property),
    ...Array.from({ length: 8 }, make.entity),
    ...NEW_DEALS.map(make.deal),
    ...deals.map(make.deal),
    ...deals.slice(0, 3).map(make.deal),
    ...deleted.map((id) => ({ type: "deal", id, deleted: true })),
    ...(random.chance(0.5) ? deleted.slice(0, 1).map(make.deal) : []),
    ...Array.from({ length: 5 }, () => make.association(kept)),
    { type: "association", id: `a${random.below(4)}`, deleted: true },
  ]
}

/** Columns that an export shows of things, and a feature of every deal, so that names and associations differ between workspaces. */
const described = (random: Random): ReadonlyArray<Fields> => [
  ...Array.from({ length: 7 }, (_, n) => [
    { type: "client", name: `client ${n}`, industry: `industry ${n}` },
    { type: "reason", name: `reason ${n}`, category: "Category" },
    { type: "feature", name: `feature ${n}`, product: `product ${n}` },
  ]).flat(),
  ...DEALS.flatMap((id) => [
    { type: "deal", id, name: `Deal ${id}` },
    ...Array.from({ length: 5 }, (_, n) => ({
      type: "association",
      id: `${id}-${n}`,
      deal: { id },
      feature: `feature ${n}`,
      influence_summary: "Shown",
      sentiment: random.chance(0.5),
    })),
  ]),
]

interface Target {
  readonly org: string
  readonly key: string
}

const importFile = Effect.fnUntraced(function* (key: string, query: string, body: Uint8Array | string) {
  const reply = yield* (yield* Web).request(`/api/v1/import?${query}`, key, {
    method: "POST",
    body: body as Uint8Array<ArrayBuffer> | string,
    headers: { "content-type": "application/octet-stream" },
  })
  assert.strictEqual(reply.status, 200, reply.text)
  return reply.json
})

/** The random imports: of records, of a file whose unmapped columns are kept, by a plan, and of an export of another workspace. */
export const WAYS = [
  ({ org }: Target, random: Random) => importRecords(org, change(random)),
  Effect.fnUntraced(function* ({ org, key }: Target, random: Random) {
    const csv = makeRecords(random, 7).csv([...random.some(DEALS, 2, 8), ...NEW_DEALS])
    const query = "type=deal&keep_unmapped=crm_two"
    if (random.chance(0.5)) return yield* importFile(key, query, csv)
    const { sql, scoped } = yield* Database
    const logged = scoped(org, sql`select import_id, n from import_log where org_id = scope.org order by import_id, n`)
    const before = yield* logged
    const dry = yield* importFile(key, `${query}&dry_run=true`, csv)
    assert.notInclude(Object.keys(dry), "import_id")
    assert.deepStrictEqual(yield* logged, before)
    const report = yield* importFile(key, `plan_id=${dry.plan_id}`, csv)
    assert.strictEqual(report.plan_id, dry.plan_id)
    return report
  }),
  Effect.fnUntraced(function* ({ key }: Target, random: Random) {
    const other = yield* (yield* Web).tenant()
    yield* fill(other.org, random)
    yield* importRecords(other.org, [...change(random), ...described(random)])
    const { bytes } = yield* runExport(other.key, { columns: ["*"] })
    return yield* importFile(key, "type=deal", bytes)
  }),
]
