import { EXCERPT_LENGTH, MAX_LINE, type ReadRecord } from "../../ports/table.ts"
import { describeMojibake, mayBeMojibake, mojibakeIn } from "./mojibake.ts"
import { type TextOptions, TextReader } from "./TextReader.ts"

/** Reads NDJSON from chunks of any size. Skips blank lines, and refuses a line that is too long without buffering it. */
export class LineReader {
  readonly #text: TextReader
  #line = 1
  #rest = ""
  #isSkipping = false

  constructor(options: TextOptions = {}) {
    this.#text = new TextReader(options)
  }

  get encoding() {
    return this.#text.encoding
  }

  /** Why the rest cannot be read, as the end of a sentence about the file. */
  get problem(): string | undefined {
    return this.#text.problem
  }

  settle(): void {
    this.#text.settle()
  }

  push(bytes: Uint8Array): Array<ReadRecord> {
    return this.#read(this.#text.push(bytes))
  }

  end(): Array<ReadRecord> {
    const records = this.#read(this.#text.end())
    this.#close(records, "")
    return records
  }

  #read(text: string): Array<ReadRecord> {
    const records: Array<ReadRecord> = []
    let start = 0
    for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", start)) {
      this.#close(records, text.slice(start, end))
      this.#line++
      start = end + 1
    }
    if (!this.#isSkipping) this.#rest += start === 0 ? text : text.slice(start)
    if (this.#rest.length > MAX_LINE) {
      this.#isSkipping = true
      this.#rest = this.#rest.slice(0, EXCERPT_LENGTH)
    }
    return records
  }

  #close(records: Array<ReadRecord>, tail: string): void {
    const text = this.#rest === "" ? tail : this.#rest + tail
    const isTooLong = this.#isSkipping || text.length > MAX_LINE
    this.#rest = ""
    this.#isSkipping = false
    if (!isTooLong && text.trim() === "") return
    const problem = isTooLong ? `must be at most ${MAX_LINE} characters long` : this.#text.damageIn([text])
    records.push(problem === undefined ? readObject(this.#line, text, NOT_OBJECT) : refuse(this.#line, text, problem))
  }
}

const NOT_OBJECT = "must be one JSON object on one line"

export const refuse = (line: number, text: string, problem: string): ReadRecord => ({
  line,
  problem,
  text: text.slice(0, EXCERPT_LENGTH).toWellFormed(),
})

/** Reads one object. `notObject` is the problem of anything else. */
export const readObject = (line: number, text: string, notObject: string): ReadRecord => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return refuse(line, text, notObject)
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return refuse(line, text, notObject)
  const mojibake = mayBeMojibake(text) ? mojibakeIn(text) : undefined
  if (mojibake !== undefined) return refuse(line, text, `has ${describeMojibake(mojibake)}`)
  // Only an escape can put a NUL or half a surrogate pair into well-formed JSON.
  return { line, value, size: text.length, isSuspect: text.includes("\\u") }
}
