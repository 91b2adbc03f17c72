import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { NameFinder, isCased } from "../../src/core/analysis/find/names.ts"
import { splitWords } from "../../src/core/analysis/find/words.ts"
import { table } from "../support/report.ts"

interface Token {
  readonly text: string
  /** The organization that the token names. */
  readonly organization: string | undefined
}

/** A transcript: one token a line, `token|speaker|ts|endTs|punctuation|case|tags|wer_tags`; the classes of `wer_tags` are in a file beside it. */
const tokensOf = (file: string): ReadonlyArray<Token> => {
  const classes = JSON.parse(readFileSync(file.replace(".nlp", ".tags.json"), "utf8")) as Readonly<
    Record<string, { readonly entity_type?: string }>
  >
  return readFileSync(file, "utf8")
    .split("\n")
    .slice(1)
    .filter((line) => line !== "")
    .map((line) => {
      const [token = "", , , , punctuation = "", written = "", , ids = ""] = line.split("|")
      const organization = (ids.match(/\d+/g) ?? []).find((id) => classes[id]?.entity_type === "ORG")
      // Words in lower case inside a tag, such as "the", are no names.
      return { text: token + punctuation, organization: written === "LC" ? undefined : organization }
    })
}

/**
 * Names of organizations in earnings calls of Earnings-21. The catalogue is that of the tagged organizations of all calls, so a name that
 * a call does not have is a chance to be wrong. As written, and with the capitals removed.
 */
export const measureEarnings = (folder: string) => {
  const calls = readdirSync(folder)
    .filter((file) => file.endsWith(".nlp"))
    .map((file) => {
      const tokens = tokensOf(join(folder, file))
      const groups: Array<{ from: number; to: number }> = []
      for (const [at, { organization }] of tokens.entries()) {
        if (organization === undefined) continue
        const last = groups.at(-1)
        if (last !== undefined && last.to === at && tokens[at - 1]?.organization === organization) last.to = at + 1
        else groups.push({ from: at, to: at + 1 })
      }
      return { file, tokens, groups }
    })
  const nameOf = (tokens: ReadonlyArray<Token>, { from, to }: { from: number; to: number }) =>
    splitWords(
      tokens
        .slice(from, to)
        .map(({ text }) => text)
        .join(" "),
    )
      .map(({ key }) => key)
      .join(" ")
  const names = new Set(calls.flatMap(({ tokens, groups }) => groups.map((group) => nameOf(tokens, group))))
  const finder = new NameFinder(
    [...names].filter((name) => name !== "").map((name) => ({ id: name, name, aliases: [] })),
    true,
  )
  const rows = [false, true].map((bare) => {
    let [found, wrong, missed] = [0, 0, 0]
    for (const { tokens, groups } of calls) {
      let text = ""
      const starts = tokens.map((token) => {
        const start = text.length
        text += `${token.text} `
        return start
      })
      const spans = groups.map(({ from, to }) => ({
        start: starts[from]!,
        end: starts[to - 1]! + tokens[to - 1]!.text.length,
      }))
      const read = bare ? text.toLowerCase() : text
      const words = splitWords(read)
      const left = new Set(spans)
      for (const { at, count } of finder.find(words, isCased(read))) {
        const [start, end] = [words[at]!.start, words[at + count - 1]!.end]
        const hit = [...left].find((span) => start < span.end && end > span.start)
        if (hit === undefined) wrong++
        else {
          found++
          left.delete(hit)
        }
      }
      missed += left.size
    }
    const percent = (value: number) => `${(value * 100).toFixed(1)} %`
    return [
      bare ? "without capitals" : "as written",
      String(found + missed),
      percent(found / (found + wrong)),
      percent(found / (found + missed)),
      percent((2 * found) / (2 * found + wrong + missed)),
    ]
  })
  console.log(
    `\nOrganizations in ${calls.length} earnings calls, Earnings-21 (outside data), a catalogue of ${names.size} names\n`,
  )
  table(["text", "mentions", "precision", "recall", "F1"], rows)
}
