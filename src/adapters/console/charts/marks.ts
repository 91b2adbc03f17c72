/** A value of a chart. It links to the deals behind it. */
export interface Mark {
  readonly value: number | null
  /** The value as people read it. */
  readonly text: string
  /** Undefined: several groups together, which no filter selects. */
  readonly href: string | undefined
}

/** `--mark` of the class `mark-<color>` in the style sheet. */
export type Color = "won" | "lost" | "open" | "rest" | 1 | 2 | 3 | 4 | 5 | 6 | 7
export const MAX_COLORS = 7

export interface Series {
  readonly name: string
  readonly color: Color
  /** An earlier period, drawn behind the present one. */
  readonly isBefore?: boolean
  /** One for each label; undefined: the group has none. */
  readonly marks: ReadonlyArray<Mark | undefined>
}

export interface Marks {
  readonly label: string
  readonly labels: ReadonlyArray<string>
  readonly series: ReadonlyArray<Series>
  /** Writes a value of the axis. */
  readonly axis: (value: number) => string
}

export const valueOf = (mark: Mark | undefined): number => Math.max(0, mark?.value ?? 0)

/** The name of a mark for screen readers and its tooltip. */
export const writeTitle = (label: string, series: string, { text }: Mark): string => `${label}, ${series}: ${text}`
