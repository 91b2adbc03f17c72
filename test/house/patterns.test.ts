import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { ts } from "@ts-morph/common"
import { assert, describe, it } from "vitest"

const SRC = new URL("../../src/", import.meta.url).pathname

const TOKENS = /\\.|\[(?:\\.|[^\]\\])*\]|\(\?<?[:=!]|\(\?<\w+>|\((?!\?)|\)[*+]?|\||[^]/gu

/** The alternatives of each group of a pattern that `*` or `+` repeats. */
const repeatedGroups = (pattern: string): ReadonlyArray<ReadonlyArray<string>> => {
  const found: Array<ReadonlyArray<string>> = []
  const open: Array<{ readonly alternatives: Array<string>; readonly inside: Array<ReadonlyArray<string>> }> = []
  for (const [token] of pattern.matchAll(TOKENS)) {
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

/** The alternatives of a pattern outside of its groups. */
const alternativesOf = (pattern: string): ReadonlyArray<string> => {
  const found = [""]
  let depth = 0
  for (const [token] of pattern.matchAll(TOKENS)) {
    if (token.startsWith("(")) depth++
    else if (token.startsWith(")")) depth--
    if (token === "|" && depth === 0) found.push("")
    else found[found.length - 1] += token
  }
  return found
}

/** A class that repeats, with the rest of its alternative. A question mark makes the repetition lazy, which costs the same. */
const RUN = /^(?:\(\?:)?(?:\\[dDsSwW]|\\[pP]\{\w+\}|\[(?:\\.|[^\]\\])*\]|\.)[+*]\??(?<rest>.+)$/su
/** Words and what joins them: a rest that cannot fail. */
const OPTIONAL = /^\((?:\\.|\[(?:\\.|[^\]\\])*\]|[^()])*\)[*?]$/su

/** The patterns that begin with a run of a class that may not end as they want. */
const openRuns = (file: string, text: string): ReadonlyArray<string> => {
  if (!/[/|:](?:\\\w(?:\{\w+\})?|\[[^\n]*?\]|\.)[+*]/.test(text)) return []
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const found: Array<string> = []
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const [, pattern = "", flags = ""] = /^\/(.*)\/(\w*)$/su.exec(node.text) ?? []
      for (const alternative of flags.includes("y") ? [] : alternativesOf(pattern)) {
        const rest = RUN.exec(alternative)?.groups?.["rest"]
        if (rest !== undefined && !OPTIONAL.test(rest))
          found.push(`${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1} ${alternative}`)
      }
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/** A group such as `(?:no|not?)+` reads "no" in two ways, and a text of n such words in 2 to the power of n: a pattern that fails tries each. */
describe("patterns", () => {
  const files = readdirSync(SRC, { recursive: true, encoding: "utf8" }).filter(
    (file) => /\.tsx?$/.test(file) && !file.endsWith("weights.ts"),
  )

  it("have no word twice in a group that is repeated", () => {
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

  // `/\s+$/` fails at each blank of n that a letter follows, after n steps. Behind `(?<!\s)` it begins once.
  it("begin a run of a class only where the run begins", () => {
    assert.deepStrictEqual(
      files.flatMap((file) => openRuns(file, readFileSync(join(SRC, file), "utf8"))),
      [],
    )
  })

  it("are found with a run at their begin, also in one of their alternatives", () => {
    const text = [
      String.raw`const a = /\s+$/`,
      String.raw`const b = /^\W+|[\s?.!]*\w$/gu`,
      String.raw`const c = /\S*?\d\S*/g`,
      String.raw`const d = /(?:\p{L}+\.?\s*)?&P/gu`,
      String.raw`const e = [/\s+/, /^\s+$/, /(?<!\s)\s+$/, /\s+\w/y, /\p{L}+(?:'\p{L}+)*/u]`,
    ].join("\n")
    assert.deepStrictEqual(openRuns("a.ts", text), [
      String.raw`a.ts:1 \s+$`,
      String.raw`a.ts:2 [\s?.!]*\w$`,
      String.raw`a.ts:3 \S*?\d\S*`,
      String.raw`a.ts:4 (?:\p{L}+\.?\s*)?&P`,
    ])
  })
})
