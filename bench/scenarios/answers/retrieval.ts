import * as Effect from "effect/Effect"
import type { Layer } from "effect/Layer"
import type { SqlClient } from "effect/sql/SqlClient"
import { heading, judge, judgeLeast, table } from "../../support/report.ts"
import { cranfield, type Judged, nDcg, squad } from "../../support/retrieval.ts"
import { searched, spreadOf, withIndex, workspaceOf } from "../../support/searching.ts"

const SETS = {
  Cranfield: { read: cranfield, least: 0.375 },
  "SQuAD, part a": { read: squad, least: 0.87 },
}

const rank = Effect.fnUntraced(function* (org: string, questions: ReadonlyArray<Judged>) {
  const gains: Array<number> = []
  const times: Array<number> = []
  let empty = 0
  for (const { question, grades } of questions) {
    const began = performance.now()
    const { passages } = yield* searched(org, question)
    times.push(performance.now() - began)
    if (passages.length === 0) empty++
    if (grades.size > 0)
      gains.push(
        nDcg(
          passages.map(({ id, n }) => `${id}#${n}`),
          grades,
        ),
      )
  }
  return { quality: gains.reduce((sum, gain) => sum + gain, 0) / gains.length, empty, ...spreadOf(times) }
})

/** Compares the first ten passages with human judgements. `every`: takes one question of this many. */
export const retrieval = async (engines: Readonly<Record<string, Layer<SqlClient, unknown>>>, every: number) => {
  heading("Retrieval: nDCG@10")
  const rows: Array<ReadonlyArray<string>> = []
  for (const [engine, database] of Object.entries(engines)) {
    for (const [name, { read, least }] of Object.entries(SETS)) {
      const { documents, questions } = read()
      const asked = questions.filter((_, n) => name === "Cranfield" || n % every === 0)
      const { quality, empty, median, slow } = await withIndex(
        database,
        Effect.flatMap(workspaceOf(documents), (org) => rank(org, asked)),
      )
      rows.push([
        name,
        engine,
        String(asked.length),
        quality.toFixed(3),
        String(empty),
        median.toFixed(1),
        slow.toFixed(1),
      ])
      judgeLeast(`nDCG@10, ${name}, ${engine}`, quality, least)
      if (name === "Cranfield") judge(`questions that find nothing, ${name}, ${engine}`, empty, 0)
    }
  }
  table(["set", "engine", "questions", "nDCG@10", "empty", "median ms", "p95 ms"], rows)
}
