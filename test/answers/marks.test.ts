import { assert, describe, it } from "@effect/vitest"
import { fromMarkdown } from "mdast-util-from-markdown"
import { MarkWriter, removeMarks } from "../../src/core/answers/citations/MarkWriter.ts"
import { asText } from "../../src/core/answers/citations/markdown.ts"
import { ResponseAssembler } from "../../src/core/answers/ResponseAssembler.ts"
import { makeRandom, seedOfRun } from "../support/random.ts"
import { citation, cite, text } from "./double.ts"
import { RENDERERS } from "./renderers.ts"

const MARK = /\[\d+\]/g
const OURS = "https://sightline.example/v/"

/** Writes pieces with marks. Addresses of ours are numbered by their first use. */
const write = (pieces: ReadonlyArray<string>, kind: "text" | "pointer" = "text") => {
  const numbers = new Map<string, number>()
  const written: Array<number> = []
  const writer = new MarkWriter((url) => {
    if (!url.startsWith(OURS)) return undefined
    if (!numbers.has(url)) numbers.set(url, numbers.size + 1)
    written.push(numbers.get(url)!)
    return { number: numbers.get(url)!, kind }
  })
  const output = [...pieces.map((piece) => writer.push(piece)), writer.end()]
  return { output, whole: output.join(""), written }
}

/** The text that a reader sees. */
const shown = (markdown: string) => {
  const texts = (node: any): string => node.value ?? (node.children ?? []).map(texts).join("")
  return texts(fromMarkdown(markdown))
}

const BITS = ["[", "]", "(", ")", "[1]", "[2", "3", "12", "\\", "\\[", "\\]", ":", "`", "```\n", "\n", " ", "a", "é", "😀", "#", "- ", "1. ", "|", "*", "!", `](${OURS}a)`, `](${OURS}b)`, `[x](${OURS}a)`, `[36 %](${OURS}b)`, `[7](${OURS}c)`, "](x)", "[9](https://foreign.test)", asText("[1] & [2]")] // prettier-ignore

const random = makeRandom(seedOfRun("marks"))
const draw = (bits: ReadonlyArray<string>) =>
  Array.from({ length: 1500 }, () => Array.from({ length: 16 }, () => random.pick(bits)).join(""))
const drawn = draw(BITS)
const split = (whole: string) => {
  const pieces: Array<string> = []
  for (let at = 0; at < whole.length;) {
    const length = 1 + random.below(5)
    pieces.push(whole.slice(at, at + length))
    at += length
  }
  return pieces
}

