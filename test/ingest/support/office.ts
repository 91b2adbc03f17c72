import { strToU8, type Zippable, zipSync } from "fflate"

const TYPES = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
const WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"

type Link = readonly [id: string, type: string, target: string]

export const relationships = (links: ReadonlyArray<Link>) =>
  `<Relationships>${links.map(([id, type, target]) => `<Relationship Id="${id}" Type="${TYPES}/${type}" Target="${target}"/>`).join("")}</Relationships>`

/** Makes an Office file of these parts. Text becomes UTF-8. */
export const office = (main: string, parts: Readonly<Record<string, string | Uint8Array>>): Uint8Array => {
  const files: Zippable = {
    "[Content_Types].xml": strToU8("<Types/>"),
    "_rels/.rels": strToU8(relationships([["main", "officeDocument", main]])),
  }
  for (const [name, part] of Object.entries(parts)) files[name] = typeof part === "string" ? strToU8(part) : part
  return zipSync(files, { level: 6 })
}

/** Makes a Word document with this body. `parts` are linked by their file names (styles, footnotes, comments). */
export const docx = (body: string, parts: Readonly<Record<string, string>> = {}): Uint8Array =>
  office("word/document.xml", {
    "word/document.xml": `<w:document xmlns:w="${WORD}"><w:body>${body}</w:body></w:document>`,
    "word/_rels/document.xml.rels": relationships(Object.keys(parts).map((name) => [name, name, `${name}.xml`])),
    ...Object.fromEntries(Object.entries(parts).map(([name, xml]) => [`word/${name}.xml`, xml])),
  })

/** Makes a Word document with this body and these pictures, by relationship id: the part under `word`, its bytes. */
export const docxWith = (body: string, pictures: Readonly<Record<string, readonly [part: string, Uint8Array]>>) =>
  office("word/document.xml", {
    "word/document.xml": `<w:document xmlns:w="${WORD}" xmlns:wp="wp" xmlns:a="a" xmlns:v="v" xmlns:r="${TYPES}"><w:body>${body}</w:body></w:document>`,
    "word/_rels/document.xml.rels": relationships(
      Object.entries(pictures).map(([id, [part]]): Link => [id, "image", part]),
    ),
    ...Object.fromEntries(Object.values(pictures).map(([part, bytes]) => [`word/${part}`, bytes])),
  })

export const paragraph = (text: string, properties = "") =>
  `<w:p><w:pPr>${properties}</w:pPr><w:r><w:rPr><w:b/></w:rPr><w:t>${text}</w:t></w:r></w:p>`

export interface Sheet {
  readonly name: string
  readonly xml: string
}

export const sheetOf = (rows: string) => `<worksheet><sheetData>${rows}</sheetData></worksheet>`

/** Makes a workbook of these sheets. */
export const xlsx = (
  sheets: ReadonlyArray<Sheet>,
  { strings = "<sst/>", styles = "<styleSheet/>", properties = "" } = {},
): Uint8Array =>
  office("xl/workbook.xml", {
    "xl/workbook.xml": `<workbook xmlns:r="${TYPES}">${properties}<sheets>${sheets.map(({ name }, at) => `<sheet name="${name}" r:id="s${at}"/>`).join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": relationships([
      ["t", "sharedStrings", "sharedStrings.xml"],
      ["y", "styles", "/xl/styles.xml"],
      ...sheets.map((_, at): Link => [`s${at}`, "worksheet", `worksheets/sheet${at}.xml`]),
    ]),
    "xl/sharedStrings.xml": strings,
    "xl/styles.xml": styles,
    ...Object.fromEntries(sheets.map(({ xml }, at) => [`xl/worksheets/sheet${at}.xml`, xml])),
  })

export interface Slide {
  /** The presentation skips it. */
  readonly isHidden?: boolean
  readonly shapes: string
  /** By relationship id: type, part name under `ppt`, its XML or bytes. */
  readonly parts?: Readonly<Record<string, readonly [type: string, part: string, xml: string | Uint8Array]>>
}

export const shape = (text: string, placeholder = "") =>
  `<p:sp><p:nvSpPr><p:nvPr>${placeholder === "" ? "" : `<p:ph type="${placeholder}"/>`}</p:nvPr></p:nvSpPr><p:txBody>${text
    .split("\n")
    .map((line) => `<a:p><a:r><a:t>${line}</a:t></a:r></a:p>`)
    .join("")}</p:txBody></p:sp>`

/** Makes a presentation whose parts are stored last to first, so that only its list of slides has the order. */
export const pptx = (slides: ReadonlyArray<Slide>): Uint8Array => {
  const part = (at: number) => `slides/slide${slides.length - at}.xml`
  const parts: Record<string, string | Uint8Array> = {}
  for (const [at, { shapes, parts: linked = {}, isHidden = false }] of slides.entries()) {
    parts[`ppt/${part(at)}`] =
      `<p:sld xmlns:p="p" xmlns:a="a" xmlns:r="${TYPES}"${isHidden ? ' show="0"' : ""}><p:cSld>${shapes}</p:cSld></p:sld>`
    const links = Object.entries(linked).map(([id, [type, name]]): Link => [id, type, `../${name}`])
    parts[`ppt/slides/_rels/slide${slides.length - at}.xml.rels`] = relationships(links)
    for (const [, name, xml] of Object.values(linked)) parts[`ppt/${name}`] = xml
  }
  return office("ppt/presentation.xml", {
    "ppt/presentation.xml": `<p:presentation xmlns:p="p" xmlns:r="${TYPES}"><p:sldIdLst>${slides.map((_, at) => `<p:sldId id="${256 + at}" r:id="s${at}"/>`).join("")}</p:sldIdLst></p:presentation>`,
    "ppt/_rels/presentation.xml.rels": relationships(slides.map((_, at): Link => [`s${at}`, "slide", part(at)])),
    ...parts,
  })
}
