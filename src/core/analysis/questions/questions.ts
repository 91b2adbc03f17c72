import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { AnswerForm } from "../../deals/columns/answerForms.ts"
import { Deals } from "../../deals/Deals.ts"
import type { DealFilters } from "../../deals/filters/filters.ts"
import { Database } from "../../storage/Database.ts"

/** A question of the workspace behind a custom metric, which is a score, or a custom answer. */
export interface Question {
  readonly kind: "metric" | "answer"
  readonly id: string
  readonly name: string
  readonly question: string
  readonly form: AnswerForm
  /** The values of the form `option`. */
  readonly options: ReadonlyArray<string>
}

interface QuestionRow extends Question {
  /** Empty: asked of every deal. */
  readonly filters: DealFilters
}

/** Questions that one deal is asked: each makes every window longer. */
const MAX_QUESTIONS = 50

/** Runs inside `Database.scoped`. */
const selectQuestions = (sql: SqlClient): Fragment => sql`
  select * from (
    select 'metric' as kind, q.id, q.name, q.question, 'sentence' as form, '{}'::text[] as options, q.filters
      from metrics q where q.org_id = scope.org and q.question is not null
    union all
    select 'answer', q.id, q.name, q.question, coalesce(q.form, 'sentence'), q.options, q.filters
      from answers q where q.org_id = scope.org and q.question is not null
  ) a order by a.kind, a.id collate "C" limit ${MAX_QUESTIONS}::int`

/** Reads the questions that are asked of a deal. One whose filters name what is gone is asked of none. */
export const readQuestions = Effect.fnUntraced(function* (org: string, deal: string) {
  const { sql, scoped } = yield* Database
  const deals = yield* Deals
  const rows = yield* scoped<QuestionRow>(org, selectQuestions(sql))
  const isAsked = ({ filters }: QuestionRow) => {
    if (Object.keys(filters).length === 0) return Effect.succeed(true)
    const ofDeal = { ...filters, and: [...(filters.and ?? []), { deal_ids: [deal] }] }
    return deals.ids(org, ofDeal, 1).pipe(
      Effect.map((ids) => ids.length > 0),
      Effect.catchTag("BadRequest", () => Effect.succeed(false)),
    )
  }
  const asked: Array<Question> = []
  for (const { filters, ...question } of rows) {
    if (yield* isAsked({ filters, ...question })) asked.push(question)
  }
  return asked
})

/** A question as a model sees it. */
export const shownQuestion = ({ kind, name, question, form, options }: Question) => ({
  kind,
  name,
  question,
  ...(form === "option" && { options }),
})
