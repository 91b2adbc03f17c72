import type { ChartKind } from "../../../core/views/charts.ts"
import { Heat } from "../charts/heat.tsx"
import { Lines } from "../charts/lines.tsx"
import { Bars } from "../charts/rows.tsx"
import { Stacks } from "../charts/stacks.tsx"
import { dealsHref } from "../common/links.ts"
import { t } from "../common/texts.ts"
import { chooseBarColor, makeBars, leftOut, makeMarks } from "./marks.ts"
import { filtersBehind, measureLabel, type Report, show, showChange } from "./names.ts"
import type { ReportQuery } from "./query.ts"

/** A report as a chart; without groups, as figures. */
export const Chart = ({
  report,
  query,
  kind,
}: {
  readonly report: Report
  readonly query: ReportQuery
  readonly kind: ChartKind | undefined
}) => {
  if (kind === undefined) return <Totals report={report} />
  if (kind === "heat") return <Heat data={makeMarks(report, query, kind)} />
  if (kind === "line") return <Lines data={makeMarks(report, query, kind)} />
  if (kind !== "bars") return <Stacks data={makeMarks(report, query, kind)} isStacked={kind === "stacked"} />
  const hidden = leftOut(report, kind)
  return (
    <>
      <Bars rows={makeBars(report, query)} color={chooseBarColor(query.measures[0]!)} />
      {hidden > 0 && (
        <p class="soft small">{t("chart.first", { shown: report.data.length - hidden, count: report.data.length })}</p>
      )}
    </>
  )
}

const Totals = ({ report: { totals, meta } }: { readonly report: Report }) => (
  <div class="figures in-card">
    {Object.entries(meta.measures).map(([name, { unit }]) => {
      const change = totals.change?.[name]
      return (
        <a key={name} class="figure" href={dealsHref(filtersBehind(totals, name))}>
          <span class="figure-name">{measureLabel(name)}</span>
          <strong>{show(unit, totals.values[name], true)}</strong>
          {change != null && <span class="soft">{showChange(unit, change)}</span>}
        </a>
      )
    })}
  </div>
)
