import { assert, describe, it } from "vitest"
import { canonical } from "../../src/core/answers/citations/vocabulary.ts"
import { NOUNS } from "../../src/core/answers/deals/lexicon.ts"
import { describeMeasure } from "../../src/core/answers/deals/measureWords.ts"
import { parse } from "../../src/core/answers/deals/parse.ts"
import { describeDimension } from "../../src/core/answers/deals/table.ts"
import { DIMENSIONS } from "../../src/core/reports/dimensions.ts"
import { MEASURES } from "../../src/core/reports/measures.ts"
import {
  DIMENSION_WORDS,
  formsOf,
  singleWordsOf,
  synonymsOf,
  type WordedDimension,
} from "../../src/core/reports/words.ts"
import { NAMES, TODAY } from "./dealNames.ts"

const worded = Object.keys(DIMENSION_WORDS) as ReadonlyArray<WordedDimension>

describe("the words of a dimension", () => {
  for (const dimension of worded.filter((each) => NOUNS.some((noun) => noun.dimension === each)))
    it(`group a question, suggest the parameter and label the answer: ${dimension}`, () => {
      for (const form of formsOf(dimension)) {
        const { groups, unknown } = parse(`win rate by ${form}`, NAMES, TODAY)
        assert.deepStrictEqual([groups, unknown], [[dimension], []], form)
        assert.isTrue(form === dimension || synonymsOf(dimension).includes(form), form)
      }
      assert.strictEqual(describeDimension(dimension), DIMENSION_WORDS[dimension].one)
    })

  it("are of dimensions that reports have, and mean one of them only", () => {
    assert.includeMembers(Object.keys(DIMENSIONS.associations), [...worded])
    const all = worded.flatMap(synonymsOf)
    assert.deepStrictEqual(
      all.filter((word, n) => all.indexOf(word) !== n),
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
