import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { ts } from "@ts-morph/common"
import { assert, describe, it } from "vitest"

const SRC = new URL("../../src/", import.meta.url).pathname

/** The alternatives of each group of a pattern that `*` or `+` repeats. */
const repeatedGroups = (pattern: string): ReadonlyArray<ReadonlyArray<string>> => {
  const found: Array<ReadonlyArray<string>> = []
  const open: Array<{ readonly alternatives: Array<string>; readonly inside: Array<ReadonlyArray<string>> }> = []
  for (const [token] of pattern.matchAll(/\\.|\[(?:\\.|[^\]\\])*\]|\(\?<?[:=!]|\(\?<\w+>|\((?!\?)|\)[*+]?|\||[^]/gu)) {
    const group = open.at(-1)
    if (token.startsWith("(")) open.push({ alternatives: [""], inside: [] })
    else if (token.startsWith(")")) {
      const { alternatives = [], inside = [] } = open.pop() ?? {}
      // A repeated group of words and what separates them repeats the words.
      if (token.length > 1) found.push(alternatives, ...inside)
      open.at(-1)?.inside.push(alternatives, ...inside)
      if (open.length > 0) open.at(-1)!.alternatives[open.at(-1)!.alternatives.length - 1] += "()"
    } else if (token === "|") group?.alternatives.push("")
    else if (group !== undefined) group.alternatives[group.alternatives.length - 1] += token
  }
  return found
}

/** A word with an optional last letter is two words. */
const wordsOf = (alternative: string): ReadonlyArray<string> => {
  const [, begin, last] = /^([\p{L}' ]*)(\p{L})\?$/u.exec(alternative) ?? []
  if (begin !== undefined) return [begin, `${begin}${last}`]
  return /^[\p{L}' ]+$/u.test(alternative) ? [alternative] : []
}

const repeatedTwice = (pattern: string): ReadonlyArray<string> =>
  repeatedGroups(pattern).flatMap((alternatives) => {
    const words = alternatives.flatMap(wordsOf)
    return words.filter((word, index) => words.indexOf(word) < index)
  })

/** The words that a repeated group of a pattern has twice, as `file:line word`. */
const doubledWords = (file: string, text: string): ReadonlyArray<string> => {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const found: Array<string> = []
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node) || ts.isStringLiteral(node) || ts.isTemplateLiteral(node))
      for (const word of repeatedTwice(node.getText()))
        found.push(`${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1} ${word}`)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/** A group such as `(?:no|not?)+` reads "no" in two ways, and a text of n such words in 2 to the power of n: a pattern that fails tries each. */
describe("patterns", () => {
  it("have no word twice in a group that is repeated", () => {
    const files = readdirSync(SRC, { recursive: true, encoding: "utf8" }).filter(
      (file) => /\.tsx?$/.test(file) && !file.endsWith("weights.ts"),
    )
    assert.deepStrictEqual(
      files.flatMap((file) => {
        const text = readFileSync(join(SRC, file), "utf8")
        return /\)[*+]/.test(text) ? doubledWords(file, text) : []
      }),
      [],
    )
  })

  it("are found with the word twice, also by an optional letter, and beside a separator", () => {
    const text = [
      String.raw`const a = /^(?:(?:no|not?)[\s,]+)*x$/`,
      String.raw`const b = String.raw` + "`(?:the |our |the )*`",
      String.raw`const c = /(?:no|not?) x/`,
    ].join("\n")
    assert.deepStrictEqual(doubledWords("a.ts", text), ["a.ts:1 no", "a.ts:2 the "])
  })
})
