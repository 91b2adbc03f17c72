import { lower, raise } from "../core/common/raisedDigits.ts"

/** How a text is set off its base line: a superscript or a subscript. */
export type Shift = "raised" | "lowered" | undefined

/** The shift that a number states, such as a percentage: up is positive. */
export const shiftOf = (up: number): Shift => (up > 0 ? "raised" : up < 0 ? "lowered" : undefined)

/** Writes text as it is read, its marks of notes and exponents apart from numbers. It keeps the last part, because looking into a long text copies it. */
export const shiftedText = () => {
  let before = ""
  return {
    write: (value: string, shift: Shift): string => {
      const written = shift === undefined ? value : shift === "raised" ? raise(value, before) : lower(value, before)
      before = written.length > 1 ? written : (before + written).slice(-2)
      return written
    },
    /** Begins another text. */
    restart: (): void => {
      before = ""
    },
  }
}

const STYLE = /vertical-align\s*:\s*(super|sub)\b/i

const shiftOfElement = (name: string, style: string | undefined): Shift => {
  const shown = name === "sup" || name === "sub" ? name : style === undefined ? undefined : STYLE.exec(style)?.[1]
  return shown === undefined ? undefined : /^sup/i.test(shown) ? "raised" : "lowered"
}

/** Writes the text of HTML. It receives each element that opens or closes. */
export const shiftedHtml = () => {
  const { write, restart } = shiftedText()
  const open: Array<Shift> = []
  return {
    open: (name: string, { style }: Readonly<Record<string, string>>): void => {
      open.push(shiftOfElement(name, style) ?? open.at(-1))
    },
    close: (): void => void open.pop(),
    write: (value: string): string => write(value, open.at(-1)),
    restart,
  }
}
