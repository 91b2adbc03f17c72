import { lower, raise } from "../../../../core/common/raisedDigits.ts"

/** A run of letters on a page, in page units. */
interface Run {
  readonly text: string
  readonly size: number
  /** The height of its base line. */
  readonly up: number
}

interface PlacedRun extends Run {
  readonly angle: number
  readonly start: number
  readonly end: number
}

/** By its size, compared with the letters beside it: browsers set marks of notes at 0.83. */
const MAX_SIZE = 0.87
/** In heights of its own letters: TeX lowers by 0.2 and raises by 0.5. */
const MIN_SHIFT = 0.15

/** Whether a run is smaller than the letters beside it and above or below their base line. */
export const isShifted = (run: Run, beside: Run): boolean =>
  run.size < beside.size * MAX_SIZE && Math.abs(run.up - beside.up) > run.size * MIN_SHIFT

/** In heights of the letters beside it: TeX raises a mark behind a bracket by more than half of it. */
const MAX_SHIFT = 0.75
/** In heights of the letters beside it. */
const MAX_GAP = 0.2

/** Whether a run is a mark directly after another, farther off its base line than the parts of a line usually are. */
export const isMarkOf = (run: PlacedRun, last: PlacedRun): boolean =>
  run.angle === last.angle &&
  isShifted(run, last) &&
  Math.abs(run.up - last.up) < last.size * MAX_SHIFT &&
  Math.abs(run.start - last.end) < last.size * MAX_GAP

/** Whether a sign can be followed or preceded by the mark of a note or an exponent: cents may be raised too, but not the amount behind "$". */
const MARKED = /[\p{L}\p{N}\p{Po}\p{Pe}\p{Pf}\p{Sm}]\s*$/u

/** The text of a run beside letters on the base line: one that is raised or lowered stays apart from their number. `before`: the text that precedes it. */
export const writeMark = (run: Run, beside: Run, before: string): string => {
  if (!isShifted(run, beside) || !MARKED.test(before === "" ? "." : before)) return run.text
  return run.up > beside.up ? raise(run.text, before) : lower(run.text, before)
}
