import { EXCERPT_LENGTH, MAX_LINE, type ReadRecord } from "../../ports/table.ts"
import { readObject, refuse } from "./LineReader.ts"
import { type TextOptions, TextReader } from "./TextReader.ts"

/** The characters that end or nest an element, outside and inside of its strings. */
const OUTSIDE = /["{}[\],\n]/g
const INSIDE = /["\\\n]/g

/** Reads the objects of a JSON array from chunks of any size, without holding more than one of them. */
export class ArrayReader {
  readonly #text: TextReader
  #line = 1
  /** The line of the comma or bracket before the element. */
  #separatorLine = 1
  #depth = 0
  #isString = false
  #isEscaped = false
  #element = ""
  #isTooLong = false
  #isOver = false
  #problem: string | undefined

  constructor(options: TextOptions = {}) {
    this.#text = new TextReader(options)
  }

  get encoding() {
    return this.#text.encoding
  }

  /** Why the rest cannot be read, as the end of a sentence about the file. */
  get problem(): string | undefined {
    return this.#text.problem ?? this.#problem
  }

  settle(): void {
    this.#text.settle()
  }

  push(bytes: Uint8Array): Array<ReadRecord> {
    return this.#read(this.#text.push(bytes))
  }

  end(): Array<ReadRecord> {
    const records = this.#read(this.#text.end())
    if (!this.#isOver) this.#problem ??= "ends before its JSON array does: it was cut short"
    return records
  }

  #read(text: string): Array<ReadRecord> {
    const records: Array<ReadRecord> = []
    let from = 0
    let at = 0
    while (at < text.length && !this.#isOver) {
      if (this.#isEscaped) {
        this.#isEscaped = false
        at++
        continue
      }
      const marks = this.#isString ? INSIDE : OUTSIDE
      marks.lastIndex = at
      const found = marks.exec(text)
      if (found === null) break
      at = found.index + 1
      const isElementOver = this.#meet(found[0])
      if (!isElementOver && !(found[0] === "[" && this.#depth === 1)) continue
      this.#append(text.slice(from, found.index))
      if (isElementOver) this.#close(records)
      this.#element = ""
      this.#separatorLine = this.#line
      from = at
    }
    if (!this.#isOver) this.#append(text.slice(from))
    else if (text.slice(at).trim() !== "") this.#problem ??= "has text after its JSON array"
    return records
  }

  /** Whether an element of the array ends before this character. */
  #meet(mark: string): boolean {
    if (mark === "\n") this.#line++
    else if (mark === '"') this.#isString = !this.#isString
    else if (mark === "\\") this.#isEscaped = true
    else if (mark === ",") return this.#depth === 1
    else if (mark === "{" || mark === "[") this.#depth++
    else if (--this.#depth === 0) {
      this.#isOver = true
      return true
    }
    return false
  }

  #append(text: string): void {
    if (this.#element.length + text.length > MAX_LINE) this.#isTooLong = true
    this.#element = this.#isTooLong ? (this.#element + text).slice(0, EXCERPT_LENGTH) : this.#element + text
  }

  #close(records: Array<ReadRecord>): void {
    const text = this.#element.trimStart()
    const line = this.#separatorLine + this.#element.slice(0, this.#element.length - text.length).split("\n").length - 1
    const problem = this.#isTooLong ? `must be at most ${MAX_LINE} characters long` : this.#text.damageIn([text])
    this.#isTooLong = false
    // An empty array, or a comma after the last element.
    if (text === "" && this.#isOver) return
    records.push(problem === undefined ? readObject(line, text, NOT_OBJECT) : refuse(line, text, problem))
  }
}

const NOT_OBJECT = "must be a JSON object"
