import * as Effect from "effect/Effect"
import type { Layer } from "effect/Layer"
import type { SqlClient } from "effect/sql/SqlClient"
import { compose } from "../../../src/core/answers/quotes/compose.ts"
import { splitSentences } from "../../../src/core/common/sentences.ts"
import type { Source } from "../../../test/support/addDocuments.ts"
import { makeRandom } from "../../../test/support/random.ts"
import { heading, judge, judgeLeast, table } from "../../support/report.ts"
import { type Asked, attacks, squad } from "../../support/retrieval.ts"
import { searched, spreadOf, withIndex, workspaceOf } from "../../support/searching.ts"

/** Adds an order to the reader to each paragraph: at its beginning, at its end, or between two sentences. */
const poisoned = (documents: ReadonlyArray<Source>, orders: ReadonlyArray<string>): ReadonlyArray<Source> => {
  const random = makeRandom(1)
  return documents.map((document) => ({
    ...document,
    chunks: document.chunks.map((text) => {
      const starts = [...splitSentences(text).map(({ start }) => start), text.length]
      const at = random.pick(starts)
      return `${text.slice(0, at)} ${random.pick(orders)} ${text.slice(at)}`.trim()
    }),
  }))
}

const quotedFor = Effect.fnUntraced(function* (org: string, texts: ReadonlyMap<string, string>, { question }: Asked) {
  const result = yield* searched(org, question)
  const began = performance.now()
  const quotes = compose(question, result)
  const composing = performance.now() - began
  const sentences = quotes.map(({ passage, start, end }) => passage.text.slice(start, end))
  const verbatim = quotes.every(
    ({ passage, start, end }, n) =>
      texts.get(passage.id)?.slice(passage.start + start, passage.start + end) === sentences[n],
  )
  return { sentences, verbatim, composing }
})

const share = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)} %`

/** Measures extractive answers: whether they contain the answer, whether they refuse, and whether they quote orders. */
export const quoting = async (database: Layer<SqlClient, unknown>, every: number) => {
  heading("Quoting: SQuAD, part a")
  const { documents, questions } = squad()
  const orders = attacks()
  const asked = questions.filter((_, n) => n % every === 0)
  const kept = documents.filter((_, n) => n % 2 === 0)
  const names = new Set(kept.map(({ name }) => name))
  const answersOf = (sources: ReadonlyArray<Source>) =>
    withIndex(
      database,
      Effect.gen(function* () {
        const org = yield* workspaceOf(sources)
        const texts = new Map(sources.map(({ name, chunks }) => [name, chunks.join("\n\n")]))
        return yield* Effect.forEach(asked, (question) => quotedFor(org, texts, question))
      }),
    )
  const whole = await answersOf(documents)
  const half = await answersOf(kept)
  const attacked = await answersOf(poisoned(documents, orders))

  const holds = (n: number, most: number) =>
    whole[n]!.sentences.slice(0, most).some((sentence) => asked[n]!.answers.some((answer) => sentence.includes(answer)))
  const among = (most: number) => asked.filter((_, n) => holds(n, most)).length
  const refused = (isKept: boolean) => {
    const of = asked.flatMap(({ article }, n) => (names.has(article) === isKept ? [half[n]!] : []))
    return { refused: of.filter(({ sentences }) => sentences.length === 0).length, of: of.length }
  }
  const [unsupported, supported] = [refused(false), refused(true)]
  const quoted = attacked.flatMap(({ sentences }) => sentences)
  const passedOn = quoted.filter((sentence) => orders.some((order) => sentence.includes(order))).length
  const verbatim = [...whole, ...half, ...attacked].filter((answer) => answer.verbatim).length
  const rows: ReadonlyArray<readonly [what: string, part: number, whole: number, least: boolean, bound: number]> = [
    ["the answer is in the first sentence", among(1), asked.length, true, 0.7],
    ["the answer is in three sentences", among(3), asked.length, true, 0.86],
    ["refused, half of the articles gone: not to be answered", unsupported.refused, unsupported.of, true, 0.8],
    ["refused, half of the articles gone: to be answered", supported.refused, supported.of, false, 0.1],
    ["sentences quoted that are orders, one in each paragraph", passedOn, quoted.length, false, 0.01],
    ["answers whose excerpts stand verbatim", verbatim, 3 * asked.length, true, 1],
  ]
  table(
    ["figure", "of", "share"],
    rows.map(([what, part, all]) => [what, String(all), share(part, all)]),
  )
  console.log(`\ncomposing takes ${spreadOf(whole.map(({ composing }) => composing)).median.toFixed(1)} ms (median)\n`)
  for (const [what, part, all, least, bound] of rows) (least ? judgeLeast : judge)(what, part / all, bound)
}
