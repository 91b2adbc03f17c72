import { assert, describe, it } from "@effect/vitest"
import { readHtmlPage } from "../../../../src/ingest/formats/text/readHtml.ts"
import { readText } from "../../../../src/ingest/formats/text/readText.ts"

const utf8 = (text: string) => new TextEncoder().encode(text)
const textsOf = ({ elements }: ReturnType<typeof readText>) =>
  elements.map(({ text, hidden }) => (hidden === true ? `(${text})` : text))
const html = (text: string) => textsOf(readHtmlPage(utf8(text)))
const md = (text: string) => textsOf(readText(utf8(text), "md"))

describe("struck-out text", () => {
  it("is that of a class which the page's style sheet strikes out on every screen", () => {
    const css =
      "/* .a {} */ @import url(x.css); .old, span.s2{color:red;text-decoration:line-through} .c1{text-decoration:none} @media print{.p{text-decoration:line-through}} .x .y{text-decoration:line-through}"
    const page = `<html><head><STYLE type="text/css">${css}</STYLE></head><body><p>New 80 <span class="c1 old">Old 100</span></p><p class=s2>Gone</p><p class="p y c1">Here</p></body></html>`
    assert.deepStrictEqual(html(page), ["(Old 100)", "New 80", "(Gone)", "Here"])
  })

  it("is that of elements of HTML in Markdown", () => {
    assert.deepStrictEqual(md("Price: <del>100</del> <s class=x>90</s> 80 EUR"), ["(10090)", "Price:   80 EUR"])
    assert.deepStrictEqual(md("Price: </del> 80 EUR"), ["Price:  80 EUR"])
  })
})

describe("hidden text of HTML", () => {
  const page = (css: string, body: string) => html(`<style>${css}</style><body>${body}`)

  it("is that of a class, a style or an attribute that hides it, with its blocks apart", () => {
    const body =
      '<p>We <span class="x no">never</span>won.</p><div class=old>Price 100<br>Price 90<p>a</p></div><p class="old" style="display:block">Shown</p><p style="color:red;mso-hide:all">Note</p><p hidden>Draft<script>run()</script></p>'
    assert.deepStrictEqual(page(".no{visibility: hidden} div.old, p.old {color:red;display:none}", body), [
      "(never)",
      "We won.",
      "(Price 100 Price 90 a)",
      "Shown",
      "(Note)",
      "(Draft)",
    ])
  })

  it("is not that of a class which another rule shows, hides elsewhere or names another property", () => {
    const css =
      ".tab{display:none} .tab.open{display:block} @media print{.p{display:none}} .a .b{display:none} .c{backface-visibility:hidden} .d:hover{display:none}"
    const body =
      '<p class="tab open">One</p><p class=p>Two</p><p class=b>Three</p><p class=c>Four</p><p class=d>Five</p>'
    assert.deepStrictEqual(page(css, body), ["One", "Two", "Three", "Four", "Five"])
  })
})

describe("tables of HTML", () => {
  const inner = "<table><tr><td>SSO</td><td>yes</td></tr><tr><td>API</td><td>no</td></tr></table>"

  it("keep their rows around a table in a cell, whose text is the cell's", () => {
    const table = `<table><tr><th>Plan</th><th>Features</th><th>Price</th></tr><tr><td>Pro</td><td>All:${inner}</td><td>20</td></tr><tr><td>Max</td><td>-</td><td>40</td></tr></table><p>End</p>`
    assert.deepStrictEqual(html(table), ["Plan\tFeatures\tPrice", "Pro\tAll: SSO yes API no\t20", "Max\t-\t40", "End"])
  })

  it("without a header around others only arrange the page", () => {
    const rows = html(`<table><tr><td>Left</td><td>${inner}</td></tr></table>`)
    assert.deepStrictEqual(rows, ["Left", "SSO\tyes", "API\tno"])
  })

  it("are tables in Markdown, too", () => {
    const table = "<table><tr><th>Plan</th><th>Price</th></tr>\n<tr><td>Pro</td><td><s>30</s> 20</td></tr></table>"
    const read = readText(utf8(`Intro\n\n${table}\n\n<!-- note -->\nEnd`), "md")
    assert.deepStrictEqual(textsOf(read), ["Intro", "(30)", "Plan\tPrice", "Pro\t20", "End"])
    assert.deepStrictEqual(read.elements.find(({ labels }) => labels)?.labels, ["Plan", "Price"])
  })
})
