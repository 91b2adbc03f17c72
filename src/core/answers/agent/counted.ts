import type { AnswerEvent } from "../Answerer.ts"
import { isOfReport, type References } from "../citations/References.ts"
import type { ReportRows } from "../figures/figure.ts"
import type { ToolName } from "../tools/names.ts"

/** Cited rows and deals that the model receives. */
const MAX_CITED = 30

interface Counted {
  readonly name: ToolName
  readonly params: object
  /** The result of that call, as the model receives it. */
  readonly result: object
}

/** Turns an answer without a model into a call of a tool and its result: each link becomes a ref. */
export const asToolCall = (events: ReadonlyArray<AnswerEvent>, references: References): Counted => {
  const refs = new Map<string, string>()
  const all = events.flatMap((event) => (event.type === "citation" ? [event.citation] : []))
  const figures = new Set(all.filter(isOfReport).map(({ url }) => url))
  const cited = all.slice(0, MAX_CITED)
  const sources = cited.map((citation) => {
    const ref = references.refCitation(citation)
    refs.set(citation.url, ref)
    return { ref, text: citation.excerpt, values: references.valuesOf(ref) }
  })
  const counts = events.flatMap((event) => {
    if (event.type !== "tool_result" || event.name !== "count_deals") return []
    const call = events.find((other) => other.type === "tool_call" && other.id === event.id)
    const { filters = {} } = call?.type === "tool_call" ? (call.arguments as Filtered) : {}
    const ref = references.refRow(rowsOfCount(filters, event.found), undefined)
    return [{ ref, text: "all of these deals", values: references.valuesOf(ref) }]
  })
  const text = events.map((event) => (event.type === "content_delta" ? event.content : "")).join("")
  const answer = text.replaceAll(/\[([^\]]*)\]\(([^\s()]*)\)/g, (_, label: string, url: string) => {
    const ref = refs.get(url)
    const shown = figures.has(url) ? "" : label
    return ref === undefined ? shown : `${shown}${shown === "" ? "" : " "}[[${ref}]]`
  })
  const call = events.find((event) => event.type === "tool_call")
  return {
    name: call?.name ?? "describe_workspace",
    params: (call?.arguments ?? {}) as object,
    result: { found: cited.length, answer, rows: [...counts, ...sources] },
  }
}

interface Filtered {
  readonly filters?: ReportRows["figure"]["query"]["filters"]
}

const rowsOfCount = (filters: NonNullable<Filtered["filters"]>, deals: number): ReportRows => ({
  figure: { subject: "deals", query: { measures: ["deals"], groupBy: [], filters, limit: 1 } },
  report: { data: [], totals: { values: { deals } } },
  currency: undefined,
})

/** Gives a description of the workspace a ref for its counts. */
export const withCounts = (result: Fields, references: References): Fields => {
  const { found: deals, documents, names = {} } = result as unknown as Described
  const totals = Object.entries(names).map(([kind, { total }]) => [kind, total] as const)
  const counts = { deals, ...(documents !== undefined && { documents }), ...Object.fromEntries(totals) }
  return { ref: references.refCounts(counts), ...result }
}

type Fields = Readonly<Record<string, unknown>>

interface Described {
  readonly found: number
  readonly documents?: number
  readonly names?: Readonly<Record<string, { readonly total: number }>>
}
