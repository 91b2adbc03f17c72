import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type { SqlClient } from "effect/sql/SqlClient"
import { compose } from "../../../src/core/answers/quotes/compose.ts"
import { splitSentences } from "../../../src/core/common/sentences.ts"
import type { Source } from "../../../test/support/addDocuments.ts"
import { heading, judge, judgeLeast, table } from "../../support/report.ts"
import { type Asked, squad } from "../../support/retrieval.ts"
import { searched, withIndex, workspaceOf } from "../../support/searching.ts"

const paragraphOf = ({ grades }: Asked) => Number([...grades.keys()][0]?.split("#").at(-1))
const isOdd = (n: number) => n % 2 === 1

/**
 * Questions about something absent from a text that is there, and questions that the text answers. Every article loses its odd
 * paragraphs, or, which is harder, each odd paragraph loses only the sentences that answer its first question. A question whose
 * answer occurs in what its article keeps does not take part.
 */
export const absence = async (database: Layer.Layer<SqlClient, unknown>, every: number) => {
  heading("Absence: SQuAD, part a")
  const { documents, questions } = squad()
  const firsts = new Map<string, Asked>()
  for (const question of questions) {
    const key = `${question.article}#${paragraphOf(question)}`
    if (!firsts.has(key)) firsts.set(key, question)
  }
  const withoutParagraphs = documents.map((document) => ({
    ...document,
    chunks: document.chunks.filter((_, n) => !isOdd(n)),
  }))
  const withoutSentences = documents.map((document) => ({
    ...document,
    chunks: document.chunks.map((text, n) => {
      const answers = firsts.get(`${document.name}#${n}`)?.answers ?? []
      return isOdd(n) ? cut(text, answers) : text
    }),
  }))
  const present = questions.filter((question) => !isOdd(paragraphOf(question)))
  const lost = questions.filter((question) => isOdd(paragraphOf(question)))
  const lostFirst = [...firsts.values()].filter((question) => isOdd(paragraphOf(question)))
  const sample = <A>(of: ReadonlyArray<A>) => of.filter((_, n) => n % every === 0)
  const absentIn = (kept: ReadonlyArray<Source>, of: ReadonlyArray<Asked>) => {
    const texts = new Map(kept.map(({ name, chunks }) => [name, chunks.join("\n").toLowerCase()]))
    return of.filter(
      ({ article, answers }) => !answers.some((answer) => texts.get(article)?.includes(answer.toLowerCase())),
    )
  }
  /** The share of questions without a quoted sentence. */
  const refused = (kept: ReadonlyArray<Source>, asked: ReadonlyArray<Asked>) =>
    withIndex(
      database,
      Effect.gen(function* () {
        const org = yield* workspaceOf(kept)
        const isRefused = yield* Effect.forEach(asked, ({ question }) =>
          Effect.map(searched(org, question), (result) => compose(question, result).length === 0),
        )
        return isRefused.filter(Boolean).length / asked.length
      }),
    )
  const rows = []
  for (const [what, kept, of] of [
    ["its paragraph is gone", withoutParagraphs, sample(absentIn(withoutParagraphs, lost))],
    ["only its sentences are gone", withoutSentences, absentIn(withoutSentences, lostFirst)],
    ["it is there", withoutSentences, sample(present)],
  ] as const) {
    rows.push({ what, n: of.length, share: await refused(kept, of) })
  }
  table(
    ["the answer", "questions", "refused"],
    rows.map(({ what, n, share }) => [what, String(n), `${(100 * share).toFixed(1)} %`]),
  )
  judgeLeast("refused, the paragraph is gone", rows[0]?.share, 0.45)
  judgeLeast("refused, only the sentences are gone", rows[1]?.share, 0.45)
  judge("refused, though the answer is there", rows[2]?.share, 0.1)
}

/** Cuts the sentences that contain one of the answers. */
const cut = (text: string, answers: ReadonlyArray<string>) => {
  const sentences = splitSentences(text).map(({ start, end }) => text.slice(start, end))
  return sentences.filter((sentence) => !answers.some((answer) => sentence.includes(answer))).join(" ")
}
