import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { layerPglite } from "../../../src/adapters/database/pglite.ts"
import { layerPostgres } from "../../../src/adapters/database/postgres.ts"
import { Organizations } from "../../../src/core/catalogue/Organizations.ts"
import { makeRandom } from "../../../test/support/random.ts"
import { connect } from "../../support/database.ts"
import { heading, judge, table } from "../../support/report.ts"
import { cranfield, squad } from "../../support/retrieval.ts"
import { searched, spreadOf, withIndex, workspaceOf } from "../../support/searching.ts"

/** Chunks per document, and characters per chunk. */
const CHUNKS = 50
const LONG = 1000

/** Makes passages of shuffled sentences of both sets, so that words are as many and as rare as in real ones. */
const documentsOf = (passages: number) => {
  const random = makeRandom(passages)
  const sentences = [...squad().documents, ...cranfield().documents].flatMap(({ chunks }) =>
    chunks.flatMap((chunk) => chunk.split(/(?<=[.?!])\s+/)),
  )
  const chunk = () => {
    let text = ""
    while (text.length < LONG) text += ` ${random.pick(sentences)}`
    return text.trim()
  }
  return Array.from({ length: passages / CHUNKS }, (_, n) => ({
    name: `document-${n}.txt`,
    chunks: Array.from({ length: CHUNKS }, chunk),
  }))
}

const QUESTIONS = () =>
  [...squad().questions.filter((_, n) => n % 60 === 0), ...cranfield().questions.filter((_, n) => n % 5 === 0)].map(
    ({ question }) => question,
  )

/** Times a search for each question, in one organization after another. The second round counts. */
const timed = Effect.fnUntraced(function* (orgs: ReadonlyArray<string>) {
  const times: Array<number> = []
  for (const round of [1, 2]) {
    for (const [n, question] of QUESTIONS().entries()) {
      const began = performance.now()
      yield* searched(orgs[n % orgs.length]!, question)
      if (round === 2) times.push(performance.now() - began)
    }
  }
  return spreadOf(times)
})

/** Copies the passages of the first organization to others, which is faster than ingesting them. */
const copied = async (url: string, from: string, to: ReadonlyArray<string>) => {
  const admin = await connect(url)
  const columns = {
    documents: "id, type, source, file_name, content_type",
    document_chunks: "document_id, n, start_at, end_at, body, headings, places",
    passages: "document_id, type, created_at, n, length, lexemes",
  }
  await admin.query("drop index passages_by_lexeme")
  for (const org of to) {
    for (const [table, names] of Object.entries(columns)) {
      await admin.query(
        `insert into ${table} (org_id, ${names}) select $2, ${names} from ${table} where org_id = $1 order by ctid`,
        [from, org],
      )
    }
  }
  await admin.query("create index passages_by_lexeme on passages using gin (org_id, lexemes) with (fastupdate = off)")
  for (const table of Object.keys(columns)) await admin.query(`vacuum analyze ${table}`)
  await admin.end()
}

/** Measures how search grows with the number of passages. `newDatabase` returns the URL of an empty database. */
export const sizes = async (newDatabase: () => Promise<string>, quick: boolean) => {
  heading("Search by size: 128 questions, one at a time")
  const rows: Array<ReadonlyArray<string>> = []
  const add = (engine: string, passages: number, orgs: number, { median, slow }: ReturnType<typeof spreadOf>) => {
    rows.push([engine, passages.toLocaleString("en"), String(orgs), median.toFixed(1), slow.toFixed(1)])
    return median
  }
  const small = Effect.flatMap(workspaceOf(documentsOf(2_000)), (org) => timed([org]))
  judge("search, 2,000 passages, PGlite", add("PGlite", 2_000, 1, await withIndex(layerPglite(), small)), 30, "ms")
  const postgres = async () => {
    const url = await newDatabase()
    return { url, database: layerPostgres({ url: Redacted.make(url), connections: 2 }) }
  }
  const first = await postgres()
  judge(
    "search, 2,000 passages, PostgreSQL",
    add("PostgreSQL", 2_000, 1, await withIndex(first.database, small)),
    15,
    "ms",
  )
  for (const [passages, orgs] of quick
    ? [[2_000, 5] as const]
    : ([
        [2_000, 10],
        [10_000, 20],
      ] as const)) {
    const { url, database } = await postgres()
    const spread = await withIndex(
      database,
      Effect.gen(function* () {
        const org = yield* workspaceOf(documentsOf(passages))
        const organizations = yield* Organizations
        const others = yield* Effect.forEach(Array.from({ length: orgs - 1 }), () =>
          Effect.map(organizations.create({ name: "Bench", plan: "enterprise" }), ({ id }) => id),
        )
        yield* Effect.promise(() => copied(url, org, others))
        return yield* timed([org, ...others])
      }),
    )
    const median = add("PostgreSQL", passages * orgs, orgs, spread)
    if (passages * orgs === 200_000) judge("search, 200,000 passages of 20 organizations, PostgreSQL", median, 60, "ms")
  }
  table(["engine", "passages", "organizations", "median ms", "p95 ms"], rows)
}
