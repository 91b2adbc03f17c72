import { fold } from "../../common/fold.ts"
import { shorten } from "../../common/shorten.ts"
import type { Notices } from "../../records/Notices.ts"
import { isNoValue, isPlaceholder } from "./emptyCells.ts"
import { ENTRIES, namesIn, SEPARATORS } from "./evidence.ts"
import type { ImportPlan, PlannedField } from "./ImportPlan.ts"

/**
 * Returns a function that splits the cells of lists at semicolons, and at commas, slashes and bars if all parts are names that the file or
 * the workspace knows. Undefined: the cell has no entry.
 */
export const listReader = (plan: ImportPlan, notices: Notices) => {
  const known = new Map(Object.entries(plan.known).map(([field, names]) => [field, new Set(names)]))
  return (planned: PlannedField, line: number, text: string): ReadonlyArray<string> | undefined => {
    const { field } = planned
    const names = known.get(field)
    const isKnown = (part: string) => names?.has(fold(part)) === true
    const parts = text.split(ENTRIES).flatMap((entry) => {
      const whole = entry.trim()
      if (!SEPARATORS.test(whole)) return joinedNames(whole, isKnown)
      if (isKnown(whole)) return [whole]
      const split = whole.split(SEPARATORS).filter((part) => part !== "")
      if (split.every((part) => isKnown(part) || isPlaceholder(part))) return split
      if (split.length > 1) {
        notices.add("list_unsplit", {
          field,
          line,
          example: whole,
          message: `'${shorten(whole)}' stays one entry, since its parts are not known names; separate entries with ';'`,
        })
      }
      return [whole]
    })
    const kept = parts.filter((part) => part !== "" && !isPlaceholder(part) && !isNoValue(planned, part))
    if (kept.length < parts.length) {
      const dropped = parts.find((part) => !kept.includes(part)) ?? ""
      if (dropped !== "")
        notices.add("placeholder_emptied", {
          field,
          line,
          example: dropped,
          message: `entries such as '${dropped}' count as none`,
        })
    }
    return kept.length === 0 ? undefined : kept
  }
}

/** The names that a word such as "and" joins, if all are known: two companies, and not Johnson & Johnson. */
const joinedNames = (text: string, isKnown: (name: string) => boolean): ReadonlyArray<string> => {
  const names = namesIn(text)
  return names.every(isKnown) && new Set(names.map(fold)).size === names.length ? names : [text]
}
