import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Import, type ImportReport } from "../../src/core/import/Import.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { PLACEMENTS } from "../../src/core/storage/placement.ts"
import { engines } from "../support/engines.ts"
import { ALL } from "../support/extent.ts"
import { makeRandom, seedOfRun } from "../support/random.ts"
import { bytesOf, newOrganization, services } from "../catalogue/support.ts"

type Random = (below: number) => number

/** Some 60 of each kind of thing, so that records of a file meet each other and those stored before, by ids and by names. */
const recordOf = (random: Random): object => {
  const n = random(60)
  const one = <T>(...values: ReadonlyArray<T>): T => values[random(values.length)]!
  const some = (part: object) => (random(3) === 0 ? part : {})
  const person = one(
    `Owner ${n % 7}`,
    `${n % 7}, Owner`,
    `owner${n % 7}@acme.example`,
    `Owner ${n % 7} (owner${n % 7}@acme.example)`,
  )
  switch (random(14)) {
    case 0:
      return {
        type: "association",
        ...some({ id: `a${n % 9}` }),
        deal: one(`d${n}`, `opp${n}`),
        feature: `Feature ${n % 4}`,
        ...some({ tags: ["t"] }),
        ...some({ created_at: "2026-02-01" }),
        ...some({ deleted: true }),
      }
    case 1:
      return {
        type: "client",
        ...one({ id: `c${n}` }, { crm_one_id: `acc${n % 9}` }, {}),
        name: one(`Client ${n}`, `CLIENT ${n}`, `client  ${n % 9}`),
        ...some({ industry: `I${n % 3}` }),
        ...some({ crm_properties: { size: one<unknown>(1, "2", "x") } }),
      }
    case 2:
      return {
        type: "owner",
        ...some({ id: `o${n % 7}` }),
        name: `Owner ${n % 7}`,
        ...some({ email: `owner${n % 7}@acme.example` }),
      }
    case 3:
      return one<object>(
        {
          type: "stage",
          ...some({ id: `s${n % 5}` }),
          name: `Stage ${n % 8}`,
          ...some({ category: one("open", "won", "lost") }),
        },
        {
          type: "segment",
          id: `g${n % 3}`,
          name: `Segment ${n % 3}`,
          filters: { status: [`Stage ${n % 5}`, `s${n % 5}`].slice(0, 1 + random(2)) },
        },
        {
          type: "crm_property",
          crm: "crm_one",
          object: one("deal", "account"),
          id: one("size", "kind"),
          data_type: one("number", "text"),
        },
      )
    default:
      return {
        type: "deal",
        ...one<object>({ id: `d${n}` }, { crm_one_id: `opp${n}` }, { crm_two_id: `two${n % 20}` }, {}, {}),
        ...(random(9) > 0 && { name: one(`Deal ${n % 25}`, `DEAL ${n % 25}`, `Deal ${n}`) }),
        ...some({ amount: one<unknown>(1, 2, 3, 4, 5, 6, null, "much") }),
        ...some({
          status: one<unknown>(`Stage ${n % 8}`, { id: `s${n % 5}` }, { id: `s${n % 5}`, name: `Stage ${n % 8}` }),
        }),
        ...some({ owner: person }),
        ...some({ client: one<unknown>(`Client ${n}`, { id: `c${n}` }, null) }),
        ...some({ collaborators: [person, `Owner ${(n + 1) % 7}`] }),
        ...some({ competitors: [{ competitor: `Rival ${n % 3}`, is_primary: random(2) === 0 }] }),
        ...some({ drivers: [{ reason: "Price", positive: true, summary: "long ".repeat(random(200)) }] }),
        ...some({ summary: "summary ".repeat(random(100)) }),
        ...some({ custom_answers: { [`Question ${n % 2}`]: one<string | null>("yes", null) } }),
        ...some({ crm_properties: { size: one<unknown>(5, "x", null) } }),
        ...some({ region: one<string | null>("EMEA", "NA", null) }),
        ...(random(12) === 0 && { deleted: true }),
        ...some({ updated_at: "2026-03-01T00:00:00Z" }),
      }
  }
}

