import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"

const ROOT = join(import.meta.dirname, "../..")
/** Written by `npm run client`, `npm run console`, the training or others, or full of the words that it looks for. */
const NOT_READ =
  /\/node_modules\/|^src\/adapters\/(?:client\/contract|console\/built)\/|reader\/weights\.ts$|^test\/house\/comments\.test\.ts$/

interface Rule {
  readonly name: string
  readonly pattern: RegExp
  readonly inDocblocksOnly?: boolean
  readonly instead: string
}

const RULES: ReadonlyArray<Rule> = [
  { name: "told", pattern: /\btold\b/i, instead: "say what is sent, set or requested" },
  { name: "unless said", pattern: /\bunless said\b/i, instead: "write “by default”" },
  { name: "whoever", pattern: /\bwhoever\b/i, instead: "name the actor: the caller, the worker" },
  {
    name: "of which",
    pattern: /(?<!\b(?:each|one|some|any|both|none|all|half|most) )\bof which\b/i,
    instead: "use “whose”, or a second sentence",
  },
  {
    name: "a docblock that begins with Of, Where or What",
    pattern: /^(?:Of|Where|What)\b/,
    inDocblocksOnly: true,
    instead: "begin with a noun or a verb: “The place of …”, “The steps of …”",
  },
]

const COMMENTS = /\/\*(\*?)([\s\S]*?)\*\/|(?<![:"'`\w\\])\/\/ (.*)$/gm
/** Words that are quoted are not ours. */
const QUOTED = /"[^"]*"|“[^”]*”|`[^`]*`/g

/** The findings of a rule in a file, as `file:line: finding: remedy`. */
const broken = ({ name, pattern, inDocblocksOnly, instead }: Rule, file: string, text: string) =>
  [...text.matchAll(COMMENTS)].flatMap((comment) => {
    const [, star = "", block, line = ""] = comment
    if (inDocblocksOnly === true && star === "") return []
    const words = (block ?? line)
      .replaceAll(/\n\s*\*/g, "\n")
      .replaceAll(QUOTED, "…")
      .trim()
    return pattern.test(words)
      ? [`${file}:${text.slice(0, comment.index).split("\n").length}: ${name}: ${instead}`]
      : []
  })

const files = globSync(["src/**/*.{ts,tsx}", "test/**/*.{ts,tsx}"], { cwd: ROOT })
  .map((file) => file.replaceAll("\\", "/"))
  .filter((file) => !NOT_READ.test(file))
  .toSorted()
const texts = files.map((file) => [file, readFileSync(join(ROOT, file), "utf8")] as const)

describe("the comments", () => {
  it.each(RULES)("do without: $name", (rule) => {
    assert.isAbove(files.length, 1000)
    assert.deepStrictEqual(
      texts.flatMap(([file, text]) => broken(rule, file, text)),
      [],
    )
  })

  it.each([
    [0, "// The server is told to end."],
    [1, "/** Ours unless said. */"],
    [2, "/**\n * Wakes whoever\n * waits. */"],
    [3, "  // Rows of which it keeps few."],
    [4, "/** What callers send. */"],
    [4, "/**\n * Where a batch writes.\n */"],
  ] as const)("are refused by rule %i: %j", (rule, text) => assert.lengthOf(broken(RULES[rule]!, "src/x.ts", text), 1))

  it.each([
    '/** The words of "she told us". */',
    "// Three keys, each of which may read.",
    "// What follows is in order.",
    'const url = "https://example.com/told"',
  ])("may say %j", (text) => assert.isEmpty(RULES.flatMap((rule) => broken(rule, "src/x.ts", text))))
})
