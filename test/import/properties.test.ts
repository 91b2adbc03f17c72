import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Import } from "../../src/core/import/Import.ts"
import { engines } from "../support/engines.ts"
import { counted, counts, deal, newOrganization, pieces, rows, services, staleJson } from "../catalogue/support.ts"

const small = (maximum: number) => Schema.Int.check(Schema.isBetween({ minimum: 0, maximum }))

/** The parts of a generated record; `n` identifies it. */
const Seed = Schema.Struct({
  kind: Schema.Literals([
    "deal",
    "deal",
    "deal",
    "association",
    "owner",
    "competitor",
    "reason",
    "client",
    "stage",
    "crm_property",
    "metric",
  ]),
  n: small(5),
  a: small(3),
  b: small(3),
  c: small(3),
})
type Seed = typeof Seed.Type

const reference = (kind: string, n: number, form: number): unknown =>
  [`${kind}-${n}`, `${kind} ${n}`, { id: `${kind}-${n}` }, { name: `${kind} ${n}` }][form]

const recordOf = ({ kind, n, a, b, c }: Seed): Record<string, unknown> => {
  const id = `${kind}-${n}`
  switch (kind) {
    case "deal":
      return {
        type: kind,
        id,
        name: `Deal ${n}`,
        created_at: "2026-01-01T00:00:00.000Z",
        crm_one_id: `opp-${n}`,
        amount: a === 0 ? null : a * 1.1,
        status: reference("stage", b, a),
        owner: reference("owner", a, c),
        client: reference("client", c, b),
        competitors: [{ competitor: reference("competitor", a, b), is_primary: c > 1 }, reference("competitor", 4, 1)],
        drivers: [{ reason: reference("reason", b, c), positive: a > 1, summary: "ü\u0001\ud83d\ude00" }],
        product_labels: ["x", `p${a}`],
        ...(b === 0 && { crm_properties: { [`p${c}`]: a } }),
        ...(c === 0 && { custom_metrics: { [`metric ${a}`]: { score: b } } }),
        ...(a === 3 && b === 3 && { scorecard: { product_fit: { score: 9 } } }),
      }
    case "association":
      return {
        type: kind,
        id,
        deal: a > 1 ? `deal-${b}` : `opp-${b}`,
        feature: `Feature ${c}`,
        created_at: "2026-02-01",
        tags: ["t"],
      }
    case "crm_property":
      return { type: kind, crm: "crm_one", object: "deal", id: `p${n}`, data_type: "number" }
    case "client":
      return { type: kind, id, name: `client ${n}`, crm_one_id: `acc-${n}`, industry: `industry ${a}` }
    case "stage":
      return { type: kind, id, name: `stage ${n}`, category: ["open", "won", "lost"][a % 3], position: n }
    default:
      return { type: kind, id, name: `${kind} ${n}` }
  }
}

/** One record of a kind and number: two would rightly depend on their order. */
const distinct = (seeds: ReadonlyArray<Seed>) => [
  ...new Map(seeds.map((seed) => [`${seed.kind} ${seed.n}`, recordOf(seed)])).values(),
]

const shuffled = <T>(values: ReadonlyArray<T>, by: number): Array<T> =>
  values
    .map((value, at) => [Math.sin((at + 1) * (by + 1.7)), value] as const)
    .sort(([a], [b]) => a - b)
    .map(([, value]) => value)

const imported = (org: string, records: ReadonlyArray<object>, size: number) =>
  Effect.flatMap(Import, (imports) =>
    imports.run(org, {
      format: "ndjson",
      bytes: pieces(new TextEncoder().encode(records.map((each) => JSON.stringify(each)).join("\n")), size),
      inMemory: size * 100,
    }),
  )

const without = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(without)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, each]) =>
      /(^|_)id$/.test(key) || key === "updated_at" ? [] : [[key, without(each)]],
    ),
  )
}

/** All there is, by names: ids that were made differ from one organization to the next. */
const state = Effect.fnUntraced(function* (org: string) {
  const ids = (yield* rows<{ id: string }>(org, "deals", 'id collate "C"')).map(({ id }) => id)
  const deals = yield* Effect.forEach(ids, (id) => deal(org, id))
  const names = yield* Effect.forEach(
    ["stages", "owners", "competitors", "reasons", "clients", "features", "metrics"],
    (table) => rows<object>(org, table, 'name collate "C", id collate "C"'),
  )
  const values = yield* rows<{ crm_properties: unknown }>(org, "deals", 'id collate "C"')
  return JSON.stringify([ids, without(deals), without(names), values.map((each) => each.crm_properties)])
})

for (const engine of engines) {
  describe(`properties of an import on ${engine.name}`, () => {
    layer(services(engine), { excludeTestServices: true })((it) => {
      it.effect.prop(
        "any order of lines and any chunks give one state, and a second import changes nothing",
        [Schema.Array(Seed).check(Schema.isMaxLength(30)), small(1000), Schema.Literals([1, 13, 4096])],
        ([seeds, order, size]) =>
          Effect.gen(function* () {
            const records = distinct([{ kind: "deal", n: 5, a: 1, b: 1, c: 1 }, ...seeds])
            const [one, other] = [yield* newOrganization, yield* newOrganization]
            const first = yield* imported(one, records, 65_536)
            const second = yield* imported(other, shuffled(records, order), size)
            assert.deepStrictEqual(
              { ...counts(first), errors: first.errors.map(({ field, reason }) => `${field} ${reason}`).sort() },
              { ...counts(second), errors: second.errors.map(({ field, reason }) => `${field} ${reason}`).sort() },
            )
            assert.strictEqual(yield* state(one), yield* state(other))
            const again = yield* imported(one, shuffled(records, order), size)
            assert.deepStrictEqual(
              counts(again),
              counted(records.length, { unchanged: records.length - first.failed, failed: first.failed }),
            )
          }),
        { arbitrary: { runs: 12 } },
      )

      it.effect.prop(
        "after any imports and renames, stored JSON equals a fresh rendering",
        [Schema.Array(Schema.Array(Seed).check(Schema.isMaxLength(12))).check(Schema.isMaxLength(4))],
        ([batches]) =>
          Effect.gen(function* () {
            const org = yield* newOrganization
            const seed = (kind: Seed["kind"], n: number, a = 1): Seed => ({ kind, n, a, b: 1, c: 1 })
            // Two deals that no later round need mention: what they show changes by the rename alone.
            yield* imported(org, distinct([seed("competitor", 4), seed("deal", 0), seed("deal", 1, 2)]), 65_536)
            for (const [round, seeds] of batches.entries()) {
              const records = distinct([seed("competitor", 4), ...seeds]).map((record) =>
                record["type"] === "competitor" || record["type"] === "reason"
                  ? { ...record, name: `${String(record["name"])}, round ${round}` }
                  : record,
              )
              yield* imported(org, records, 65_536)
              assert.deepStrictEqual(yield* staleJson(org), [])
            }
          }),
        { arbitrary: { runs: 12 } },
      )
    })
  })
}
