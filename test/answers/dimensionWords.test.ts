import { assert, describe, it } from "vitest"
import { canonical } from "../../src/core/answers/citations/vocabulary.ts"
import { NOUNS } from "../../src/core/answers/questions/words/lexicon.ts"
import { describeMeasure } from "../../src/core/answers/questions/reply/measureWords.ts"
import { parse } from "../../src/core/answers/questions/parse/parse.ts"
import { describeDimension } from "../../src/core/answers/questions/reply/table.ts"
import { ASSOCIATION_DIMENSIONS, type DimensionName } from "../../src/core/reports/dimensions.ts"
import { MEASURES } from "../../src/core/reports/measures.ts"
import { listForms, singleWordsOf, listSynonyms } from "../../src/core/reports/words.ts"
import { NAMES, TODAY } from "./dealNames.ts"

const all = Object.keys(ASSOCIATION_DIMENSIONS) as ReadonlyArray<DimensionName>

describe("the words of a dimension", () => {
  for (const dimension of all.filter((each) => NOUNS.some((noun) => noun.dimension === each)))
    it(`group a question, suggest the parameter and label the answer: ${dimension}`, () => {
      for (const form of listForms(dimension)) {
        const { groups, unknown } = parse(`win rate by ${form}`, NAMES, TODAY)
        assert.deepStrictEqual([groups, unknown], [[dimension], []], form)
        assert.isTrue(form === dimension || listSynonyms(dimension).includes(form), form)
      }
      assert.strictEqual(describeDimension(dimension), ASSOCIATION_DIMENSIONS[dimension].one)
    })

  it("mean one dimension only", () => {
    const words = all.flatMap(listSynonyms)
    assert.deepStrictEqual(
      words.filter((word, n) => words.indexOf(word) !== n),
      [],
    )
  })

  it("are synonyms in a claim", () => {
    for (const dimension of ["owner", "competitor", "client", "region"] as const)
      for (const word of singleWordsOf(dimension)) assert.strictEqual(canonical(word), canonical(dimension), word)
  })
})

it("every measure has a label", () => {
  for (const [name, { label }] of Object.entries({ ...MEASURES.deals, ...MEASURES.associations }))
    assert.strictEqual(describeMeasure(name, undefined), label)
})
