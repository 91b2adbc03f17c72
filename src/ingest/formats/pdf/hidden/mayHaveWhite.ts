import { type Box, makeBox, IDENTITY, type Matrix, times } from "../page/matrix.ts"

const NEAR_ONE = String.raw`(?:1(?:\.0*)?|0?\.9[5-9]\d*)`
/** Text that follows a fill near white, with no other fill between. */
const WHITE_TEXT = new RegExp(
  String.raw`(?:^|\s)(?:${NEAR_ONE}\s+g|(?:${NEAR_ONE}\s+){3}(?:rg|scn?)|0\s+0\s+0\s+0\s+(?:k|scn?)|${NEAR_ONE}\s+scn?)\s` +
    String.raw`(?:(?!\s(?:g|rg|k|scn?|Q)\s)[^]){0,2000}?[\])>]\s*T[jJ]`,
)

/**
 * Whether a content stream may draw text in white that no ground of the stream is certainly under. Only then are the operators of
 * pages worth their time: white headers on dark bars are on every page of many files.
 */
export const mayHaveWhite = (content: string): boolean => WHITE_TEXT.test(content) && !isOnGrounds(content)

const SPACE = /[\s\0]*(?:%[^\r\n]*[\s\0]*)*/y
const TOKEN =
  /\((?:[^()\\]|\\[^])*\)|<<|>>|<[\dA-Fa-f\s]*>|[[\]]|\/[^\s()<>[\]{}/%]*|[+-]?(?:\d+\.?\d*|\.\d+)(?![^\s()<>[\]/%])|[A-Za-z'"][\w*]*/y

/** In ems, of a letter: an estimate, because a content stream has no widths. */
const LETTER = 0.5
const NEAR_WHITE = 0.95
/** In points. More space between letters or words makes the estimate worthless. */
const MAX_SPACE = 1
/** In points. A smaller shape is no ground of text. */
const MIN_SIDE = 4
/** A stream with more is a drawing. */
const MAX_GROUNDS = 1_000
const MAX_OPERANDS = 2_000

type Fill = "white" | "other" | "unknown"

/** White may be a color of `sc` and `scn` in any space; that another one is dark, their spaces alone know. */
const findFill = (operator: string, color: ReadonlyArray<number>): Fill => {
  const isWhite =
    color.length === 4 ? color.every((ink) => ink <= 1 - NEAR_WHITE) : color.every((light) => light >= NEAR_WHITE)
  return isWhite ? "white" : operator.startsWith("s") ? "unknown" : "other"
}

/** The length of a string's text in ems, with the shifts of an array of strings (`TJ`). */
const measureLength = (operands: ReadonlyArray<string>): number => {
  let length = 0
  for (const operand of operands) {
    if (operand.startsWith("(")) length += LETTER * (operand.length - 2)
    // Fonts of hexadecimal strings have two bytes for a letter.
    else if (operand.startsWith("<")) length += (LETTER * (operand.length - 2)) / 4
    else if (operand !== "[" && operand !== "]") length -= Number(operand) / 1000
  }
  return length
}

interface State {
  readonly matrix: Matrix
  readonly fill: Fill
}

/** Whether each white text of a content stream lies on a box that the stream filled before in another color. In doubt it does not. */
const isOnGrounds = (content: string): boolean => {
  const stack: Array<State> = []
  let state: State = { matrix: IDENTITY, fill: "other" }
  const grounds: Array<Box> = []
  let path: Array<Box> = []
  let line: Matrix = IDENTITY
  /** The end of the last text of the line, in ems. */
  let shift = 0
  let size = 1
  let leading = 0
  let isClear = true
  const move = (x: number, y: number) => {
    line = times(line, [1, 0, 0, 1, x, y])
    shift = 0
  }
  const extend = (points: ReadonlyArray<number>) => {
    let box = path.pop()
    for (let at = 0; box !== undefined && at + 1 < points.length; at += 2) {
      const [x, y] = makeBox(state.matrix, [points[at]!, points[at + 1]!, points[at]!, points[at + 1]!])
      box = [Math.min(box[0], x), Math.min(box[1], y), Math.max(box[2], x), Math.max(box[3], y)]
    }
    if (box !== undefined) path.push(box)
  }
  const paint = () => {
    const isGround = (box: Box) => box[2] - box[0] >= MIN_SIDE && box[3] - box[1] >= MIN_SIDE
    if (state.fill === "other") grounds.push(...path.filter(isGround))
    path = []
  }
  const show = (operands: ReadonlyArray<string>) => {
    const length = measureLength(operands)
    const from = shift * size
    shift += length
    if (state.fill === "other") return
    const matrix = times(state.matrix, line)
    const [left, low, right, high] = makeBox(matrix, [from, 0, shift * size, 0])
    isClear &&= grounds.some((box) => left >= box[0] && right <= box[2] && low >= box[1] && high <= box[3])
  }
  const steps: Readonly<Record<string, (numbers: ReadonlyArray<number>, operands: ReadonlyArray<string>) => void>> = {
    q: () => void stack.push(state),
    Q: () => void (state = stack.pop() ?? state),
    cm: (by) => void (state = { ...state, matrix: times(state.matrix, by) }),
    m: ([x = 0, y = 0]) => void path.push(makeBox(state.matrix, [x, y, x, y])),
    re: ([x = 0, y = 0, width = 0, height = 0]) => void path.push(makeBox(state.matrix, [x, y, x + width, y + height])),
    Tc: ([space = 0]) => void (isClear &&= Math.abs(space) <= MAX_SPACE),
    Tw: ([space = 0]) => void (isClear &&= Math.abs(space) <= MAX_SPACE),
    Tz: ([scale = 100]) => void (isClear &&= scale <= 100),
    BT: () => {
      line = IDENTITY
      shift = 0
    },
    Td: ([x = 0, y = 0]) => move(x, y),
    TD: ([x = 0, y = 0]) => {
      leading = -y
      move(x, y)
    },
    TL: ([value = 0]) => void (leading = value),
    "T*": () => move(0, -leading),
    Tm: (matrix) => {
      line = times(IDENTITY, matrix)
      shift = 0
    },
    Tf: (numbers) => void (size = numbers.at(-1) ?? 1),
    Tj: (_, operands) => show(operands),
    TJ: (_, operands) => show(operands),
    "'": (_, operands) => {
      move(0, -leading)
      show(operands)
    },
  }
  for (const operator of ["g", "rg", "k", "sc", "scn"])
    Object.assign(steps, {
      [operator]: (color: ReadonlyArray<number>) => void (state = { ...state, fill: findFill(operator, color) }),
    })
  for (const operator of ["f", "F", "f*", "B", "B*", "b", "b*"]) Object.assign(steps, { [operator]: paint })
  for (const operator of ["S", "s", "n"]) Object.assign(steps, { [operator]: () => void (path = []) })
  for (const operator of ["l", "c", "v", "y"]) Object.assign(steps, { [operator]: extend })
  // Text with spaces of its own, and bytes that are no operators.
  for (const operator of ['"', "BI"]) Object.assign(steps, { [operator]: () => void (isClear = false) })

  let operands: Array<string> = []
  for (let at = 0; ;) {
    if (!isClear || grounds.length > MAX_GROUNDS || path.length > MAX_GROUNDS || operands.length > MAX_OPERANDS)
      return false
    SPACE.lastIndex = at
    SPACE.test(content)
    TOKEN.lastIndex = SPACE.lastIndex
    const token = TOKEN.exec(content)?.[0]
    if (token === undefined) return SPACE.lastIndex >= content.length
    at = TOKEN.lastIndex
    if (!/^[A-Za-z'"]/.test(token)) {
      operands.push(token)
      continue
    }
    if (Object.hasOwn(steps, token)) steps[token]!(operands.map(Number).filter(Number.isFinite), operands)
    operands = []
  }
}
