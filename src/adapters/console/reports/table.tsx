import { useLocation } from "preact-iso"
import { Icon } from "../common/icons.tsx"
import { dealsHref } from "../common/links.ts"
import { t } from "../common/texts.ts"
import { dimensionLabel, groupLabel, measureLabel, type Report, type ReportRow, show, showChange } from "./names.ts"
import type { ReportQuery } from "./query.ts"

interface Props {
  readonly report: Report
  readonly query: ReportQuery
  readonly onOrder: (orderBy: string) => void
}

/** The numbers by group. Each row opens the deals behind it, and each heading sorts. */
export const ReportTable = ({ report, query: { groupBy, measures, orderBy }, onOrder }: Props) => {
  const { route } = useLocation()
  const { data, totals, other, meta } = report
  const heading = (name: string, label: string, isNumber: boolean) => (
    <Heading key={name} name={name} label={label} isNumber={isNumber} orderBy={orderBy} onOrder={onOrder} />
  )
  const cells = (numbers: Pick<ReportRow, "values" | "change">) =>
    measures.map((name) => <Value key={name} name={name} numbers={numbers} meta={meta} />)
  return (
    <div class="wide" tabIndex={0} role="region" aria-label={t("reports.table")}>
      <table class="plain report">
        <thead>
          <tr>
            {groupBy.length === 0 && <td />}
            {groupBy.map((name) => heading(name, dimensionLabel(name), false))}
            {measures.map((name) => heading(name, measureLabel(name), true))}
          </tr>
        </thead>
        <tbody>
          {groupBy.length > 0 &&
            data.map((row) => (
              <tr key={JSON.stringify(row.group)} onClick={() => route(dealsHref(row.filters))}>
                {groupBy.map((name, index) => {
                  const label = groupLabel(row, name)
                  return index === 0 ? (
                    <th key={name} scope="row">
                      <a href={dealsHref(row.filters)} onClick={(event) => event.stopPropagation()}>
                        {label}
                      </a>
                      {row.partial === true && <span class="tag">{t("reports.partial")}</span>}
                    </th>
                  ) : (
                    <td key={name} class="text">
                      {label}
                    </td>
                  )
                })}
                {cells(row)}
              </tr>
            ))}
          {other !== null && (
            <tr class="soft">
              <th scope="row" colSpan={groupBy.length}>
                {t("reports.rest", { count: other.groups })}
              </th>
              {cells(other)}
            </tr>
          )}
        </tbody>
        <tfoot>
          <tr onClick={() => route(dealsHref(totals.filters))}>
            <th scope="row" colSpan={Math.max(1, groupBy.length)}>
              <a href={dealsHref(totals.filters)} onClick={(event) => event.stopPropagation()}>
                {t("reports.total")}
              </a>
            </th>
            {cells(totals)}
          </tr>
        </tfoot>
      </table>
    </div>
  )
}

const Heading = ({
  name,
  label,
  isNumber,
  orderBy,
  onOrder,
}: {
  readonly name: string
  readonly label: string
  readonly isNumber: boolean
  readonly orderBy: string | undefined
  readonly onOrder: Props["onOrder"]
}) => {
  const order = orderBy === name ? "ascending" : orderBy === `-${name}` ? "descending" : undefined
  const next = isNumber === (order === "descending") ? name : `-${name}`
  return (
    <th scope="col" class={isNumber ? undefined : "text"} aria-sort={order}>
      <button type="button" class="sort" onClick={() => onOrder(next)}>
        {label}
        {order !== undefined && <Icon name={order === "ascending" ? "up" : "down"} />}
      </button>
    </th>
  )
}

const Value = ({
  name,
  numbers: { values, change },
  meta,
}: {
  readonly name: string
  readonly numbers: Pick<ReportRow, "values" | "change">
  readonly meta: Report["meta"]
}) => {
  const unit = meta.measures[name]?.unit ?? "deals"
  const difference = change?.[name]
  return (
    <td>
      {show(unit, values[name])}
      {difference != null && <span class="soft small difference">{showChange(unit, difference)}</span>}
    </td>
  )
}
