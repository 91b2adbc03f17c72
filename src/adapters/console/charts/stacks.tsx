import { Frame } from "./frame.tsx"
import { type Mark, type Marks, writeTitle, valueOf } from "./marks.ts"
import { niceCeiling } from "./scale.ts"

const MAX_COLUMN_WIDTH = 56

/** Columns of several series, each on the others or beside them. Each mark is a link to the deals behind it. */
export const Stacks = ({ data, isStacked }: { readonly data: Marks; readonly isStacked: boolean }) => {
  const { labels, series } = data
  const heights = labels.map((_, index) => {
    const values = series.map(({ marks }) => valueOf(marks[index]))
    return isStacked ? values.reduce((sum, value) => sum + value, 0) : Math.max(...values)
  })
  return (
    <Frame data={data} highest={roundUp(Math.max(...heights))}>
      {({ left, step, y }) => {
        const whole = Math.min(MAX_COLUMN_WIDTH * (isStacked ? 1 : series.length), step * 0.7)
        const width = isStacked ? whole : whole / series.length
        return labels.map((label, index) => {
          const start = left + step * index + (step - whole) / 2
          let base = 0
          return (
            <g key={label}>
              {series.map(({ name, color, isBefore, marks }, n) => {
                const mark = marks[index]
                const value = valueOf(mark)
                const from = isStacked ? base : 0
                base += value
                if (mark === undefined || value === 0) return null
                const rect = (
                  <rect
                    class={`shape mark-${color}${isBefore === true ? " before" : ""}`}
                    x={isStacked ? start : start + width * n + 1}
                    width={Math.max(1, isStacked ? width : width - 2)}
                    y={y(from + value)}
                    height={Math.max(1, y(from) - y(from + value) - (isStacked ? 1 : 0))}
                    rx="2"
                  />
                )
                return (
                  <Linked key={name} mark={mark} title={writeTitle(label, name, mark)}>
                    {rect}
                  </Linked>
                )
              })}
            </g>
          )
        })
      }}
    </Frame>
  )
}

export const roundUp = (value: number): number => niceCeiling(value > 0 ? value : 1)

export const Linked = ({
  mark,
  title,
  children,
}: {
  readonly mark: Mark
  readonly title: string
  readonly children: preact.ComponentChildren
}) =>
  mark.href === undefined ? (
    <g>
      <title>{title}</title>
      {children}
    </g>
  ) : (
    <a href={mark.href}>
      <title>{title}</title>
      {children}
    </a>
  )
