import { parseLine, type Refused, refused, type Unchecked } from "../entry.ts"
import { TextReader } from "./TextReader.ts"

/** The longest line, in characters. */
export const MAX_LINE = 1_048_576

/** Parses NDJSON from chunks of any size. Skips blank lines, and refuses a line that is too long without buffering it. */
export class LineReader {
  readonly #text = new TextReader()
  #line = 1
  #rest = ""
  #skipping = false

  push(bytes: Uint8Array): Array<Unchecked | Refused> {
    return this.#read(this.#text.push(bytes))
  }

  end(): Array<Unchecked | Refused> {
    const parsed = this.#read(this.#text.end())
    this.#close(parsed, "")
    return parsed
  }

  #read(text: string): Array<Unchecked | Refused> {
    const parsed: Array<Unchecked | Refused> = []
    let start = 0
    for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", start)) {
      this.#close(parsed, text.slice(start, end))
      this.#line++
      start = end + 1
    }
    this.#rest += start === 0 ? text : text.slice(start)
    if (this.#rest.length > MAX_LINE) {
      this.#skipping = true
      this.#rest = ""
    }
    return parsed
  }

  #close(parsed: Array<Unchecked | Refused>, tail: string): void {
    const line = this.#rest === "" ? tail : this.#rest + tail
    const tooLong = this.#skipping || line.length > MAX_LINE
    this.#rest = ""
    this.#skipping = false
    if (tooLong) {
      parsed.push({ ...refused(this.#line, "record", `must be at most ${MAX_LINE} characters long`), unreadable: true })
    } else if (this.#text.damaged && line.includes("\ufffd")) {
      parsed.push(
        refused(this.#line, "record", "contains bytes that are not UTF-8, although the rest of the file is UTF-8"),
      )
    } else if (line.trim() !== "") {
      parsed.push(parseLine(this.#line, line))
    }
  }
}
