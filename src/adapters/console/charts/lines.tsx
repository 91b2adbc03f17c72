import { Frame } from "./frame.tsx"
import { type Marks, type Series, writeTitle, valueOf } from "./marks.ts"
import { roundUp, Linked } from "./stacks.tsx"

/** With more points than this, only the line and the point under the pointer are drawn. */
const MAX_DOTS = 60
const HIT_RADIUS = 11

/** A line for each series over time. Each point is a link to the deals behind it; a group without a value breaks the line. */
export const Lines = ({ data }: { readonly data: Marks }) => {
  const { labels, series } = data
  const highest = roundUp(Math.max(...series.flatMap(({ marks }) => marks.map(valueOf))))
  return (
    <Frame data={data} highest={highest}>
      {({ left, step, y }) => {
        const x = (index: number) => left + step * (index + 0.5)
        return series.map((each) => (
          <g key={each.name} class={`mark-${each.color}${each.isBefore === true ? " before" : ""}`}>
            <path class="stroke" d={drawPath(each, x, y)} />
            {each.marks.map((mark, index) => {
              if (mark?.value == null) return null
              const at = { cx: x(index), cy: y(valueOf(mark)) }
              return (
                <Linked key={labels[index]} mark={mark} title={writeTitle(labels[index]!, each.name, mark)}>
                  <circle class="hit" {...at} r={HIT_RADIUS} />
                  <circle class={labels.length > MAX_DOTS ? "dot-mark few" : "dot-mark"} {...at} r={3.5} />
                </Linked>
              )
            })}
          </g>
        ))
      }}
    </Frame>
  )
}

const drawPath = ({ marks }: Series, x: (index: number) => number, y: (value: number) => number) => {
  let isOpen = false
  return marks
    .map((mark, index) => {
      const starts = !isOpen
      isOpen = mark?.value != null
      return isOpen ? `${starts ? "M" : "L"}${x(index)} ${y(valueOf(mark))}` : ""
    })
    .join("")
}
