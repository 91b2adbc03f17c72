import type { AnswerEvent } from "../Answerer.ts"
import { isOfReport, type References } from "../citations/References.ts"
import type { ToolName } from "../tools/names.ts"

/** Cited rows and deals that the model receives. */
const MAX_CITED = 30

interface Counted {
  readonly name: ToolName
  readonly params: object
  /** The result of that call, as the model receives it. */
  readonly result: object
}

type Fields = Readonly<Record<string, unknown>>

/** Turns an answer without a model into a call of a tool and its result: each link becomes a ref. */
export const asToolCall = (events: ReadonlyArray<AnswerEvent>, references: References): Counted => {
  const refs = new Map<string, string>()
  const all = events.flatMap((event) => (event.type === "citation" ? [event.citation] : []))
  const figures = new Set(all.filter(isOfReport).map(({ url }) => url))
  const cited = all.slice(0, MAX_CITED)
  const sources = cited.map((citation) => {
    const ref = references.refCitation(citation)
    refs.set(citation.url, ref)
    return { ref, text: citation.excerpt, ...(isOfReport(citation) && { values: references.valuesOf(ref) }) }
  })
  const text = events.map((event) => (event.type === "content_delta" ? event.content : "")).join("")
  const answer = text.replaceAll(/\[([^\]]*)\]\(([^\s()]*)\)/g, (_, label: string, url: string) => {
    const ref = refs.get(url)
    const shown = figures.has(url) ? "" : label
    return ref === undefined ? shown : `${shown}${shown === "" ? "" : " "}[[${ref}]]`
  })
  const call = events.find((event) => event.type === "tool_call")
  return { ...callOf(call?.arguments), result: { found: cited.length, answer, rows: sources } }
}

/** The call that a model would make for it. */
const callOf = (args: unknown): Pick<Counted, "name" | "params"> => {
  if (typeof args !== "object" || args === null) return { name: "describe_workspace", params: {} }
  const { measures, groupBy, orderBy, filters, limit, compare } = args as Fields
  if (measures !== undefined) {
    const params = { measures, group_by: groupBy, order_by: orderBy, filters, limit, compare }
    const given = Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined))
    return { name: "report_deals", params: given }
  }
  if (filters !== undefined) return { name: "search_deals", params: { filters } }
  return { name: "count_deals", params: { filters: args } }
}
