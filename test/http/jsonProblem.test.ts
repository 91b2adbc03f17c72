import { assert, describe, it } from "@effect/vitest"
import { jsonProblem } from "../../src/core/http/validation/json.ts"

describe("broken JSON", () => {
  const broken: ReadonlyArray<readonly [string, string]> = [
    ["", "line 1, column 1: expected a value, but the text ends"],
    ["{", 'line 1, column 2: expected a name in " or }, but the text ends'],
    ['{"a":1,}', 'line 1, column 8: expected a name in ", but found "}"'],
    ["[1,]", 'line 1, column 4: expected a value, but found "]"'],
    ["[1 2]", 'line 1, column 4: expected , or ], but found "2"'],
    ['{"a":1}\n{}', 'line 2, column 1: expected nothing more, but found "{"'],
    ["{'a':1}", 'line 1, column 2: expected a name in " or }, but found "\'"'],
    ['["a\nb"]', 'line 1, column 4: expected an escape such as \\n or \\u0041, but found "\\n"'],
    ['["\\x"]', 'line 1, column 3: expected an escape such as \\n or \\u0041, but found "\\\\"'],
    ['["abc', 'line 1, column 6: expected a closing ", but the text ends'],
    ["[01]", 'line 1, column 2: expected a value or ], but found "0"'],
    ["[NaN]", 'line 1, column 2: expected a value or ], but found "N"'],
    ["undefined", 'line 1, column 1: expected a value, but found "u"'],
    ["\ufeff{}", 'line 1, column 1: expected a value, but found "\ufeff"'],
  ]
  for (const [text, problem] of broken) {
    it(`${JSON.stringify(text)}: ${problem}`, () => {
      assert.throws(() => JSON.parse(text))
      assert.strictEqual(jsonProblem(text), problem)
    })
  }

  it("is rejected exactly when JSON.parse rejects it, for every text with one character changed", () => {
    const valid = '{"a":[1,-2.5e+3,true,null,"x\\n\\u00e9"],"b":{"c":{}, "d":[]}}'
    for (let at = 0; at < valid.length; at++) {
      for (const character of [...'{}[],:"\\0-.etn \n', ""]) {
        const text = valid.slice(0, at) + character + valid.slice(at + 1)
        let parses = true
        try {
          JSON.parse(text)
        } catch {
          parses = false
        }
        assert.strictEqual(jsonProblem(text) === undefined, parses, text)
      }
    }
  })
})
