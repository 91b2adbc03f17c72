import type { DealRecord } from "../../search/DealRecords.ts"
import type { Lost } from "./anchor.ts"
import { type Html, markup } from "./html.ts"
import { lostNotice } from "./lostNotice.ts"
import type { PartElement } from "./parts.ts"
import type { ShownFinding } from "./DealFindings.ts"
import { writeText } from "./text.ts"
import type { Cited } from "./picture.ts"

/** The body of the page that shows a deal's record. */
export const dealPage = (
  record: DealRecord,
  cited: Cited | Lost | undefined,
  findings: ReadonlyArray<LinkedFinding> = [],
): Html =>
  markup`<a class="skip" href="#text">Skip to the text</a>
<header><h1>${record.name}</h1><p class="facts"><span>Deal</span><span>what the workspace knows of it</span></p></header>
<main id="text" tabindex="-1">${typeof cited === "string" && lostNotice(cited)}<article lang="" aria-label="The deal's record">${writeText(divideText(record), typeof cited === "string" ? undefined : cited, "")}</article>${findings.length > 0 && writeFindings(findings)}</main>`

/** A finding with the token of the link that opens it; undefined if the link's key may not read documents. */
type LinkedFinding = ShownFinding & { readonly link: string | undefined }

const TITLES: Readonly<Record<string, string>> = {
  driver: "Reasons that came up",
  competitor: "Competitors",
  feature: "Features",
  quote: "Key quotes",
}

const EFFECTS: Readonly<Record<string, string>> = { positive: "for us", negative: "against us", neutral: "neutral" }

/** The findings of the documents, by kind and subject. */
const writeFindings = (findings: ReadonlyArray<LinkedFinding>): Html => {
  const sections = Object.entries(TITLES).flatMap(([kind, title]) => {
    const targets = Map.groupBy(
      findings.filter((each) => each.kind === kind),
      ({ target }) => target,
    )
    if (targets.size === 0) return []
    const groups = [...targets].map(
      ([target, found]) => markup`<h4>${target}</h4><ul>${found.slice(0, MAX_SHOWN).map(finding)}</ul>`,
    )
    return [markup`<h3>${title}</h3>${groups}`]
  })
  return markup`<article aria-labelledby="findings"><h2 id="findings">What its documents say</h2>
<p>Found in the texts; a person has accepted what is marked so.</p>${sections}</article>`
}

/** Quotes of one competitor, feature or reason on the page. */
const MAX_SHOWN = 8

const finding = ({ quote, link, side, speaker, effect, state, document_name }: LinkedFinding) => {
  const text = markup`“${quote}”`
  const facts = [
    speaker ?? (side === "unknown" ? "speaker not known" : `the ${side}`),
    ...(speaker === null || side === "unknown" ? [] : [side]),
    ...(effect === null ? [] : [EFFECTS[effect] ?? effect]),
    ...(state === "accepted" ? ["accepted"] : []),
    document_name,
  ]
  return markup`<li>${link === undefined ? text : markup`<a href="${link}">${text}</a>`} <span class="facts">${facts.map((fact) => markup`<span>${fact}</span>`)}</span></li>`
}

/** Lines directly under the deal or a section are facts, shown as a list; deeper lines are paragraphs. The page's title has the deal's name. */
const divideText = ({ text, headings }: DealRecord): ReadonlyArray<PartElement> => {
  const levels = new Map(headings.map(({ start, level }) => [start, level]))
  const shown: Array<PartElement> = []
  let start = 0
  let under = 1
  for (const line of text.split("\n")) {
    const level = levels.get(start)
    const place = { kind: "text" } as const
    if (level !== undefined) {
      under = level
      if (level > 1) shown.push({ kind: "heading", level: level - 1, text: line, start, place })
    } else if (line !== "") {
      shown.push({ kind: under > 2 ? "paragraph" : "list-item", text: line, start, place })
    }
    start += line.length + 1
  }
  return shown
}
