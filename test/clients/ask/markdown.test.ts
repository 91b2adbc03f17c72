import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { fromMarkdown } from "mdast-util-from-markdown"
import { gfmFromMarkdown } from "mdast-util-gfm"
import { gfm } from "micromark-extension-gfm"
import { safeHref } from "../../../src/adapters/ask/href.ts"
import { parseMarkdown } from "../../../src/adapters/ask/markdown.ts"
import type { AnswerNode as Node } from "../../../src/adapters/ask/nodes.ts"
import { makeRandom, seedOfRun } from "../../support/random.ts"

/** Nodes as HTML, for comparison. */
const html = (nodes: ReadonlyArray<Node>): string =>
  nodes
    .map((node) => {
      if (typeof node === "string") return node.replaceAll(/\s+/g, " ")
      const { tag, children, href, number, start, align } = node
      const attributes = [
        href && ` href=${href}`,
        number && ` n=${number}`,
        start !== undefined && ` start=${start}`,
        align && ` ${align}`,
      ]
      return `<${tag}${attributes.filter(Boolean).join("")}>${html(children)}</${tag}>`
    })
    .join("")

const TAGS: Readonly<Record<string, string>> = { paragraph: "p", strong: "strong", emphasis: "em", delete: "del", blockquote: "blockquote", listItem: "li", thematicBreak: "hr", break: "br" } // prettier-ignore

/** GitHub's Markdown, read by another parser and written in our elements. */
const expected = (node: any, tight = false): string => {
  const children = () => (node.children ?? []).map((child: any) => expected(child, tight)).join("")
  switch (node.type) {
    case "root":
      return children()
    case "text":
      return node.value.replaceAll(/\s+/g, " ")
    case "inlineCode":
      return `<code>${node.value.replaceAll(/\s+/g, " ")}</code>`
    case "code":
      return `<pre><code>${node.value.replaceAll(/\s+/g, " ")}</code></pre>`
    case "heading": {
      const tag = node.depth < 3 ? "h3" : node.depth === 3 ? "h4" : "h5"
      return `<${tag}>${children()}</${tag}>`
    }
    case "link":
      return `<a href=${node.url}>${children()}</a>`
    case "list": {
      const loose = node.spread || node.children.some((item: any) => item.spread)
      const tag = node.ordered ? "ol" : "ul"
      const start = node.ordered && node.start !== 1 ? ` start=${node.start}` : ""
      return `<${tag}${start}>${node.children.map((item: any) => expected(item, !loose)).join("")}</${tag}>`
    }
    case "paragraph":
      return tight ? children() : `<p>${children()}</p>`
    case "table": {
      const rows = node.children.map((row: any, y: number) => {
        const tag = y === 0 ? "th" : "td"
        const cells = row.children.map(
          (cell: any, x: number) =>
            `<${tag}${node.align[x] ? ` ${node.align[x]}` : ""}>${expected({ ...cell, type: "root" })}</${tag}>`,
        )
        return `<tr>${cells.join("")}</tr>`
      })
      return `<table><thead>${rows[0]}</thead><tbody>${rows.slice(1).join("")}</tbody></table>`
    }
    default: {
      const tag = TAGS[node.type] ?? node.type
      return `<${tag}>${node.type === "blockquote" ? node.children.map((child: any) => expected(child)).join("") : children()}</${tag}>`
    }
  }
}
const github = (markdown: string) =>
  expected(fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }))

const random = makeRandom(seedOfRun("ask"))
const INLINE = ["Orvanta", "won 36.4 %", "**40 deals**", "*and*", "_much_", "~~less~~", "`GET /deals`", "``a ` b``", "***both***", "**a *b* c**", "[Acme](https://sightline.example/v/1?a=2)", "[**x**](/deals)", "snake_case_name", "2 * 3 * 4", "a\\*b", "&amp;", "&#42;", "\\[3\\]", "5 < 6 > 4", "x  \ny", "a\\\nb", "“quote” — é", "C&A", "#1"] // prettier-ignore
const line = () => Array.from({ length: 1 + random.below(5) }, () => random.pick(INLINE)).join(" ")
const flat = () =>
  line()
    .replaceAll(/(?: {2}|\\)\n/g, " ")
    .replaceAll("``a ` b``", "`c`")
const BLOCKS: ReadonlyArray<() => string> = [
  line,
  line,
  () => `## ${flat()}`,
  () => Array.from({ length: 3 }, () => `- ${flat()}`).join("\n"),
  () => `1. ${flat()}\n2. ${flat()}\n   - ${flat()}\n   - ${flat()}\n3. ${flat()}`,
  () => `4) ${flat()}\n\n5) ${flat()}`,
  () => `- ${flat()}\n\n  ${flat()}\n- ${flat()}\n  \`\`\`\n  code **x**\n  \`\`\``,
  () => `| A | B |\n| --- | ---: |\n| ${flat()} | ${flat()} |\n| x \\| y | |`,
  () => "```ts\nlet a = [1]\n\n# no\n```",
  () => `> ${flat()}\n> - ${flat()}\n>\n> ${flat()}`,
  () => "---",
  () => `${flat()}\n- ${flat()}`,
  () => `${flat()}\n2024. ${flat()}`,
]

