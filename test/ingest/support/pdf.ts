/** Makes a PDF of these objects, numbered from 1, with the catalog first and a valid cross-reference table. */
export const pdfOf = (objects: ReadonlyArray<string>): Uint8Array<ArrayBuffer> => {
  let body = "%PDF-1.7\n"
  const offsets = objects.map((object, index) => {
    const at = body.length
    body += `${index + 1} 0 obj\n${object}\nendobj\n`
    return at
  })
  const table = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("")
  const start = body.length
  body += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}`
  body += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`
  return new TextEncoder().encode(body)
}

const FONT = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
const stream = (content: string) => `<< /Length ${content.length} >>\nstream\n${content}\nendstream`

export interface Written {
  readonly text: string
  readonly x?: number
  readonly y: number
  readonly size?: number
  readonly bold?: boolean
}

const BOLD = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold >>"

const draw = ({ text, x = 72, y, size = 10, bold = false }: Written) =>
  `BT /F${bold ? 2 : 1} ${size} Tf ${x} ${y} Td (${text}) Tj ET`

/** The content of a page that consists of one picture. */
export const SCAN = "q 612 0 0 792 0 0 cm BI /W 2 /H 2 /BPC 8 /CS /G ID \x01\x02\x03\x04 EI Q"

/** Makes pages of lines or raw content, each with its annotations as dictionaries. */
export const pagesOf = (
  pages: ReadonlyArray<ReadonlyArray<Written> | string>,
  annotations: ReadonlyArray<string> = [],
): Uint8Array<ArrayBuffer> => {
  const first = 4
  const kids = pages.map((_, index) => `${first + 2 * index} 0 R`).join(" ")
  const fields = annotations.map((_, index) => `${first + 2 * pages.length + index} 0 R`).join(" ")
  return pdfOf([
    `<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [${fields}] >> >>`,
    `<< /Type /Pages /Count ${pages.length} /Kids [${kids}] >>`,
    FONT,
    ...pages.flatMap((lines, index) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R /F2 ${BOLD} >> >> /Annots [${fields}] /Contents ${first + 2 * index + 1} 0 R >>`,
      stream(typeof lines === "string" ? lines : lines.map((line) => draw(line)).join("\n")),
    ]),
    ...annotations,
  ])
}

const hex = (code: number, digits: number) => code.toString(16).padStart(digits, "0")

/** Makes a page whose font explains its glyphs by a ToUnicode map: the characters of `runs`, or `means` if given. */
export const mappedPage = (runs: ReadonlyArray<Written>, means: Readonly<Record<string, number>> = {}) => {
  const characters = [...new Set(runs.flatMap(({ text }) => [...text]))]
  const codeOf = (character: string) => 33 + characters.indexOf(character)
  const map = characters
    .map((character) => `<${hex(codeOf(character), 2)}> <${hex(means[character] ?? character.charCodeAt(0), 4)}>`)
    .join("\n")
  const cmap = `/CIDInit /ProcSet findresource begin 12 dict begin begincmap
1 begincodespacerange <00> <ff> endcodespacerange
${characters.length} beginbfchar
${map}
endbfchar endcmap CMapName currentdict /CMap defineresource pop end end`
  const content = runs.map(
    ({ text, x = 72, y, size = 10 }) =>
      `BT /F1 ${size} Tf ${x} ${y} Td <${[...text].map((letter) => hex(codeOf(letter), 2)).join("")}> Tj ET`,
  )
  const widths = characters.map(() => 500).join(" ")
  return pdfOf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 4 0 R >> >> /Contents 5 0 R >>",
    `<< /Type /Font /Subtype /Type1 /BaseFont /Own /FirstChar 33 /LastChar ${32 + characters.length} /Widths [${widths}] /ToUnicode 6 0 R >>`,
    stream(content.join("\n")),
    stream(cmap),
  ])
}
