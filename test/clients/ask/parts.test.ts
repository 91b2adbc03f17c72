import { createElement } from "react"
import { renderToString } from "preact/compat/server"
import { assert, describe, it } from "vitest"
import { AnswerCitations, AnswerText, useAnswer, type UseAnswer } from "../../../src/adapters/ask/react.ts"
import { citation } from "../../answers/double.ts"

// With Preact, as everything of the root; `test/clients/react` repeats this with React.

const render = (element: unknown) => renderToString(element as Parameters<typeof renderToString>[0])
const citations = [citation(1), { ...citation(2), url: "javascript:alert(1)" }]

describe("the parts of sightline/react", () => {
  it("draw marks that open their citations, tables, and text for what is not safe", () => {
    const text = "Won **36 %** [1] [2] [3].\n\n| A | B |\n|-|-:|\n| <b> | 2 |\n\n[x](javascript:y)"
    const page = render(createElement(AnswerText, { text, citations }))
    assert.match(
      page,
      /<p>Won <strong>36 %<\/strong>\s<sup><a href="https:[^"]+#page=1" [^>]*aria-label="\[1\] Document 1.md"[^>]*>\[1\]<\/a><\/sup>\s<sup><a target/,
    )
    assert.include(page, "[3].</p>")
    assert.include(page, '<th scope="col" data-align="right">B</th>')
    assert.include(page, "&lt;b")
    assert.notInclude(page, "javascript")
    assert.notInclude(page, "<b>")
  })

  it("are replaced by the host's", () => {
    const components = {
      table: ({ children }: { readonly children?: unknown }) =>
        createElement("div", { class: "grid" }, children as string),
      h3: "h2",
      mark: ({ number }: { readonly number: number }) => createElement("b", null, `#${number}`),
    }
    const page = render(createElement(AnswerText, { text: "# T [1]\n\n| A |\n|-|", citations, components }))
    assert.match(page, /^<h2>T\s<b>#1<\/b><\/h2><div class="grid"><thead>/)
  })

  it("list the citations in their order", () => {
    const page = render(createElement(AnswerCitations, { citations }))
    assert.match(
      page,
      /^<ol><li><a href="[^"]+" target="_blank" rel="noopener">Document 1.md<\/a> <q>What document 1 says.<\/q><\/li><li><a target/,
    )
    const own = createElement(AnswerCitations, {
      citations,
      renderItem: ({ document_name }, n) => `${n}: ${document_name}`,
    })
    assert.strictEqual(render(own), "<ol><li>1: Document 1.md</li><li>2: Document 2.md</li></ol>")
  })

  it("render on a server, without asking", () => {
    let seen: UseAnswer | undefined
    const client = { answers: { stream: () => assert.fail("asked") } }
    const turn = { id: "1", question: "Q?", text: "A [1].", citations, status: "done" } as const
    const Page = () => {
      seen = useAnswer({ client, initialTurns: [turn] })
      return createElement("main", null, seen.turns[0]!.text)
    }
    assert.strictEqual(render(createElement(Page, null)), "<main>A [1].</main>")
    assert.deepInclude(seen, { status: "ready", turns: [turn], error: undefined })
  })

  it("load where there is no document", async () => {
    const { SightlineAsk } = await import("../../../src/adapters/ask/element.ts")
    assert.isFunction(SightlineAsk)
    assert.isUndefined(globalThis.document)
  })
})