const table = (random: Random, size: number) =>
  [
    "Opportunity ID,Name,Account,Amount,Stage,Close Date,Rep",
    ...Array.from({ length: size }, () => {
      const n = random(80)
      const amount = ["", `€${n}`, `USD ${n}`, `${n}.5`, "many"][Math.min(4, random(17) >> 2)]
      const id = random(4) > 0 ? `opp${n}` : ""
      return [
        id,
        `Deal ${n % 25}`,
        random(2) === 0 ? `Client ${n % 9}` : "",
        amount,
        `Stage ${n % 9}`,
        "2026-03-31",
        `Owner ${n % 9}`,
      ].join(",")
    }),
    "Total,,,99,,,",
  ].join("\n")

/** Everything of an organization, with the transaction that wrote each row. The log and plans are what a dry run writes. */
const dump = Effect.fnUntraced(function* (org: string) {
  const { sql, transaction } = yield* Database
  const tables = Object.entries(PLACEMENTS).filter(
    ([name, placement]) => placement === "distributed" && name !== "audit_log" && name !== "import_plans",
  )
  const read = Effect.forEach(
    tables,
    ([name]) =>
      sql<{
        row: string
      }>`select xmin::text || ' ' || t::text as row from ${sql.literal(name)} t where org_id = ${org} order by 1`,
  )
  const all = yield* transaction(org, read)
  return tables.map(([name], at) => [name, all[at]!.map(({ row }) => row)])
})

/** A report without what only a dry run or only an import has. Ids of rows that the import makes are not known before. */
const comparable = (all: ImportReport) => {
  const {
    counts_from: _,
    examples: __,
    plan_id: ___,
    import_id: ____,
    undo: _____,
    undo_refusal: ______,
    ...report
  } = all
  return JSON.parse(
    JSON.stringify(report).replaceAll(/\b(?:dea|cli|own|stg|asc|ftr|rsn|cmp)_[0-9A-Za-z]+/g, "(id)"),
  ) as object
}

/** Seeds and sizes of the files; batches have 500 records. */
const CASES: ReadonlyArray<readonly [seed: number, sizes: ReadonlyArray<number>]> = ALL
  ? [
      [1, [40, 1200, 700]],
      [2, [700, 40, 90, 1700]],
      [seedOfRun("dry runs"), [1100, 30, 600]],
    ]
  : [[1, [40, 90, 620]]]

for (const engine of ALL ? engines : engines.slice(0, 1)) {
  describe(`a dry run and the import after it, on ${engine.name}`, () => {
    layer(services(engine), { excludeTestServices: true })((it) => {
      for (const [seed, sizes] of CASES) {
        it.effect(`report the same, and the dry run changes nothing: ${sizes.join(", ")} records`, () =>
          Effect.gen(function* () {
            const imports = yield* Import
            const random = makeRandom(seed).below
            const org = yield* newOrganization
            for (const size of sizes) {
              const text = Array.from({ length: size }, () => JSON.stringify(recordOf(random))).join("\n")
              for (const file of [
                { format: "ndjson", bytes: bytesOf(text) } as const,
                {
                  type: "deal",
                  rates: { USD: 0.9 },
                  bytes: bytesOf(table(random, size)),
                  create: size === 90 ? "none" : "all",
                } as const,
              ]) {
                const before = yield* dump(org)
                const dry = yield* imports.run(org, { ...file, dryRun: true })
                assert.deepStrictEqual(yield* dump(org), before)
                const report = yield* imports.run(org, file)
                assert.deepStrictEqual(comparable(dry), comparable(report))
                assert.strictEqual(dry.counts_from, "file")
                assert.isAbove(report.created + report.updated + report.unchanged, size / 20)
                assert.isAtMost(dry.examples!.length, 20)
              }
            }
          }),
        )
      }
    })
  })
}
