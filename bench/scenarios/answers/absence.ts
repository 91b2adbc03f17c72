import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type { SqlClient } from "effect/sql/SqlClient"
import { compose } from "../../../src/core/answers/extractive/compose.ts"
import { heading, judge, judgeLeast, table } from "../../support/report.ts"
import { squad } from "../../support/retrieval.ts"
import { searched, withIndex, workspaceOf } from "../../support/searching.ts"

/**
 * Questions about something absent from a text that is there: each article keeps every second paragraph, and the questions are
 * about both. A question about a lost paragraph takes part only if no answer of it occurs in what its article keeps.
 */
export const absence = async (database: Layer.Layer<SqlClient, unknown>, every: number) => {
  heading("Absence: SQuAD, part a, every second paragraph gone")
  const { documents, questions } = squad()
  const kept = documents.map((document) => ({ ...document, chunks: document.chunks.filter((_, n) => n % 2 === 0) }))
  const textOf = new Map(kept.map(({ name, chunks }) => [name, chunks.join("\n").toLowerCase()]))
  const paragraphOf = (grades: ReadonlyMap<string, number>) => Number([...grades.keys()][0]?.split("#").at(-1))
  const isKept = ({ grades }: (typeof questions)[number]) => paragraphOf(grades) % 2 === 0
  const isAbsent = ({ article, answers }: (typeof questions)[number]) =>
    !answers.some((answer) => textOf.get(article)?.includes(answer.toLowerCase()))
  const asked = questions.filter((question, n) => n % every === 0 && (isKept(question) || isAbsent(question)))
  const isRefused = await withIndex(
    database,
    Effect.gen(function* () {
      const org = yield* workspaceOf(kept)
      return yield* Effect.forEach(asked, ({ question }) =>
        Effect.map(searched(org, question), (result) => compose(question, result).length === 0),
      )
    }),
  )
  const [absent, present] = [false, true].map((wanted) => {
    const of = isRefused.filter((_, n) => isKept(asked[n]!) === wanted)
    return { n: of.length, refused: of.filter(Boolean).length / of.length }
  }) as [Share, Share]
  const row = (what: string, { n, refused }: Share) => [what, String(n), `${(100 * refused).toFixed(1)} %`]
  table(
    ["questions", "n", "refused"],
    [row("absent from a text that is there", absent), row("answered by a text that is there", present)],
  )
  judgeLeast("refused, absent from a text that is there", absent.refused, 0.45)
  judge("refused, answered by a text that is there", present.refused, 0.1)
}

interface Share {
  readonly n: number
  readonly refused: number
}
