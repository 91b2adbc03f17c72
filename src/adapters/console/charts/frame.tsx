import type { ComponentChildren } from "preact"
import { useWidth } from "../common/useWidth.ts"
import type { Marks } from "./marks.ts"

const HEIGHT = 300
const BOTTOM = 28
const TOP = 12
/** The approximate width of a character on the axis. */
const CHARACTER_PX = 6.4
const LABEL_PX = 76

/** The area for marks, in pixels. */
export interface Plot {
  readonly left: number
  readonly top: number
  readonly height: number
  readonly step: number
  readonly y: (value: number) => number
}

/** The axes and the legend of a chart whose labels lie along the bottom. `highest` is the top of its scale. */
export const Frame = ({
  data: { label, labels, series, axis },
  highest,
  children,
}: {
  readonly data: Marks
  readonly highest: number
  readonly children: (plot: Plot) => ComponentChildren
}) => {
  const [ref, width] = useWidth<HTMLDivElement>()
  const ticks = (highest % 4 === 0 ? [0, 0.25, 0.5, 0.75, 1] : [0, 0.5, 1]).map((part) => highest * part)
  const left = 12 + CHARACTER_PX * Math.max(...ticks.map((tick) => axis(tick).length))
  const step = (width - left) / Math.max(labels.length, 1)
  const height = HEIGHT - TOP - BOTTOM
  const y = (value: number) => TOP + height * (1 - value / highest)
  const every = Math.ceil(LABEL_PX / Math.max(step, 1))
  return (
    <figure class="chart">
      <div ref={ref} style={{ height: `${HEIGHT}px` }}>
        {width > 0 && (
          <svg width={width} height={HEIGHT} role="group" aria-label={label}>
            {ticks.map((tick) => (
              <g key={tick}>
                <line class="grid" x1={left} x2={width} y1={y(tick)} y2={y(tick)} />
                <text class="axis" x={left - 8} y={y(tick) + 4} text-anchor="end">
                  {axis(tick)}
                </text>
              </g>
            ))}
            {children({ left, top: TOP, height, step, y })}
            {labels.map(
              (text, index) =>
                index % every === 0 && (
                  <text
                    key={text}
                    class="axis"
                    aria-hidden="true"
                    x={left + step * (index + 0.5)}
                    y={HEIGHT - 8}
                    text-anchor="middle"
                  >
                    {shorten(text, step * every)}
                  </text>
                ),
            )}
          </svg>
        )}
      </div>
      {series.length > 1 && <Legend series={series} />}
    </figure>
  )
}

export const shorten = (text: string, width: number): string => {
  const most = Math.max(3, Math.floor(width / CHARACTER_PX) - 1)
  return text.length <= most ? text : `${text.slice(0, most - 1).trimEnd()}…`
}

const Legend = ({ series }: Pick<Marks, "series">) => (
  <figcaption class="legend">
    {series.map(({ name, color, isBefore }) => (
      <span key={name}>
        <i class={`mark-${color}${isBefore === true ? " before" : ""}`} />
        {name}
      </span>
    ))}
  </figcaption>
)
