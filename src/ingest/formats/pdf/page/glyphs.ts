import type { PDFPageProxy } from "pdfjs-dist"
import { loadEngine } from "./engine.ts"
import { IDENTITY, type Matrix, times } from "./matrix.ts"

/** A letter of a page, in page units. */
export interface Glyph {
  readonly text: string
  readonly start: number
  readonly end: number
  readonly up: number
  /** The usual width of the space that is drawn before it; 0 without one. */
  readonly space: number
}

/** The state that the operators of text change (ISO 32000-1, 9.3 and 9.4). */
interface State {
  readonly matrix: Matrix
  /** The start of the current line, and what precedes its next text. */
  readonly line: Matrix
  readonly x: number
  readonly leading: number
  readonly size: number
  readonly scale: number
  readonly letterSpacing: number
  readonly wordSpacing: number
  readonly rise: number
  readonly unit: number
}

const START: State = {
  matrix: IDENTITY,
  line: IDENTITY,
  x: 0,
  leading: 0,
  size: 0,
  scale: 1,
  letterSpacing: 0,
  wordSpacing: 0,
  rise: 0,
  unit: 0.001,
}

type Shown = { readonly unicode: string; readonly width: number; readonly isSpace: boolean } | number | null

const movedBy = (state: State, x: number, y: number): State => ({
  ...state,
  line: times(state.line, [1, 0, 0, 1, x, y]),
  x: 0,
})

/** Adds the letters that are drawn upright, and returns the place after them. */
const show = (state: State, shown: ReadonlyArray<Shown>, glyphs: Array<Glyph>): number => {
  const [a, b, , , e, f] = times(times(state.matrix, state.line), [1, 0, 0, 1, 0, state.rise])
  let { x } = state
  let space = 0
  for (const glyph of shown) {
    if (typeof glyph === "number") x -= (glyph * state.size * state.scale) / 1000
    else if (glyph !== null) {
      const width = glyph.width * state.unit * state.size * state.scale
      const isSpace = glyph.unicode.trim() === ""
      if (b === 0 && a > 0 && !isSpace)
        glyphs.push({ text: glyph.unicode, start: a * x + e, end: a * (x + width) + e, up: f, space })
      space = isSpace ? a * width : 0
      x += width + (state.letterSpacing + (glyph.isSpace ? state.wordSpacing : 0)) * state.scale
    }
  }
  return x
}

/** The letters of a page that are drawn from left to right. pdf.js itself has the place of a whole text only. */
export const readGlyphs = async (page: PDFPageProxy): Promise<ReadonlyArray<Glyph>> => {
  const { OPS } = await loadEngine()
  const { fnArray, argsArray } = await page.getOperatorList()
  const glyphs: Array<Glyph> = []
  const stack: Array<State> = []
  let state = START
  const unitOf = (font: string) =>
    page.commonObjs.has(font) ? ((page.commonObjs.get(font)?.fontMatrix?.[0] as number | undefined) ?? 0.001) : 0.001
  const withFont = ([font, size]: ReadonlyArray<any>) => (state = { ...state, size, unit: unitOf(font) })
  const push = () => void stack.push(state)
  const pop = () => (state = stack.pop() ?? state)
  const transform = (by: ReadonlyArray<number> | null) => (state = { ...state, matrix: times(state.matrix, by ?? []) })
  const perform: Readonly<Record<number, (args: ReadonlyArray<any>) => void>> = {
    [OPS.save]: push,
    [OPS.restore]: pop,
    [OPS.transform]: transform,
    [OPS.paintFormXObjectBegin]: ([by]) => {
      push()
      transform(by)
    },
    [OPS.paintFormXObjectEnd]: pop,
    [OPS.beginText]: () => (state = { ...state, line: IDENTITY, x: 0 }),
    [OPS.setTextMatrix]: ([line]) => (state = { ...state, line, x: 0 }),
    [OPS.moveText]: ([x, y]) => (state = movedBy(state, x, y)),
    [OPS.setLeading]: ([leading]) => (state = { ...state, leading: -leading }),
    [OPS.setLeadingMoveText]: ([x, y]) => (state = movedBy({ ...state, leading: y }, x, y)),
    [OPS.nextLine]: () => (state = movedBy(state, 0, state.leading)),
    [OPS.setCharSpacing]: ([letterSpacing]) => (state = { ...state, letterSpacing }),
    [OPS.setWordSpacing]: ([wordSpacing]) => (state = { ...state, wordSpacing }),
    [OPS.setHScale]: ([scale]) => (state = { ...state, scale: scale / 100 }),
    [OPS.setTextRise]: ([rise]) => (state = { ...state, rise }),
    [OPS.setFont]: withFont,
    [OPS.setGState]: ([states]) => {
      for (const [key, value] of states as ReadonlyArray<[string, any]>) if (key === "Font") withFont(value)
    },
    [OPS.showText]: ([shown]) => (state = { ...state, x: show(state, shown, glyphs) }),
  }
  for (const [index, operation] of fnArray.entries()) perform[operation]?.(argsArray[index] ?? [])
  return glyphs
}
