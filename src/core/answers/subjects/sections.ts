import * as Effect from "effect/Effect"
import type { Fragment } from "effect/sql/Statement"
import type { Placed, TableRange } from "../../ports/document.ts"
import { type DealRecord, DealRecords } from "../../search/DealRecords.ts"
import type { Passage } from "../../search/SearchIndex.ts"
import { Database } from "../../storage/Database.ts"
import { utc } from "../../storage/sql.ts"
import { type Asker, readsDeals, readsDocuments } from "../Asker.ts"
import type { Subject, SubjectDeal } from "./subject.ts"

/** The most that is read of a subject: deals, documents (the newest first) and chunks of each document. */
const MAX_DEALS = 6
const MAX_DOCUMENTS = 12
const MAX_CHUNKS = 80

interface ChunkRow {
  readonly id: string
  readonly name: string
  readonly deal_id: string | null
  readonly deal_name: string | null
  readonly competitor_id: string | null
  readonly created_at: string
  readonly n: number
  readonly start_at: number
  readonly end_at: number
  readonly body: string
  readonly headings: ReadonlyArray<string>
  readonly places: ReadonlyArray<Placed>
  readonly tables: ReadonlyArray<TableRange>
}

/** The texts about a subject, in sections of one heading each: the records of the given deals, and the documents. */
export const readSections = Effect.fn("Subjects.readSections")(function* (
  asker: Asker,
  subject: Subject,
  deals: ReadonlyArray<SubjectDeal>,
) {
  const database = yield* Database
  const records = yield* DealRecords
  const org = asker.organizationId
  const readable = readsDeals(asker) ? deals.slice(0, MAX_DEALS) : []
  const fromRecords = yield* Effect.forEach(readable, ({ id }) =>
    Effect.map(records.text(org, id), (record) => (record === undefined ? [] : sectionsOfRecord(id, record))),
  )
  const ofRival = fromRecords.filter((sections) => isAgainst(subject, sections))
  const ofDeals = (ofRival.length > 0 ? ofRival : fromRecords).flat()
  if (!readsDocuments(asker)) return ofDeals
  const { sql } = database
  const about =
    subject.kind === "competitor"
      ? sql`competitor_id = ${subject.id} and (deal_id is null or ${readsDeals(asker)}::boolean)`
      : sql`deal_id = any(${readable.map(({ id }) => id)}::text[])`
  return [...ofDeals, ...(yield* readDocuments(org, about, { documents: MAX_DOCUMENTS, chunks: MAX_CHUNKS }))]
})

const isAgainst = ({ against }: Subject, sections: ReadonlyArray<Passage>) =>
  against.every((name) => sections.some(({ text }) => text.includes(name)))

/** The first chunks of the documents that match a condition on `documents`, the newest documents first. */
export const readDocuments = Effect.fn("Subjects.readDocuments")(function* (
  org: string,
  matching: Fragment,
  limit: { readonly documents: number; readonly chunks: number },
) {
  const { scoped, sql } = yield* Database
  const rows = yield* scoped<ChunkRow>(
    org,
    sql`select d.id, d.file_name as name, d.deal_id, l.name as deal_name, d.competitor_id,
      ${sql.literal(utc("d.created_at"))} as created_at, c.n, c.start_at, c.end_at, c.body, c.headings, c.places, c.tables
    from (select * from documents where org_id = scope.org and ${matching}
        and exists (select from document_chunks c where c.org_id = scope.org and c.document_id = documents.id)
      order by created_at desc, id collate "C" limit ${limit.documents}::int) d
    join document_chunks c on c.org_id = scope.org and c.document_id = d.id and c.n < ${limit.chunks}::int
    left join deals l on l.org_id = scope.org and l.id = d.deal_id
    order by d.created_at desc, d.id collate "C", c.n`,
  )
  return rows.map(sectionOfChunk)
})

const sectionOfChunk = (row: ChunkRow): Passage => ({
  source: "document",
  id: row.id,
  name: row.name,
  dealId: row.deal_id,
  dealName: row.deal_name,
  competitorId: row.competitor_id,
  createdAt: row.created_at,
  n: row.n,
  start: row.start_at,
  end: row.end_at,
  text: row.body,
  headings: row.headings,
  place: row.places[0]?.place ?? { kind: "text" },
  places: row.places,
  tables: row.tables,
  score: 0,
})

/** Splits a record at its headings. The facts are under the deal's name. */
const sectionsOfRecord = (id: string, { name, text, headings }: DealRecord): ReadonlyArray<Passage> => {
  const path: Array<{ readonly level: number; readonly title: string }> = []
  return headings.flatMap((heading, n): ReadonlyArray<Passage> => {
    while (path.length > 0 && path.at(-1)!.level >= heading.level) path.pop()
    path.push({ level: heading.level, title: text.slice(heading.start, heading.end) })
    const whole = text.slice(heading.end, headings[n + 1]?.start ?? text.length)
    const start = heading.end + whole.length - whole.trimStart().length
    const end = start + whole.trim().length
    if (end === start) return []
    const place = { kind: "text" } as const
    return [
      {
        source: "deal",
        id,
        name,
        dealId: id,
        dealName: name,
        competitorId: null,
        createdAt: "",
        n,
        start,
        end,
        text: text.slice(start, end),
        headings: path.map(({ title }) => title),
        place,
        places: [{ start, end, place }],
        tables: [],
        score: 0,
      },
    ]
  })
}