describe("citations as marks", () => {
  for (const [links, marks] of [
    [`Won [36 %](${OURS}a) of them.`, "Won 36 % [1] of them."],
    [`- [Deal 7](${OURS}a): won\n- [Deal 8](${OURS}b): lost\n`, "- Deal 7 [1]: won\n- Deal 8 [2]: lost\n"],
    [`[A](${OURS}a) and [B](${OURS}b), again [A](${OURS}a).`, "A [1] and B [2], again A [1]."],
    [`[${asText("[x] *y*")}](${OURS}a)`, String.raw`\[x\] \*y\* [1]`],
    // Not a link, a definition, a heading or a list.
    [`[A](${OURS}a)(see below)`, String.raw`A [1]\(see below)`],
    [`[](${OURS}a): b`, String.raw`[1]\: b`],
    [`[# A](${OURS}a)\n[2024. B](${OURS}b)`, String.raw`\# A [1]` + "\n" + String.raw`2024\. B [2]`],
    // Numbers in brackets that the text has.
    ["As in [3] and a[0][1].", String.raw`As in [3\] and a[0\][1\].`],
    [String.raw`\[3] \[3\]`, String.raw`\[3\] \[3\]`],
    [
      `[3](https://foreign.test) [f](https://foreign.test)`,
      String.raw`\[3\](https://foreign.test) [f](https://foreign.test)`,
    ],
  ] as const)
    it(`${JSON.stringify(links)} becomes ${JSON.stringify(marks)}`, () => {
      assert.strictEqual(write([links]).whole, marks)
    })

  it("replace the text of pointers", () => {
    assert.strictEqual(
      write([`By quarter: [show as table](${OURS}a)\n\n| A [1](${OURS}b) |`], "pointer").whole,
      "By quarter: [1]\n\n| A [2] |",
    )
  })

  it("are exactly the numbers in brackets, in any text", () => {
    for (const whole of drawn) {
      const { whole: marked, written } = write([whole])
      assert.deepStrictEqual(
        [...marked.matchAll(MARK)].map(([mark]) => mark),
        written.map((number) => `[${number}]`),
        JSON.stringify([whole, marked]),
      )
    }
    const long = `[${"1".repeat(10_000)}]`
    assert.isNull(write([...long]).whole.match(MARK))
  })

  it("leave no link, in any renderer", () => {
    // Without halves of links and escaped brackets, each address belongs to a link.
    for (const whole of draw(BITS.filter((bit) => !/^\]\(|^\\/.test(bit)))) {
      if (whole.replaceAll(/\[[^[\]]*\]\(https:[^()]*\)/g, "").includes("](")) continue
      const { whole: marked } = write([whole])
      assert.notInclude(marked, OURS)
      for (const [renderer, addresses] of Object.entries(RENDERERS)) {
        // A definition of the text itself stays, and so do addresses that are not ours.
        const before = new Set(addresses(whole))
        const isTheirs = (address: string) => before.has(address) || address.startsWith("https://foreign.test")
        const added = addresses(marked).filter((address) => !isTheirs(address))
        assert.deepStrictEqual(added, [], JSON.stringify([renderer, whole, marked]))
      }
    }
  })

  it("do not depend on how the text is split, and no piece ends within a link", () => {
    for (const whole of drawn) {
      const once = write([whole])
      const cut = write(split(whole))
      assert.strictEqual(cut.whole, once.whole)
      assert.deepStrictEqual(cut.written, once.written)
      let sent = ""
      for (const piece of cut.output) {
        sent += piece
        assert.isTrue(once.whole.startsWith(sent))
      }
    }
  })

  it("show the same text as before, besides the marks", () => {
    for (const name of ["[1]", "a [2] b", "1. x", "# y", "_z_", "12. [x]", "\\[3]", "`[4]`"]) {
      const { whole } = write([`Lost **${asText(name)}** and [${asText(name)}](${OURS}a).`])
      assert.strictEqual(shown(whole), `Lost ${name} and ${name} [1].`)
    }
  })

  it("hold back no more than a link can be", () => {
    const writer = new MarkWriter(() => undefined)
    const endless = `[${"x".repeat(10_000)}`
    assert.isAtMost(writer.end().length, 0)
    const sent = [...endless].map((character) => writer.push(character)).join("")
    assert.isAtLeast(sent.length, endless.length - 4100)
    assert.strictEqual(sent + writer.end(), endless)
  })

  it("number the citations of the reply, which come before their marks", () => {
    const assembler = new ResponseAssembler([], "marks")
    const figure = { ...citation(9), document_id: "rpt_9", url: `${OURS}9` }
    const events = [
      cite(3),
      cite(1),
      { type: "citation", citation: figure } as const,
      text(`Won [40](${figure.url})`),
      text(` of [Document 1](${citation(1).url}).`),
      { ...text(` [Document 1](${citation(1).url})`), link: "pointer" } as const,
      { ...text(` [40](${figure.url})`), link: "text" } as const,
    ].flatMap((event) => assembler.add(event))
    const all = [...events, ...assembler.end()]
    const done = all.at(-1)
    assert(done?.type === "done")
    assert.strictEqual(done.message.content, "Won [1] of Document 1 [2]. [2] 40 [1]")
    assert.deepStrictEqual(done.message.citations, [figure, citation(1)])
    const kinds = all.map((event) => (event.type === "citation" ? event.citation.url : event.type))
    assert.deepStrictEqual(kinds.slice(0, 4), [figure.url, "content_delta", citation(1).url, "content_delta"])
  })

  it("are removed from earlier answers", () => {
    assert.strictEqual(
      removeMarks(String.raw`Won 36 % [1] of 3 [2][3]. As [4\] says.`),
      String.raw`Won 36 % of 3. As [4\] says.`,
    )
  })
})
