import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Deals, dealsIn } from "../../src/core/deals/Deals.ts"
import { Database } from "../../src/core/storage/Database.ts"
import { Organizations } from "../../src/core/catalogue/Organizations.ts"
import { engines } from "../support/engines.ts"
import { makeRandom, seedOfRun } from "../support/random.ts"
import { insertWorkspace, makeWorkspace } from "./workspace.ts"
import { layerOrganizations } from "../support/organizations.ts"
import { UNLIMITED } from "../support/unlimited.ts"

const NAMES = [
  "Acme Corp",
  "ACME CORP renewal",
  "Acmee Corporation",
  "Globex expansion 2026",
  "Initech / Globex joint",
  "100% Organic",
  "1000 Organic",
  "snake_case Ltd",
  "snakeXcase Ltd",
  "back\\slash & Sons",
  'O\'Neil "Quoted" GmbH',
  "Größe und Übermut",
  "日本電気株式会社",
  "Q&A",
  "x",
]

interface Found {
  readonly id: string
  readonly name: string
}

/** Converts a name to lower case without accents. */
const folded = (name: string) =>
  name
    .normalize("NFD")
    .replaceAll(/[\u0300-\u036F]/g, "")
    .normalize("NFC")
    .toLowerCase()

const byCodePoint = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))

/** The similarity of names by `pg_trgm`. */
const similaritiesOf = Effect.fnUntraced(function* (query: string, found: ReadonlyArray<Found>) {
  const { sql, unscoped } = yield* Database
  const names = [...new Set(found.map(({ name }) => name))]
  const rows = yield* unscoped<{ similarity: number }>(
    sql`select word_similarity(${folded(query)}, name) as similarity
      from unnest(${names.map(folded)}::text[]) with ordinality x(name, n) order by n`,
  )
  return new Map(names.map((name, n) => [name, rows[n]?.similarity ?? 0]))
})

