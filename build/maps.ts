// Source maps for stack traces: each place of the built code with its file and line, not with its column and names. Those of every token
// would be seven times as large.

/** Columns from 0: in the built line, and then, if the code is ours, the source's index and line. */
type Segment = readonly [column: number, source?: number, line?: number]

export interface SourceMap {
  readonly sources: ReadonlyArray<string | null>
  readonly mappings: string
}

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
const VALUES = new Map([...DIGITS].map((digit, value) => [digit, value]))

/** The numbers of a segment: base64 digits of five bits, least first, each with a bit that says whether more follow. The lowest bit is the sign. */
const readNumbers = (text: string) => {
  const numbers: Array<number> = []
  let [value, shift] = [0, 0]
  for (const digit of text) {
    const bits = VALUES.get(digit)!
    value += (bits & 31) << shift
    shift += 5
    if ((bits & 32) !== 0) continue
    numbers.push((value & 1) === 1 ? -(value >> 1) : value >> 1)
    ;[value, shift] = [0, 0]
  }
  return numbers
}

const writeNumber = (number: number) => {
  let rest = number < 0 ? (-number << 1) | 1 : number << 1
  let text = ""
  do {
    const bits = rest & 31
    rest >>= 5
    text += DIGITS[rest > 0 ? bits | 32 : bits]
  } while (rest > 0)
  return text
}

const read = (mappings: string): ReadonlyArray<ReadonlyArray<Segment>> => {
  let [source, line] = [0, 0]
  return mappings.split(";").map((text) => {
    let column = 0
    return (text === "" ? [] : text.split(",")).map((segment): Segment => {
      const [byColumn = 0, bySource, byLine = 0] = readNumbers(segment)
      column += byColumn
      if (bySource === undefined) return [column]
      source += bySource
      line += byLine
      return [column, source, line]
    })
  })
}

const write = (lines: ReadonlyArray<ReadonlyArray<Segment>>) => {
  let [lastSource, lastLine] = [0, 0]
  const writeLine = (segments: ReadonlyArray<Segment>) => {
    let lastColumn = 0
    return segments
      .map(([column, source, line = 0]) => {
        const numbers = source === undefined ? [] : [source - lastSource, line - lastLine, 0]
        const text = [column - lastColumn, ...numbers].map(writeNumber).join("")
        lastColumn = column
        if (source !== undefined) [lastSource, lastLine] = [source, line]
        return text
      })
      .join(",")
  }
  return lines.map(writeLine).join(";")
}

/** A place of built code at which its line has become longer. */
export interface Edit {
  readonly line: number
  readonly column: number
  readonly growth: number
}

/** Replaces within lines. Returns the code, and where it has grown. */
export const edit = (code: string, pattern: RegExp, replace: (match: RegExpExecArray) => string) => {
  const edits: Array<Edit> = []
  const edited = code.split("\n").map((text, line) => {
    let [done, from] = ["", 0]
    for (const match of text.matchAll(pattern)) {
      const replacement = replace(match)
      const column = match.index + match[0].length
      done += text.slice(from, match.index) + replacement
      from = column
      edits.push({ line, column, growth: replacement.length - match[0].length })
    }
    return done + text.slice(from)
  })
  return { code: edited.join("\n"), edits }
}

/** Moves segments by rounds of edits, each of which counts columns as the one before it left them. */
const moveBy = (rounds: ReadonlyArray<ReadonlyArray<Edit>>) => (segments: ReadonlyArray<Segment>, line: number) =>
  rounds.reduce<ReadonlyArray<Segment>>((moved, edits) => {
    const here = edits.filter((edit) => edit.line === line)
    if (here.length === 0) return moved
    return moved.map(([column, ...place]) => {
      const growth = here.reduce((sum, edit) => (edit.column <= column ? sum + edit.growth : sum), 0)
      return [column + growth, ...place] as Segment
    })
  }, segments)

/** The map of edited code, by file and line. Code of other packages has no place. Undefined if none of the code is ours. */
export const lineMap = (map: SourceMap, rounds: ReadonlyArray<ReadonlyArray<Edit>>): string | undefined => {
  const sources: Array<string> = []
  const indexes = map.sources.map((source) => {
    if (source === null || !/^(?:\.\.\/)+src\//.test(source)) return undefined
    return sources.push(source) - 1
  })
  const move = moveBy(rounds)
  const lines = read(map.mappings).map((segments, line) => {
    let last = ""
    return move(segments, line).flatMap(([column, source, at]): ReadonlyArray<Segment> => {
      const index = source === undefined ? undefined : indexes[source]
      const place = index === undefined ? "" : `${index}:${at}`
      if (place === last) return []
      last = place
      return [index === undefined ? [column] : [column, index, at!]]
    })
  })
  return sources.length === 0 ? undefined : JSON.stringify({ version: 3, sources, names: [], mappings: write(lines) })
}
