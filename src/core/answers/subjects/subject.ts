import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { Database } from "../../storage/Database.ts"
import { type Asker, readsDeals } from "../Asker.ts"
import { CLIENT_WORDS, phrasesOf } from "../deals/names.ts"
import { Words } from "../deals/Words.ts"

export interface SubjectDeal {
  readonly id: string
  readonly name: string
  /** Of its stage; null where it is in none. */
  readonly outcome: "open" | "won" | "lost" | null
}

/** The one thing of the workspace that a question names. A client stands for its deals, the newest first. */
export interface Subject {
  readonly kind: "competitor" | "client" | "deal"
  readonly id: string
  readonly name: string
  /** None of a competitor: what is held on it is its documents. */
  readonly deals: ReadonlyArray<SubjectDeal>
}

interface Row extends SubjectDeal {
  readonly kind: Subject["kind"]
  readonly client_id: string | null
}

const COMPETITORS = 5000
const DEAL_WORDS = 14
const DEALS_OF_CLIENT = 50

/** What the question may name, to be run inside `Database.scoped`. A deal is known by its name as it is written or, in any case, where its client is named too. */
export const mayBeNamed = (sql: SqlClient, question: string): Fragment => sql`with client as materialized (
      select id, name from clients
      where org_id = scope.org and lower(name) = any(${phrasesOf(question.toLowerCase(), CLIENT_WORDS)}::text[])
      order by id limit 20
    ), deal as (
      select d.* from client c cross join lateral (
        select id, name, client_id, status_id, created_at from deals
        where org_id = scope.org and client_id = c.id order by created_at desc limit ${DEALS_OF_CLIENT}::int) d
      union select id, name, client_id, status_id, created_at from deals
      where org_id = scope.org and name collate "C" = any(${phrasesOf(question, DEAL_WORDS)}::text[])
    )
    select 'deal' as kind, d.id, d.name, d.client_id, s.category as outcome, d.created_at from deal d
    left join stages s on s.org_id = scope.org and s.id = d.status_id
    union all select 'client', id, name, id, null, null from client
    union all select 'competitor', id, name, null, null, null from (
      select id, name from competitors where org_id = scope.org order by name limit ${COMPETITORS}::int) c
    order by kind, created_at desc, id`

const KINDS: ReadonlyArray<Subject["kind"]> = ["competitor", "deal", "client"]

/** Takes the names; the subject, where they are of one thing. */
const takeSubject = (words: Words, rows: ReadonlyArray<Row>): Subject | undefined => {
  const found: Array<Row> = []
  const order = rows.toSorted((a, b) => b.name.length - a.name.length || KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind))
  for (const row of order) {
    if (row.name.trim().length < 2) continue
    for (let at = words.find(row.name.trim()); at !== undefined; at = words.find(row.name.trim())) {
      words.takeAt(at.start, at.end)
      if (!found.includes(row)) found.push(row)
    }
  }
  const [row, ...others] = found
  if (row === undefined || others.length > 0) return undefined
  const deals = rows.filter(
    ({ kind, id, name, client_id }) =>
      kind === "deal" &&
      (row.kind === "client" ? client_id === row.id : row.kind === "deal" && (id === row.id || name === row.name)),
  )
  return { kind: row.kind, id: row.id, name: row.name, deals }
}

/** What a question is about, and its words without that name. */
export interface Named {
  readonly subject: Subject
  readonly words: Words
}

/**
 * The one competitor, client or deal that a question names; of several, none. `questions` as `questionsOf` gives them: where
 * the last names nothing and leans on the one before, what that one names is meant.
 */
export const namedIn = Effect.fn("Subjects.namedIn")(function* (
  database: Database["Service"],
  asker: Asker,
  questions: ReadonlyArray<string>,
) {
  const question = questions.at(-1) ?? ""
  const longest = questions.reduce((a, b) => (a.length > b.length ? a : b), "")
  if (longest.length > LONGEST) return undefined
  const all = yield* database.scoped<Row>(asker.organizationId, mayBeNamed(database.sql, longest))
  const rows = readsDeals(asker) ? all : all.filter(({ kind }) => kind === "competitor")
  const words = new Words(question)
  const subject = takeSubject(words, rows)
  const meant = subject ?? (words.text.includes("|") ? undefined : takeSubject(new Words(longest), rows))
  return meant === undefined ? undefined : ({ subject: meant, words } satisfies Named)
})

/** A longer text is read for what it tells, not asked about a name. */
const LONGEST = 1000
