import { fold } from "../../../common/fold.ts"
import { shorten } from "../../../common/shorten.ts"
import type { Notices } from "../../../records/Notices.ts"
import { isNoValue, isPlaceholder } from "../cells/emptyCells.ts"
import { ENTRIES, namesIn, partsOf, SEPARATOR } from "../cells/namesOfCell.ts"
import type { ImportPlan, PlannedField } from "../fields/ImportPlan.ts"

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
    const unsplit = (entry: string, why: string) =>
      notices.add("list_unsplit", {
        field,
        line,
        example: entry,
        message: `'${shorten(entry)}' stays one entry, since ${why}; separate entries with ';'`,
      })
    if (isProse(text)) {
      unsplit(text.trim(), "it reads as a sentence")
      return [text.trim()]
    }
    const parts = text.split(ENTRIES).flatMap((entry) => {
      const whole = entry.trim()
      if (!SEPARATOR.test(whole)) return joinedNames(whole, isKnown)
      if (isKnown(whole)) return [whole]
      const split = partsOf(whole, SEPARATOR)
      if (split.every((part) => isKnown(part) || isPlaceholder(part))) return split
      if (split.length > 1) unsplit(whole, "its parts are not known names")
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

/** Whether a semicolon of the text joins two sentences: a long part, and another one that goes on in lower case. */
const isProse = (text: string): boolean => {
  const [first = "", ...rest] = text.split(ENTRIES)
  const isLong = first.trim().split(/\s+/).length >= MIN_SENTENCE
  return isLong && rest.some((part) => /^\s*\p{Ll}/u.test(part))
}
/** In words. Reasons of lists have fewer. */
const MIN_SENTENCE = 6

/** The names that a word such as "and" joins, if all are known: two companies, and not Johnson & Johnson. */
const joinedNames = (text: string, isKnown: (name: string) => boolean): ReadonlyArray<string> => {
  const names = namesIn(text)
  return names.every(isKnown) && new Set(names.map(fold)).size === names.length ? names : [text]
}
