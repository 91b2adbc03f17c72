import * as Effect from "effect/Effect"
import { type Judged, nDcg } from "../../bench/support/retrieval.ts"
import type { SearchIndex } from "../../src/core/search/SearchIndex.ts"
import { Organizations } from "../../src/core/catalogue/Organizations.ts"
import { addDocuments, type Source } from "../support/addDocuments.ts"
import { UNLIMITED } from "../support/unlimited.ts"

/** A new organization with these documents. */
export const workspaceOf = Effect.fnUntraced(function* (documents: ReadonlyArray<Source>) {
  const { id } = yield* (yield* Organizations).create({ name: "Quality", plan: UNLIMITED })
  yield* addDocuments(id, documents)
  return id
})

/** The mean nDCG of the first ten passages. */
export const qualityOf = (index: SearchIndex["Service"], org: string, questions: ReadonlyArray<Judged>) =>
  Effect.map(
    Effect.forEach(questions, ({ question, grades }) =>
      Effect.map(index.search(org, { text: question, limit: 10 }), ({ passages }) =>
        nDcg(
          passages.map(({ id, n }) => `${id}#${n}`),
          grades,
        ),
      ),
    ),
    (gains) => gains.reduce((sum, gain) => sum + gain, 0) / gains.length,
  )