for (const engine of engines) {
  const services = Layer.mergeAll(Deals.layer, layerOrganizations).pipe(
    Layer.provideMerge(Database.layer),
    Layer.provide(engine.database),
  )
  describe(`searchQuery on ${engine.name}`, () => {
    layer(services, { excludeTestServices: true })((it) => {
      const setUpNamed = Effect.fnUntraced(function* (given: ReadonlyArray<string>) {
        const organizations = yield* Organizations
        const world = makeWorkspace(makeRandom(7), given.length)
        const named = (names: ReadonlyArray<string>) => ({
          ...world,
          deals: world.deals.map((deal, n) => ({ ...deal, name: names[n] })),
        })
        const { id: org } = yield* organizations.create({ name: "Mine", plan: UNLIMITED })
        const other = yield* organizations.create({ name: "Other", plan: UNLIMITED })
        yield* insertWorkspace(org, named(given))
        yield* insertWorkspace(other.id, named(given.map((name) => `${name} theirs`)))
        const deals = yield* Deals
        const search = (searchQuery: string, more: object = {}) =>
          Effect.map(
            deals.list(org, { filters: { searchQuery }, columns: ["id", "name"], pageSize: 100, ...more }),
            (page) => {
              const found = dealsIn(page) as ReadonlyArray<Found>
              return { deals: found, names: found.map(({ name }) => name), next: page.next }
            },
          )
        return { org, deals, search }
      })
      const setUp = setUpNamed(NAMES)

      it.effect("finds a substring ignoring case, and treats no character as a wildcard", () =>
        Effect.gen(function* () {
          const { org, deals, search } = yield* setUp
          for (const name of NAMES) {
            for (const query of [name, name.toLowerCase(), name.slice(0, Math.ceil(name.length / 2)), name.slice(1)]) {
              if (query === "") continue
              assert.include((yield* search(query)).names, name, `search for ${JSON.stringify(query)}`)
              assert.strictEqual(yield* deals.count(org, { searchQuery: query }), (yield* search(query)).names.length)
            }
          }
          assert.deepStrictEqual((yield* search("%")).names, ["100% Organic"])
          assert.deepStrictEqual((yield* search("_")).names, ["snake_case Ltd"])
          assert.deepStrictEqual((yield* search("\\")).names, ["back\\slash & Sons"])
          assert.deepStrictEqual((yield* search("'")).names, ['O\'Neil "Quoted" GmbH'])
          assert.deepStrictEqual((yield* search("本電")).names, ["日本電気株式会社"])
          assert.deepStrictEqual((yield* search("ÜBERMUT")).names, ["Größe und Übermut"])
          assert.deepStrictEqual((yield* search("nothing of the kind")).names, [])
        }),
      )

      it.effect("has the first of all matches in any order, whether its page fills early or not", () =>
        Effect.gen(function* () {
          const { search } = yield* setUp
          for (const query of ["o", "acme", "organik", "nothing of the kind"])
            for (const sort of ["created_at", "name", "amount", "close_date", "wl_product_fit_score"] as const)
              for (const sortOrder of ["asc", "desc"] as const) {
                const all = (yield* search(query, { sort, sortOrder })).deals
                const unordered = (yield* search(query)).deals
                assert.sameDeepMembers([...all], [...unordered])
                for (const pageSize of [1, 2, 5]) {
                  const { deals: page, next } = yield* search(query, { sort, sortOrder, pageSize })
                  assert.deepStrictEqual(page, all.slice(0, pageSize), `${query} by ${sort} ${sortOrder}`)
                  assert.strictEqual(next === undefined, all.length <= pageSize)
                }
              }
        }),
      )

      it.effect("tolerates a typo", () =>
        Effect.gen(function* () {
          const { search } = yield* setUp
          for (const [query, expected] of [
            ["acmee", "Acme Corp"],
            ["acme corp", "Acmee Corporation"],
            ["globx", "Globex expansion 2026"],
            ["organik", "100% Organic"],
            ["expantion", "Globex expansion 2026"],
            ["corp acme", "Acme Corp"],
          ] as const) {
            assert.include((yield* search(query)).names, expected, `search for ${query}`)
          }
        }),
      )

      it.effect("puts the best match first by default", () =>
        Effect.gen(function* () {
          const { search } = yield* setUp
          const { names } = yield* search("acme corp")
          assert.sameMembers(names.slice(0, 2), ["Acme Corp", "ACME CORP renewal"])
          assert.strictEqual(names.at(-1), "Acmee Corporation")
          assert.strictEqual((yield* search("snake_case ltd")).names[0], "snake_case Ltd")
          assert.strictEqual((yield* search("initech")).names[0], "Initech / Globex joint")
          assert.deepStrictEqual((yield* search("globex", { sort: "name", sortOrder: "asc" })).names, [
            "Globex expansion 2026",
            "Initech / Globex joint",
          ])
          assert.deepStrictEqual((yield* search("globex", { sort: "name", sortOrder: "desc" })).names, [
            "Initech / Globex joint",
            "Globex expansion 2026",
          ])
        }),
      )

      it.effect("puts the exact name first, then names that start with the query", () =>
        Effect.gen(function* () {
          const { search } = yield* setUpNamed([
            "Acme Renewal East",
            "Big Acme Renewal",
            "Renewal Acme",
            "ACMÉ RENEWAL",
            "Acme Renewals and more",
            "The Acme Renewal",
          ])
          for (const query of ["Acme Renewal", "acme renewal ", "ácme rénewal"]) {
            const { names } = yield* search(query)
            assert.strictEqual(names[0], "ACMÉ RENEWAL", query)
            assert.sameMembers(names.slice(1, 3), ["Acme Renewal East", "Acme Renewals and more"], query)
          }
          assert.deepStrictEqual((yield* search("renewal a")).names[0], "Renewal Acme")
        }),
      )

      it.effect("ranks random names by the definition, in one page, by cursor and by index", () =>
        Effect.gen(function* () {
          const random = makeRandom(seedOfRun("ranking of names"))
          const words = ["Acme", "acmé", "ACME", "Renewal", "rénewal", "Renewals", "2026", "Ünit", "unit", "O%", "a_b"]
          const phrase = () => random.some(words, 1, 3).join(" ")
          const names = Array.from({ length: 60 }, phrase)
          const { org, deals, search } = yield* setUpNamed(names)
          for (let round = 0; round < 12; round++) {
            const query = round % 3 === 0 ? random.pick(names) : phrase()
            const found = (yield* search(query)).deals
            const similarities = yield* similaritiesOf(query, found)
            const rank = ({ name }: Found) => {
              if (folded(name) === folded(query)) return 4
              const similarity = similarities.get(name) ?? 0
              return folded(name).startsWith(folded(query)) ? Math.fround(2 + similarity) : similarity
            }
            const expected = found.toSorted((a, b) => rank(b) - rank(a) || byCodePoint(b.id, a.id))
            assert.deepStrictEqual(found, expected, query)
            const exact = names.filter((name) => folded(name) === folded(query))
            assert.sameMembers(
              found.slice(0, exact.length).map(({ name }) => name),
              exact,
              query,
            )
            const pageSize = 1 + random.below(7)
            const walked: Array<Found> = []
            for (let cursor: string | undefined; ;) {
              const page = yield* search(query, { pageSize, cursor })
              walked.push(...page.deals)
              cursor = page.next
              if (cursor === undefined) break
            }
            assert.deepStrictEqual(walked, found, query)
            const { deals: second } = yield* search(query, { pageSize, pageIndex: 1 })
            assert.deepStrictEqual(second, found.slice(pageSize, 2 * pageSize), query)
            assert.strictEqual(yield* deals.count(org, { searchQuery: query }), found.length)
          }
        }),
      )

      it.effect("pages by cursor and by index through the same order", () =>
        Effect.gen(function* () {
          const { search } = yield* setUp
          const all = (yield* search("o")).names
          assert.isAbove(all.length, 5)
          for (const pageSize of [1, 2, 3]) {
            const walked: Array<string> = []
            for (let cursor: string | undefined; ;) {
              const page = yield* search("o", { pageSize, cursor })
              walked.push(...page.names)
              cursor = page.next
              if (cursor === undefined) break
            }
            assert.deepStrictEqual(walked, all)
            const indexed = yield* search("o", { pageSize, pageIndex: 1 })
            assert.deepStrictEqual(indexed.names, all.slice(pageSize, 2 * pageSize))
          }
        }),
      )
    })
  })
}
