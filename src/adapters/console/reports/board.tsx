import { useLocation, useRoute } from "preact-iso"
import { client } from "../common/api.ts"
import { hrefOf } from "../common/base.ts"
import { ConfirmButton, Refusal } from "../common/controls.tsx"
import { Icon } from "../common/icons.tsx"
import { Loaded, Notice } from "../common/state.tsx"
import { t } from "../common/texts.ts"
import { useAct } from "../common/useAct.ts"
import { Chart } from "./chart.tsx"
import { chooseCharts } from "./marks.ts"
import { writeAddress, type ReportQuery } from "./query.ts"
import { ReportTable } from "./table.tsx"
import { mayChange, refresh, readReport, type SavedView, useBoards, useReportsOf } from "./saved.ts"
import { useReport } from "./useReport.ts"

/** The reports of a board, each computed now. */
export const Board = () => {
  const { params } = useRoute()
  const { route } = useLocation()
  const id = params["id"] ?? ""
  const board = useBoards().data?.data.find((each) => each.id === id)
  const reports = useReportsOf(id)
  const { act, isBusy, refusal } = useAct()
  const remove = async () => {
    await client.views.deleteBoard({ id })
    await refresh()
    route(hrefOf("/reports/boards"))
  }
  return (
    <div class="page">
      <div>
        <a class="back" href={hrefOf("/reports/boards")}>
          <Icon name="left" />
          {t("boards.back")}
        </a>
        <header class="page-head">
          <h1>{board?.name ?? t("boards.board")}</h1>
          {board !== undefined && mayChange(board) && (
            <div class="actions">
              <ConfirmButton question={t("boards.really")} disabled={isBusy} onConfirm={() => void act(remove)}>
                {t("boards.delete")}
              </ConfirmButton>
            </div>
          )}
        </header>
      </div>
      {refusal !== "" && <Refusal text={refusal} />}
      <Loaded query={reports} lines={6}>
        {({ data }) =>
          data.length === 0 ? (
            <Notice title={t("boards.empty")}>
              <p>
                <a href={hrefOf("/reports")}>{t("boards.noneHint")}</a>
              </p>
            </Notice>
          ) : (
            <div class="grid halves">
              {data.map((view) => (
                <Panel key={view.id} view={view} />
              ))}
            </div>
          )
        }
      </Loaded>
    </div>
  )
}

const Panel = ({ view }: { readonly view: SavedView }) => {
  const { act, isBusy, refusal } = useAct()
  const query = readReport(view)
  const remove = async () => {
    await client.views.delete({ id: view.id })
    await refresh()
  }
  return (
    <section class="card panel" aria-label={view.name}>
      <h2>
        {query === undefined ? view.name : <a href={hrefOf(`/reports${writeAddress(query)}`)}>{view.name}</a>}
        {mayChange(view) && (
          <button
            type="button"
            class="quiet"
            disabled={isBusy}
            aria-label={t("boards.remove", { name: view.name })}
            onClick={() => void act(remove)}
          >
            <Icon name="close" />
          </button>
        )}
      </h2>
      {refusal !== "" && <Refusal text={refusal} />}
      {query !== undefined && <PanelChart query={query} />}
    </section>
  )
}

const PanelChart = ({ query }: { readonly query: ReportQuery }) => {
  const { route } = useLocation()
  return (
    <Loaded query={useReport(query)} lines={6}>
      {(report) => {
        const kinds = chooseCharts(query, report)
        if (report.data.length === 0) return <Notice title={t("reports.empty")} />
        if (query.groupBy.length > 2)
          return (
            <ReportTable
              report={report}
              query={query}
              onOrder={(orderBy) => route(hrefOf(`/reports${writeAddress({ ...query, orderBy })}`))}
            />
          )
        return <Chart report={report} query={query} kind={kinds.find((each) => each === query.chart) ?? kinds[0]} />
      }}
    </Loaded>
  )
}