describe("the Markdown of a front end", () => {
  it("is read as GitHub does", () => {
    for (let round = 0; round < 1500; round++) {
      // A list of the same kind after a list, or a quote after a quote, would be one.
      const text = Array.from({ length: 4 }, () => `${random.pick(BLOCKS)()}\n\nText.\n`).join("\n")
      assert.strictEqual(html(parseMarkdown(text)), github(text), JSON.stringify(text))
    }
  })

  it("shows the marks of citations that there are, and other numbers as text", () => {
    assert.strictEqual(
      html(parseMarkdown(String.raw`Won **36 % [1]** [2][3], [0] [1\] \[1] [12] ` + "`[1]`", 2)),
      "<p>Won <strong>36 % <mark n=1></mark></strong> <mark n=2></mark>[3], [0] [1] [1] [12] <code>[1]</code></p>",
    )
    assert.strictEqual(html(parseMarkdown("| A |\n|-|\n| x [1] |", 1)).match(/<mark n=1>/g)?.length, 1)
  })

  it("has no HTML, no images, and no links of other schemes", () => {
    const text = "<b onclick=x>b</b> ![pixel](https://evil.test/p.png) <img src=x> <https://a.test>"
    assert.strictEqual(html(parseMarkdown(text)), "<p><b onclick=x>b</b> pixel <img src=x> <https://a.test></p>")
    assert.deepStrictEqual(parseMarkdown(text), [{ tag: "p", children: [text.replace(/!\[.*?\)/, "pixel")] }])
    for (const address of [
      "javascript:alert(1)",
      "JaVaScRiPt:alert(1)",
      "javascript&colon;alert(1)",
      "java&#10;script:alert(1)",
      "&#1;javascript:alert(1)",
      "data:text/html,x",
      "vbscript:x",
      "file:///etc/passwd",
      "blob:https://x.test/1",
      "mailto:a@b.test",
      "MailTo&colon;a@b.test",
      "tel:+4930123456",
      "sms:+4930123456",
      "xmpp:a@b.test",
      "\\javascript:alert(1)",
      "java\\script:alert(1)",
    ])
      // prettier-ignore
      for (const node of parseMarkdown(`[x](${address})`)) {
        const { children } = node as Exclude<Node, string>
        for (const child of children)
          if (typeof child !== "string") assert.match(new URL(child.href!, "https://host.test").protocol, /^https?:$/, address)
      }
    for (const address of ["https://a.test/b_(c)?d=e#f", "http://a.test", "/deals", "deals?x=1", "#top", "//a.test"])
      assert.strictEqual(html(parseMarkdown(`[x](${address})`)), `<p><a href=${address}>x</a></p>`)
    assert.isUndefined(safeHref("javascript:x"))
    assert.isUndefined(safeHref("\u0001 javascript:x"))
    assert.isUndefined(safeHref("java\nscript:x"))
  })

  it("takes any text", () => {
    const bits = [
      "*",
      "_",
      "**",
      "`",
      "```",
      "[",
      "]",
      "(",
      ")",
      "!",
      "\\",
      "&",
      ";",
      "#",
      "> ",
      "- ",
      "1. ",
      "|",
      "\n",
      "\n\n",
      "  ",
      "a",
      "~~",
      ":",
      "-",
      "<",
      "é",
    ]
    for (let round = 0; round < 3000; round++) {
      const text = Array.from({ length: 60 }, () => random.pick(bits)).join("")
      assert.isArray(parseMarkdown(text, 9))
    }
  })

  it("ends on hostile text of the greatest length, and keeps it", () => {
    for (const piece of [
      "*a ",
      "**a",
      "_a _",
      "[",
      "[a](",
      "![a](b ",
      "`",
      "` ``",
      "> ",
      "- ",
      "1. ",
      "|",
      "|-",
      "&#",
      "\\",
      "~~a",
      "<",
      "a*b_c",
      "-",
      "# ",
      "```\n",
      "  - a\n",
      "[](    ",
    ]) {
      const nodes = parseMarkdown(piece.repeat(100_000 / piece.length), 9)
      assert.isNotEmpty(nodes, piece)
    }
  })

  it("is drawn without a parser of HTML", () => {
    const folder = join(import.meta.dirname, "../../../src/adapters/ask")
    for (const file of readdirSync(folder))
      assert.notMatch(
        readFileSync(join(folder, file), "utf8"),
        /innerHTML|outerHTML|insertAdjacentHTML|document\.write|dangerouslySetInnerHTML|DOMParser/,
        file,
      )
  })
})
