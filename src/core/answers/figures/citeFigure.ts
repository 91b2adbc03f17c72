import * as Effect from "effect/Effect"
import type { Citation } from "../citation.ts"
import type { Report } from "../questions/reply/reply.ts"
import { type Figure, type ReportRows, rowAt, writeTitle, writeRow } from "./figure.ts"
import { FigureLinks } from "./FigureLinks.ts"

/** The row behind each citation of this process: a model that continues an answer computes with its exact values. */
const ROWS = new WeakMap<Citation, { readonly rows: ReportRows; readonly row: number | undefined }>()

/** Returns the row that a citation of `citeFigure` cites; undefined for any other. */
export const citedRow = (citation: Citation) => ROWS.get(citation)

/** Makes the citation of a report's row, whose page computes it again; undefined if it has no link. */
export const citeFigure = Effect.fnUntraced(function* (
  org: string,
  { row: index, ...figure }: Figure,
  report: Pick<Report, "data" | "totals">,
  currency: string | undefined,
) {
  const links = yield* FigureLinks
  const row = rowAt(index, report)
  const link = row === undefined ? undefined : yield* links.url(org, { figure, report, currency }, index)
  if (row === undefined || link === undefined) return undefined
  const citation = {
    document_id: `rpt_${link.token}`,
    document_name: writeTitle(figure),
    deal_id: null,
    deal_name: null,
    url: link.url,
    excerpt: writeRow(figure.query, row, currency),
  } satisfies Citation
  ROWS.set(citation, { rows: { figure, report, currency }, row: index })
  return citation
})
