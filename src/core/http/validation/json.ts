const SPACE = /[ \t\n\r]*/y
const LAST_SPACE = 0x20
const SCALAR = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y

type Bracket = "[" | "{"

/** The tokens that the grammar accepts next. */
type Next = "a value" | "a value or ]" | 'a name in "' | 'a name in " or }' | ":" | ", or ]" | ", or }" | "nothing more"

/**
 * Explains where a text stops being JSON: line and column, from 1, and what was expected there. Undefined for valid JSON.
 * The errors of `JSON.parse` differ by runtime, and some have no position.
 */
export const jsonProblem = (text: string): string | undefined => {
  const open: Array<Bracket> = []
  let next: Next = "a value"
  let at = 0
  for (;;) {
    if (text.charCodeAt(at) <= LAST_SPACE) at += matchAt(SPACE, text, at)
    const character = text[at]
    if (character === undefined) return next === "nothing more" ? undefined : describePosition(text, at, next)
    const takesValue: boolean = isBeforeValue(next)
    const punctuated = takePunctuation(character, next, open)
    if (punctuated !== undefined) {
      next = punctuated
      at++
    } else if (character === '"' && (takesValue || next.startsWith("a name"))) {
      const end = endOfString(text, at)
      if (!end.closed)
        return describePosition(
          text,
          end.at,
          end.at === text.length ? 'a closing "' : "an escape such as \\n or \\u0041",
        )
      next = takesValue ? afterValue(open) : ":"
      at = end.at
    } else {
      const length = takesValue ? matchAt(SCALAR, text, at) : 0
      if (length === 0) return describePosition(text, at, next)
      next = afterValue(open)
      at += length
    }
  }
}

const isBeforeValue = (next: Next): boolean => next === "a value" || next === "a value or ]"

const afterValue = (open: ReadonlyArray<Bracket>): Next =>
  open.length === 0 ? "nothing more" : open.at(-1) === "[" ? ", or ]" : ", or }"

/** Opens or closes a bracket, or passes a comma or colon. Returns what comes next; undefined if the character may not be here. */
const takePunctuation = (character: string, next: Next, open: Array<Bracket>): Next | undefined => {
  if (isBeforeValue(next) && (character === "[" || character === "{")) {
    open.push(character)
    return character === "[" ? "a value or ]" : 'a name in " or }'
  }
  if (CLOSES[character]?.includes(next)) {
    open.pop()
    return afterValue(open)
  }
  if (character === "," && next === ", or ]") return "a value"
  if (character === "," && next === ", or }") return 'a name in "'
  return character === ":" && next === ":" ? "a value" : undefined
}

const CLOSES: Readonly<Record<string, ReadonlyArray<Next>>> = {
  "]": ["a value or ]", ", or ]"],
  "}": ['a name in " or }', ", or }"],
}

const matchAt = (pattern: RegExp, text: string, at: number): number => {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0].length ?? 0
}

/** Finds the end of the string that begins at `start`, or the character that makes it invalid. */
const endOfString = (text: string, start: number): { readonly at: number; readonly closed: boolean } => {
  for (let at = start + 1; at < text.length; at++) {
    const character = text[at]!
    if (character === '"') return { at: at + 1, closed: true }
    if (character < " ") return { at, closed: false }
    if (character !== "\\") continue
    const escape = /^(?:["\\/bfnrt]|u[\da-fA-F]{4})/.exec(text.slice(at + 1, at + 6))
    if (escape === null) return { at, closed: false }
    at += escape[0].length
  }
  return { at: text.length, closed: false }
}

const describePosition = (text: string, at: number, expected: string): string => {
  const lines = text.slice(0, at).split("\n")
  const found =
    at >= text.length ? "the text ends" : `found ${JSON.stringify(String.fromCodePoint(text.codePointAt(at)!))}`
  return `line ${lines.length}, column ${lines.at(-1)!.length + 1}: expected ${expected}, but ${found}`
}
