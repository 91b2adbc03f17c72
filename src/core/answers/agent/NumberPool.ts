import { matches, type Value, valuesOf } from "../citations/values.ts"

/** Values of one answer. Beyond them, none is added: then a number may be withheld that a result has. */
const MAX_VALUES = 20_000

/** Fields that point to a result: digits in them are no values. */
const POINTERS: ReadonlySet<string> = new Set(["ref", "url"])
const MARKERS = /\[\[[^\]]*\]\]/g

/** The numbers and dates that tools returned in one answer. */
export class NumberPool {
  readonly #known = new Map<string, Value>()

  /** Adds each number, and each value that a text states, of a result as JSON. */
  add(json: unknown): void {
    if (typeof json === "number") {
      this.#add(json)
      // Reports have shares as fractions, and answers write them in percent.
      if (!Number.isInteger(json)) this.#add(json * 100)
    } else if (typeof json === "string") {
      for (const value of valuesOf(json.replaceAll(MARKERS, " "))) this.#keep(value)
    } else if (typeof json === "object" && json !== null) {
      for (const [key, each] of Object.entries(json)) if (!POINTERS.has(key)) this.add(each)
    }
  }

  has(stated: Value): boolean {
    for (const known of this.#known.values()) if (matches(stated, known)) return true
    return false
  }

  #add(number: number) {
    this.#keep({ kind: "number", readings: [{ value: number, step: 0 }], start: 0, end: 0 })
  }

  #keep(value: Value) {
    if (this.#known.size >= MAX_VALUES) return
    const { start: _, end: __, ...meaning } = value
    this.#known.set(JSON.stringify(meaning), value)
  }
}
