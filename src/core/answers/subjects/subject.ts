import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { fold } from "../../common/fold.ts"
import { Database } from "../../storage/Database.ts"
import { type Asker, readsDeals } from "../Asker.ts"
import { MAX_CLIENT_WORDS, listPhrases } from "../questions/words/names.ts"
import { QuestionReader } from "../QuestionReader.ts"

export interface SubjectDeal {
  readonly id: string
  readonly name: string
  /** The category of its stage; null without a stage. */
  readonly outcome: "open" | "won" | "lost" | null
}

/** The thing in the workspace that a question is about. A client means its deals, the newest first. */
export interface Subject {
  readonly kind: "competitor" | "client" | "deal"
  readonly id: string
  readonly name: string
  /** Other names that a text can use: for a deal, its client's. */
  readonly aliases: ReadonlyArray<string>
  /** The names of the other competitors: what a sentence says of one of them is not about this subject. */
  readonly rivals: ReadonlyArray<string>
  /** Competitors that the question names beside a client or deal: it is about the deals with them. */
  readonly against: ReadonlyArray<string>
  /** Empty for a competitor, which has documents of its own. */
  readonly deals: ReadonlyArray<SubjectDeal>
}

interface CandidateRow extends SubjectDeal {
  readonly kind: Subject["kind"]
  readonly client_id: string | null
}

const MAX_COMPETITORS = 5000
const MAX_DEAL_WORDS = 14
const MAX_DEALS_OF_CLIENT = 50

/**
 * Selects the things that a question can name; runs inside `Database.scoped`. A deal matches by its exact name, or in any
 * case if the question names its client too.
 */
export const selectCandidates = (sql: SqlClient, question: string): Fragment => sql`with client as materialized (
      select id, name from clients
      where org_id = scope.org and folded = any(${listPhrases(question.toLowerCase(), MAX_CLIENT_WORDS).map(fold)}::text[])
      order by id limit 20
    ), deal as (
      select d.* from client c cross join lateral (
        select id, name, client_id, status_id, created_at from deals
        where org_id = scope.org and client_id = c.id order by created_at desc limit ${MAX_DEALS_OF_CLIENT}::int) d
      union select id, name, client_id, status_id, created_at from deals
      where org_id = scope.org and name collate "C" = any(${listPhrases(question, MAX_DEAL_WORDS)}::text[])
    )
    select 'deal' as kind, d.id, d.name, d.client_id, s.category as outcome, d.created_at from deal d
    left join stages s on s.org_id = scope.org and s.id = d.status_id
    union all select 'client', id, name, id, null, null from client
    union all select 'competitor', id, name, null, null, null from (
      select id, name from competitors where org_id = scope.org order by name limit ${MAX_COMPETITORS}::int) c
    order by kind, created_at desc, id`

const KIND_ORDER: ReadonlyArray<Subject["kind"]> = ["competitor", "deal", "client"]

/** Takes the names from the question. Returns the subject if they name one thing. */
const takeSubject = (reader: QuestionReader, rows: ReadonlyArray<CandidateRow>): Subject | undefined => {
  const found: Array<CandidateRow> = []
  const order = rows.toSorted(
    (a, b) => b.name.length - a.name.length || KIND_ORDER.indexOf(a.kind) - KIND_ORDER.indexOf(b.kind),
  )
  for (const row of order) {
    if (row.name.trim().length < 2) continue
    for (let at = reader.find(row.name.trim()); at !== undefined; at = reader.find(row.name.trim())) {
      reader.takeRange(at.start, at.end)
      if (!found.includes(row)) found.push(row)
    }
  }
  // "Why did Harbor choose us over Orvanta?" is about Harbor.
  const owned = found.filter(({ kind }) => kind !== "competitor")
  const [row, ...others] = owned.length === 1 ? owned : found
  if (row === undefined || others.length > 0) return undefined
  const deals = rows.filter(
    ({ kind, id, name, client_id }) =>
      kind === "deal" &&
      (row.kind === "client" ? client_id === row.id : row.kind === "deal" && (id === row.id || name === row.name)),
  )
  const client = rows.find(({ kind, id }) => row.kind === "deal" && kind === "client" && id === row.client_id)
  const aliases = client === undefined ? [] : [client.name]
  const rivals = rows.flatMap(({ kind, id, name }) => (kind === "competitor" && id !== row.id ? [name] : []))
  const against = found.flatMap(({ kind, name }) => (kind === "competitor" && row.kind !== kind ? [name] : []))
  return { kind: row.kind, id: row.id, name: row.name, aliases, rivals, against, deals }
}

/** The subject of a question, and the question without that name. */
export interface SubjectQuestion {
  readonly subject: Subject
  readonly reader: QuestionReader
}

/**
 * Finds the one competitor, client or deal that a question names. `questions` come from `questionsOf`: a follow-up without
 * a name inherits the subject of the question before it.
 */
export const findSubject = Effect.fn("Subjects.findSubject")(function* (
  asker: Asker,
  questions: ReadonlyArray<string>,
) {
  const database = yield* Database
  const question = questions.at(-1) ?? ""
  const longest = questions.reduce((a, b) => (a.length > b.length ? a : b), "")
  if (longest.length > MAX_LENGTH) return undefined
  const all = yield* database.scoped<CandidateRow>(asker.organizationId, selectCandidates(database.sql, longest))
  const rows = readsDeals(asker) ? all : all.filter(({ kind }) => kind === "competitor")
  const reader = new QuestionReader(question)
  const subject = takeSubject(reader, rows)
  reader.keepCountry()
  const meant = subject ?? (reader.text.includes("|") ? undefined : takeSubject(new QuestionReader(longest), rows))
  return meant === undefined ? undefined : ({ subject: meant, reader } satisfies SubjectQuestion)
})

/** In UTF-16 units. A longer text is searched by its words. */
const MAX_LENGTH = 1000
