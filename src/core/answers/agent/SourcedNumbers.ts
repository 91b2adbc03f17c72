import { normalizeDigits } from "../../common/raisedDigits.ts"
import type { Grounded } from "../citations/Grounding.ts"
import { type Citable, isOfReport } from "../citations/References.ts"
import { isSame, matches, type Value, findValues } from "../citations/values.ts"
import { labelRows } from "../../search/rows.ts"
import { findInlineList, isCount } from "./lists.ts"

/** Values of one answer. Beyond them, none is added: then a number may be withheld that has a source. */
const MAX_VALUES = 5000

/** The bounds of filters that are numbers. */
const BOUNDS: ReadonlySet<string> = new Set(["min", "max", "below", "above"])

/** Letters with digits that state a number all the same: "EUR172", "x3". */
const AMOUNT_CODE = /^(?:usd|eur|gbp|chf|us|x)-?\d/

/**
 * The numbers that a model may write itself: those of the caller's messages, dates and bounds of tools' arguments, and verbatim
 * those of a passage that the same sentence cites. It inserts all others by reference.
 */
export class SourcedNumbers {
  readonly #known = new Map<string, Value>()

  /** Adds what the caller said. */
  say(texts: ReadonlyArray<string>): void {
    for (const text of texts) this.#keep(findValues(normalizeDigits(text)))
  }

  /** Adds the dates and bounds of a tool's arguments, or the dates that name rows. */
  bound(json: unknown, key = ""): void {
    if (typeof json === "number" && BOUNDS.has(key)) this.#keep(findValues(String(json)))
    else if (typeof json === "string") {
      const values = findValues(key === "period" ? json.replaceAll("_", " ") : json)
      this.#keep(key === "period" ? values : values.filter(({ kind }) => kind === "date"))
    } else if (typeof json === "object" && json !== null)
      for (const [name, each] of Object.entries(json)) if (name !== "query") this.bound(each, name)
  }

  /**
   * The numbers of a sentence that have no source. Its text has the inserted values: a digit, scale or unit beside one makes another
   * number of it. Each inserted value is a source of one number.
   */
  unsourcedIn(text: string, sentence: ReadonlyArray<Grounded>): ReadonlyArray<Value> {
    const plain = normalizeDigits(text)
    const values = findValues(plain).filter((value) => value.kind !== "code" || AMOUNT_CODE.test(value.code))
    if (values.length === 0) return []
    const inserted = sentence.flatMap((part) => (part.type === "value" ? findValues(normalizeDigits(part.text)) : []))
    const cited = sentence.flatMap((part) => (part.type === "quotes" ? part.quotes.flatMap(valuesIn) : []))
    const known = [...this.#known.values()]
    const list = findInlineList(plain)
    return values.filter((value) => {
      const at = inserted.findIndex((other) => isSame(value, other))
      if (at >= 0) return inserted.splice(at, 1).length === 0
      return !(
        cited.some((other) => isSame(value, other)) ||
        known.some((other) => isRepeated(value, other)) ||
        (value.start < list.start && isCount(value, list.count))
      )
    })
  }

  #keep(values: ReadonlyArray<Value>) {
    for (const value of values) {
      if (this.#known.size >= MAX_VALUES) return
      const { start: _, end: __, ...meaning } = value
      this.#known.set(JSON.stringify(meaning), value)
    }
  }
}

/** Digits of other scripts, which nothing here reads. */
export const hasForeignDigits = (text: string): boolean => /(?!\d)\p{Nd}/u.test(normalizeDigits(text))

/** The values of a cited passage. Those of a report's row are inserted by reference. */
const valuesIn = (citable: Citable): ReadonlyArray<Value> => {
  switch (citable.kind) {
    case "quote": {
      const { passage, start, end } = citable.quote
      return findValues(normalizeDigits(labelRows(passage, start, end)))
    }
    case "cited":
      return isOfReport(citable.citation) ? [] : findValues(normalizeDigits(citable.citation.excerpt))
    case "row":
      return []
  }
}

/** A currency may be added to a known number, but no percent sign and no unit of time. */
const isRepeated = (value: Value, said: Value): boolean => {
  if (value.kind !== "number" || said.kind !== "number") return matches(value, said)
  const isPercent = ({ unit }: typeof value) => unit === "%"
  return (
    isPercent(value) === isPercent(said) &&
    (value.days === undefined || said.days !== undefined) &&
    matches(value, said)
  )
}
