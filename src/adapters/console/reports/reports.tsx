import { useLocation } from "preact-iso"
import { hrefOf } from "../common/base.ts"
import { ImportHint } from "../common/importHint.tsx"
import { Loaded, Notice } from "../common/state.tsx"
import { t } from "../common/texts.ts"
import { Builder } from "./builder.tsx"
import { Chart } from "./chart.tsx"
import { chooseCharts } from "./marks.ts"
import { baseLabel, type Report } from "./names.ts"
import { writeAddress, readReport, type ReportQuery } from "./query.ts"
import { Save } from "./save.tsx"
import { Share } from "./share.tsx"
import { ReportTable } from "./table.tsx"
import { Tabs } from "./tabs.tsx"
import { useReport } from "./useReport.ts"

/** Numbers by group: measures, groups, filters and a comparison picked from lists, as a chart and as a table. */
export const Reports = () => {
  const { query: address, route } = useLocation()
  const query = readReport(address)
  const show = (next: ReportQuery) => route(hrefOf(`/reports${writeAddress(next)}`), true)
  const reply = useReport(query)
  return (
    <div class="page">
      <header class="page-head">
        <h1>{t("nav.reports")}</h1>
        <div class="actions">
          <Share query={query} />
          <Save query={query} />
        </div>
      </header>
      <Tabs at="report" />
      <Builder query={query} onChange={show} />
      <Loaded query={reply} lines={8}>
        {(report) => <Result report={report} query={query} onChange={show} isStale={reply.isPlaceholderData} />}
      </Loaded>
    </div>
  )
}

interface Props {
  readonly report: Report
  readonly query: ReportQuery
  readonly onChange: (query: ReportQuery) => void
  readonly isStale: boolean
}

const Result = ({ report, query, onChange, isStale }: Props) => {
  // The report before is shown until the next one is there. Its groups may be others.
  const shown = isStale ? { ...query, ...namesOf(report) } : query
  const kinds = chooseCharts(shown, report)
  const kind = kinds.find((each) => each === query.chart) ?? kinds[0]
  const isEmpty = report.data.length === 0 || (shown.groupBy.length === 0 && report.totals.values["deals"] === 0)
  if (isEmpty)
    return (
      <Notice title={t("reports.empty")}>
        {Object.keys(query.filters).length > 0 ? <p>{t("reports.emptyHint")}</p> : <ImportHint />}
      </Notice>
    )
  return (
    <div class={isStale ? "results stale" : "results"}>
      {shown.groupBy.length < 3 && (
        <section class="card" aria-label={t("reports.chart")}>
          {kinds.length > 1 && (
            <div class="segments" role="group" aria-label={t("reports.chart")}>
              {kinds.map((each) => (
                <button
                  key={each}
                  type="button"
                  aria-pressed={each === kind}
                  onClick={() => onChange({ ...query, chart: each })}
                >
                  {t(`chart.${each}`)}
                </button>
              ))}
            </div>
          )}
          <Chart report={report} query={shown} kind={kind} />
        </section>
      )}
      <section class="card">
        <ReportTable report={report} query={shown} onOrder={(orderBy) => onChange({ ...query, orderBy })} />
        {report.meta.overlapping.length > 0 && (
          <p class="soft small">
            {t("reports.overlapping", { names: report.meta.overlapping.map(baseLabel).join(", ") })}
          </p>
        )}
      </section>
    </div>
  )
}

const namesOf = ({ meta }: Report) => ({ measures: Object.keys(meta.measures), groupBy: Object.keys(meta.dimensions) })
