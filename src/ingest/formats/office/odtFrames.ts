import { shiftedText } from "../../shiftedText.ts"
import type { Zip } from "../../safety/zip.ts"
import { attribute } from "./office.ts"
import type { odtHidden } from "./odtHidden.ts"
import { readXml } from "./xml.ts"

const STYLES = "styles.xml"

const FRAMES: ReadonlySet<string> = new Set(
  ["header", "footer"].flatMap((name) => [name, `${name}-left`, `${name}-first`]),
)

/** Reads the headers and footers that the page styles of an OpenDocument text show (ODF 1.3 part 3, 16.10 to 16.13), without hidden text. */
export const readOdtFrames = (
  zip: Zip,
  hiding: ReturnType<typeof odtHidden>,
  claim: (more: number) => void,
  add: (text: string) => void,
): void => {
  if (!zip.has(STYLES)) return
  let frame: string | undefined
  let skipping = 0
  let paragraphs = 0
  let text = ""
  const shifted = shiftedText()
  readXml(zip, STYLES, {
    open: (name, attributes) => {
      hiding.open(name, attributes)
      if (skipping > 0 || name === "tracked-changes" || name === "annotation") skipping++
      else if (frame === undefined && FRAMES.has(name)) {
        if (attribute(attributes, "display") === "false") skipping++
        else frame = name
      } else if (name === "p" || name === "h") paragraphs++
      else if (paragraphs > 0 && (name === "s" || name === "tab")) text += " "
      else if (paragraphs > 0 && name === "line-break") text += "\n"
    },
    close: (name) => {
      hiding.close(name)
      if (skipping > 0) skipping--
      else if (name === frame) {
        frame = undefined
        add(text)
        text = ""
      } else if (name === "p" || name === "h") {
        paragraphs--
        if (frame !== undefined) text += "\n"
      }
    },
    text: (value) => {
      if (skipping > 0 || frame === undefined || paragraphs === 0 || hiding.isHidden()) return
      claim(text.length + value.length)
      text += shifted.write(value.replaceAll(/[\n\r\t ]+/g, " "), hiding.shift())
    },
  })
}
