/** A row of a bar list: a link with its name, its value as text, and a bar of its share of the largest. */
export interface BarRow {
  readonly id: string
  readonly name: string
  readonly value: number
  readonly text: string
  readonly href: string
  /** The value of an earlier period, as a mark on the track. */
  readonly before?: number | null | undefined
}

export const Bars = ({
  rows,
  color,
}: {
  readonly rows: ReadonlyArray<BarRow>
  readonly color: "won" | "lost" | "accent"
}) => {
  const most = Math.max(...rows.flatMap(({ value, before }) => [value, before ?? 0]), Number.MIN_VALUE)
  return (
    <ul class="bars">
      {rows.map((row) => (
        <li key={row.id}>
          <a href={row.href}>
            <span class="bar-name">{row.name}</span>
            <span class="bar-value">{row.text}</span>
            <span class="track">
              <span class={`back-${color}`} style={{ width: `${(100 * Math.max(0, row.value)) / most}%` }} />
              {row.before != null && <i style={{ insetInlineStart: `${(100 * Math.max(0, row.before)) / most}%` }} />}
            </span>
          </a>
        </li>
      ))}
    </ul>
  )
}
