import type { ReportRows } from "../figures/figure.ts"
import type { CompetitorRow } from "./sql.ts"

/** The numbers of competitors as rows of a report, which their pages compute again. */
export const rowsOfCompetitors = (competitors: ReadonlyArray<CompetitorRow>): ReportRows => ({
  figure: {
    subject: "deals",
    query: { measures: ["deals", "won", "lost"], groupBy: ["competitor"], filters: {}, orderBy: "-deals", limit: 1000 },
  },
  report: {
    data: competitors.map(({ id, name, deals, won, lost }) => ({
      group: { competitor: { id, name } },
      values: { deals, won, lost },
      filters: { competitors: [name] },
    })),
    totals: { values: {} },
  },
  currency: undefined,
})
