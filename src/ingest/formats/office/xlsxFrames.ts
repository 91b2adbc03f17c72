import type { Attributes } from "./xml.ts"

/** The headers and footers of a sheet that are printed, by the attribute without which Excel leaves them out. */
const FRAMES: ReadonlyMap<string, string | undefined> = new Map(
  ["Header", "Footer"].flatMap((name) => [
    [`odd${name}`, undefined],
    [`even${name}`, "differentOddEven"],
    [`first${name}`, "differentFirst"],
  ]),
)

/** Codes of fonts, sizes, colours, pictures, page numbers, dates and names of files (ECMA-376 part 1, 18.3.1.46). */
const CODES = /&(?:"[^"]{0,200}"|\d{1,3}|K(?:[0-9A-F]{6}|\d\d[+-]\d{3})|[^LCR&])/gi

/** The number of the page with the words around it: “Page &P of &N”. */
const PAGE_NUMBER = /(?:(?<!\p{L})\p{L}+\.?\s*)?&P(?:\s*(?:\p{L}+|\/)\s*&N)?/giu

/** The text of a header or footer, without its codes; its sections are lines. */
const readFrame = (raw: string): string =>
  raw
    .split("&&")
    .map((part) =>
      part
        .split(/&[LCR]/i)
        .map((section) => section.replaceAll(PAGE_NUMBER, "").replaceAll(CODES, ""))
        .join("\n"),
    )
    .join("&")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join("\n")

/** Collects the headers and footers of a sheet. */
export const makeFrames = () => {
  const texts: Array<string> = []
  let settings: Attributes = {}
  let raw: string | undefined
  return {
    texts: texts as ReadonlyArray<string>,
    open: (name: string, attributes: Attributes): void => {
      if (name === "headerFooter") settings = attributes
      if (!FRAMES.has(name)) return
      const needed = FRAMES.get(name)
      if (needed === undefined || ["1", "true"].includes(settings[needed] ?? "")) raw = ""
    },
    text: (value: string): void => {
      if (raw !== undefined) raw += value
    },
    close: (name: string): void => {
      if (raw === undefined || !FRAMES.has(name)) return
      texts.push(readFrame(raw))
      raw = undefined
    },
  }
}
