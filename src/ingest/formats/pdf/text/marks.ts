import { lower, raise } from "../../../../core/common/raisedDigits.ts"

/** A run of letters on a page, in page units. */
interface Run {
  readonly text: string
  readonly size: number
  /** The height of its base line. */
  readonly up: number
}

/** By its size, compared with the letters beside it: browsers set marks of notes at 0.83. */
const MAX_SIZE = 0.87
/** In heights of its own letters: TeX lowers by 0.2 and raises by 0.5. */
const MIN_SHIFT = 0.15

/** Whether a run is smaller than the letters beside it and above or below their base line. */
export const isShifted = (run: Run, beside: Run): boolean =>
  run.size < beside.size * MAX_SIZE && Math.abs(run.up - beside.up) > run.size * MIN_SHIFT

/** Whether a sign can be followed or preceded by the mark of a note or an exponent: cents may be raised too, but not the amount behind "$". */
const MARKED = /[\p{L}\p{N}\p{Po}\p{Pe}\p{Pf}\p{Sm}]\s*$/u

/** The text of a run beside letters on the base line: one that is raised or lowered stays apart from their number. `before`: the text that precedes it. */
export const writeMark = (run: Run, beside: Run, before: string): string => {
  if (!isShifted(run, beside) || !MARKED.test(before === "" ? "." : before)) return run.text
  return run.up > beside.up ? raise(run.text, before) : lower(run.text, before)
}
