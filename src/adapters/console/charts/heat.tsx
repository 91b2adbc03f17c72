import { useWidth } from "../common/useWidth.ts"
import { shorten } from "./frame.tsx"
import { type Marks, writeTitle, valueOf } from "./marks.ts"
import { Linked } from "./stacks.tsx"

const ROW_PX = 34
const HEAD_PX = 26
const MIN_COLUMN_PX = 64
const MAX_NAMES_PX = 190
/** Names are larger than the axis, for whose size `shorten` counts. */
const NAME_SHARE = 0.8
const GAP_PX = 2
/** Beyond this, the text on a mark is hard to read. */
const MAX_OPACITY = 0.5

/** A cell for each pair of groups: the higher its value, the stronger its color. Each cell is a link to the deals behind it. */
export const Heat = ({ data: { label, labels, series } }: { readonly data: Marks }) => {
  const [ref, width] = useWidth<HTMLDivElement>()
  const names = Math.min(MAX_NAMES_PX, width * 0.3)
  const step = Math.max(MIN_COLUMN_PX, (width - names) / Math.max(labels.length, 1))
  const most = Math.max(...series.flatMap(({ marks }) => marks.map(valueOf)), Number.MIN_VALUE)
  const height = HEAD_PX + ROW_PX * series.length
  return (
    <figure class="chart wide" tabIndex={0} role="region" aria-label={label}>
      <div ref={ref}>
        {width > 0 && (
          <svg width={names + step * labels.length} height={height} role="group" aria-label={label}>
            {labels.map((text, column) => (
              <text
                key={text}
                class="axis"
                aria-hidden="true"
                x={names + step * (column + 0.5)}
                y={HEAD_PX - 10}
                text-anchor="middle"
              >
                {shorten(text, step)}
              </text>
            ))}
            {series.map(({ name, marks }, row) => {
              const y = HEAD_PX + ROW_PX * row
              return (
                <g key={name}>
                  <text class="heat-name" aria-hidden="true" x={0} y={y + ROW_PX / 2 + 4}>
                    {shorten(name, names * NAME_SHARE)}
                  </text>
                  {labels.map((text, column) => {
                    const mark = marks[column]
                    if (mark?.value == null) return null
                    const at = { x: names + step * column, y, width: step - GAP_PX, height: ROW_PX - GAP_PX, rx: 4 }
                    return (
                      <Linked key={text} mark={mark} title={writeTitle(text, name, mark)}>
                        <rect class="heat-ground" {...at} />
                        <rect class="shape mark-1" {...at} fill-opacity={(MAX_OPACITY * valueOf(mark)) / most} />
                        <text
                          class="heat-value"
                          aria-hidden="true"
                          x={at.x + at.width / 2}
                          y={y + ROW_PX / 2 + 3}
                          text-anchor="middle"
                        >
                          {mark.text}
                        </text>
                      </Linked>
                    )
                  })}
                </g>
              )
            })}
          </svg>
        )}
      </div>
    </figure>
  )
}
