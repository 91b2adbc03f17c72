import { Icon } from "../common/icons.tsx"
import { t } from "../common/texts.ts"

/** A number of a row, as text, with the deals behind it. */
export interface Figure {
  readonly text: string
  readonly href?: string | undefined
  /** From 0 to 1: draws a bar. */
  readonly part?: number | null | undefined
  readonly title?: string | undefined
}

export interface ReportTableRow {
  readonly id: string
  readonly name: string
  readonly note?: string | undefined
  readonly href: string
  readonly figures: ReadonlyArray<Figure>
}

export interface ReportColumn<M extends string> {
  readonly measure: M
  readonly label: string
}

/** A table of names with their numbers, sorted by one of them, the largest first. */
export const ReportTable = <M extends string>({
  label,
  columns,
  rows,
  order,
  onOrder,
}: {
  readonly label: string
  readonly columns: ReadonlyArray<ReportColumn<M>>
  readonly rows: ReadonlyArray<ReportTableRow>
  readonly order: M
  readonly onOrder: (measure: M) => void
}) => (
  <div class="wide" tabIndex={0} role="region" aria-label={label}>
    <table class="plain ranking">
      <thead>
        <tr>
          <th scope="col">{label}</th>
          {columns.map(({ measure, label }) => (
            <th key={measure} scope="col" aria-sort={measure === order ? "descending" : undefined}>
              <button
                type="button"
                class="sort"
                title={t("market.sort", { name: label })}
                onClick={() => onOrder(measure)}
              >
                {label}
                {measure === order && <Icon name="down" />}
              </button>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id}>
            <th scope="row">
              <a href={row.href}>{row.name}</a>
              {row.note !== undefined && <span class="soft small">{row.note}</span>}
            </th>
            {row.figures.map((figure, index) => (
              <td key={columns[index]?.measure}>
                <Cell {...figure} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

const Cell = ({ text, href, part, title }: Figure) => {
  const shown =
    part === undefined ? (
      text
    ) : (
      <span class="rate">
        <span class="track">
          <span class="back-won" style={{ width: `${100 * (part ?? 0)}%` }} />
        </span>
        {text}
      </span>
    )
  return href === undefined ? (
    <span title={title}>{shown}</span>
  ) : (
    <a href={href} title={title}>
      {shown}
    </a>
  )
}
