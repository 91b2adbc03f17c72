import { useWidth } from "../common/useWidth.ts"
import { niceCeiling } from "./scale.ts"

export interface Series {
  readonly name: string
  /** A class of the style sheet that gives the color. */
  readonly color: "won" | "lost" | "open" | "accent"
}

export interface ColumnGroup {
  readonly label: string
  readonly values: ReadonlyArray<number>
  readonly href: string
  readonly note?: string
}

const HEIGHT = 260
const BOTTOM = 26
const LEFT = 34
const TOP = 10
const MAX_COLUMN_WIDTH = 44

/** Stacked columns. Each is a link to the deals behind it, and has its numbers as its name. */
export const Columns = ({
  series,
  groups,
  label,
}: {
  readonly series: ReadonlyArray<Series>
  readonly groups: ReadonlyArray<ColumnGroup>
  readonly label: string
}) => {
  const [ref, width] = useWidth<HTMLDivElement>()
  const sums = groups.map(({ values }) => values.reduce((sum, value) => sum + value, 0))
  const top = niceCeiling(Math.max(1, ...sums))
  const y = (value: number) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - value / top)
  const step = groups.length === 0 ? 0 : (width - LEFT) / groups.length
  const columnWidth = Math.min(MAX_COLUMN_WIDTH, step * 0.62)
  const every = Math.ceil(70 / Math.max(step, 1))
  return (
    <figure class="chart">
      <div ref={ref} style={{ height: `${HEIGHT}px` }}>
        {width > 0 && (
          <svg width={width} height={HEIGHT} role="group" aria-label={label}>
            {[0, 0.5, 1].map((part) => (
              <g key={part}>
                <line class="grid" x1={LEFT} x2={width} y1={y(top * part)} y2={y(top * part)} />
                <text class="axis" x={LEFT - 8} y={y(top * part) + 4} text-anchor="end">
                  {top * part}
                </text>
              </g>
            ))}
            {groups.map((group, index) => {
              const x = LEFT + step * index + (step - columnWidth) / 2
              let base = 0
              const name = [
                group.label,
                ...series.map((each, n) => `${each.name} ${group.values[n] ?? 0}`),
                ...(group.note === undefined ? [] : [group.note]),
              ].join(", ")
              return (
                <a key={group.label} href={group.href}>
                  <title>{name}</title>
                  <rect class="hit" x={LEFT + step * index} y={TOP} width={step} height={HEIGHT - TOP - BOTTOM} />
                  {series.map((each, n) => {
                    const value = group.values[n] ?? 0
                    const from = base
                    base += value
                    return (
                      <rect
                        key={each.name}
                        class={`fill-${each.color}`}
                        x={x}
                        width={columnWidth}
                        y={y(from + value)}
                        height={Math.max(0, y(from) - y(from + value) - (value > 0 ? 1 : 0))}
                        rx="2"
                      />
                    )
                  })}
                  {index % every === 0 && (
                    <text class="axis" aria-hidden="true" x={x + columnWidth / 2} y={HEIGHT - 8} text-anchor="middle">
                      {group.label}
                    </text>
                  )}
                </a>
              )
            })}
          </svg>
        )}
      </div>
      <figcaption class="legend">
        {series.map((each) => (
          <span key={each.name}>
            <i class={`back-${each.color}`} />
            {each.name}
          </span>
        ))}
      </figcaption>
    </figure>
  )
}
