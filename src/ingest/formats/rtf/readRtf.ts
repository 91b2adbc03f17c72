import type { ReadDocument } from "../../document.ts"
import { elementList, requireText } from "../../elements.ts"
import { frameNotes } from "../../frames.ts"
import { hiddenText } from "../../hiddenText.ts"
import { type Shift, shiftedText } from "../../shiftedText.ts"
import { TableWriter } from "../../tables/TableWriter.ts"
import { asTranscript } from "../../transcripts/turns.ts"
import { UnreadableError } from "../../UnreadableError.ts"
import { CHARACTERS, CHARSETS, PAGES, SHIFTS, SYMBOLS } from "./characters.ts"
import { Rows } from "./rows.ts"
import { readTokens, type Token } from "./tokens.ts"

const PLACE = { kind: "text" } as const

/** Groups without text for people, and the marks before list items, which Word writes again. */
const SKIPPED: ReadonlySet<string> = new Set(
  "colortbl info pict object fldinst listtext pntext pnseclvl themedata datastore xmlnstbl rsidtbl generator filetbl listtable listoverridetable revtbl annotation atnid atnauthor bkmkstart bkmkend xe rxe tc tcn".split(
    " ",
  ),
)

/** Other programs write the marks of list items as text. */
const MARK = /^\s*[•·▪‣]\s/

/** Headers and footers of all pages, and of left, right and first ones. */
const FRAME = /^(?:header|footer)[lrf]?$/

/** Words of paragraphs and tables inside a note or header, which leave the paragraph around it as it is. */
const ASIDE: Readonly<Record<string, string>> = {
  pard: "",
  intbl: "",
  ls: "",
  s: "",
  outlinelevel: "",
  cell: " ",
  nestcell: " ",
  row: "\n",
  nestrow: "\n",
}

const MAX_STYLES = 5000

/** Groups that programs may skip, and whose text counts. */
const SHOWN_OPTIONAL: ReadonlySet<string> = new Set(["shptxt", "shpinst", "htmltag"])

interface State {
  readonly skips: boolean
  /** Which table of the head the group is. */
  readonly part: "fonts" | "styles" | "note" | "frame" | undefined
  readonly font: number | undefined
  /** Characters after `\u` that only older programs read. */
  readonly unicodeSkip: number
  readonly isDeleted: boolean
  readonly isHidden: boolean
  readonly isStruck: boolean
  readonly shift: Shift
}

const START: State = {
  skips: false,
  part: undefined,
  font: undefined,
  unicodeSkip: 1,
  isDeleted: false,
  isHidden: false,
  isStruck: false,
  shift: undefined,
}

const decoders = new Map<string, TextDecoder>()
const makeDecoder = (label: string): TextDecoder => {
  const known = decoders.get(label)
  if (known !== undefined) return known
  let decoder: TextDecoder
  try {
    decoder = new TextDecoder(label)
  } catch {
    decoder = new TextDecoder("windows-1252") // This runtime does not know the encoding.
  }
  decoders.set(label, decoder)
  return decoder
}

/** Reads the headings, paragraphs, list items, table rows and notes of an RTF file in their order, then each header and footer as a note. Throws `UnreadableError`. */
export const readRtf = async (bytes: Uint8Array): Promise<ReadDocument> => {
  const elements = elementList()
  const table = new TableWriter(elements)
  const states: Array<State> = []
  let state = START
  let page = "windows-1252"
  const charsets = new Map<number, string>()
  const levels = new Map<number, number>()
  let text = ""
  /** The hidden and struck-out text of the paragraph or row. */
  let hidden = ""
  const shifted = shiftedText()
  let pending: Array<number> = []
  let pendingLabel = page
  let toSkip = 0
  /** `\*` was read: an unknown word names a group to skip. */
  let isOptional = false
  const rows = new Rows()
  const notesOfTable: Array<string> = []
  let hiddenInTable = ""
  let isInTable = false
  let isItem = false
  let level: number | undefined
  const notes: Array<string> = []
  const frames: Array<string> = []
  /** The text of the paragraph around a note or header. */
  const around: Array<string> = []
  let style = { id: 0, name: "" }
  let font = 0

  const append = (value: string) => {
    if (state.isHidden || state.isStruck) hidden += value
    else text += shifted.write(value, state.shift)
  }
  const flushBytes = () => {
    if (pending.length === 0) return
    append(makeDecoder(pendingLabel).decode(Uint8Array.from(pending)))
    pending = []
  }
  const put = (value: string) => {
    if (state.isDeleted) return
    flushBytes()
    elements.claim(text.length + hidden.length + value.length)
    append(value)
  }
  const take = () => {
    flushBytes()
    const taken = text
    text = ""
    shifted.restart()
    return taken
  }
  const endBlock = () => {
    for (const note of notes.splice(0)) elements.add("note", note, PLACE)
    elements.addHidden(hidden, PLACE)
    hidden = ""
  }
  const endTable = () => {
    for (const row of rows.take(PLACE)) table.row(row)
    table.end()
    for (const note of notesOfTable.splice(0)) elements.add("note", note, PLACE)
    elements.addHidden(hiddenInTable, PLACE)
    hiddenInTable = ""
  }
  const isAside = () => state.part === "note" || state.part === "frame"
  const endParagraph = () => {
    if (isAside()) return put("\n")
    if (isInTable) return put(" ")
    const said = take()
    endTable()
    if (level !== undefined) elements.add("heading", said.replaceAll(/\s+/g, " "), PLACE, level)
    else if (MARK.test(said)) elements.add("list-item", said.replace(MARK, ""), PLACE)
    else elements.add(isItem ? "list-item" : "paragraph", said, PLACE)
    endBlock()
  }
  const endRow = () => {
    rows.endRow()
    notesOfTable.push(...notes.splice(0))
    hiddenInTable += hidden
    hidden = ""
  }

  const open = (part: State["part"], skips = false) => {
    state = { ...state, part, skips: state.skips || skips }
  }
  /** A word of the tables of fonts and styles. */
  const wordOfHead = (name: string, value: number | undefined) => {
    if (state.part === "fonts") {
      if (name === "f") font = value ?? 0
      else if (name === "fcharset" && charsets.size < MAX_STYLES) charsets.set(font, CHARSETS[value ?? 0] ?? "")
    } else if (name === "s") style = { id: value ?? 0, name: "" }
    else if (name === "outlinelevel" && levels.size < MAX_STYLES && (value ?? 9) < 9)
      levels.set(style.id, (value ?? 0) + 1)
  }
  const setState = (change: Partial<State>) => {
    flushBytes()
    state = { ...state, ...change }
  }
  const actions = new Map<string, (value: number | undefined) => void>([
    ["ansicpg", (value = 0) => (page = PAGES[value] ?? (value >= 1250 && value <= 1258 ? `windows-${value}` : page))],
    ["mac", () => (page = "macintosh")],
    ["par", endParagraph],
    ["sect", endParagraph],
    ["page", endParagraph],
    [
      "pard",
      () => {
        isInTable = false
        isItem = false
        level = undefined
      },
    ],
    ["intbl", () => (isInTable = true)],
    ...Object.entries(rows.words),
    ["cell", () => rows.endCell(take())],
    ["row", endRow],
    ["nestcell", () => put(" ")],
    ["ls", () => (isItem = true)],
    ["s", (value = 0) => (level = levels.get(value))],
    ["outlinelevel", (value = 9) => (level = value < 9 ? value + 1 : undefined)],
    ["f", (value = 0) => setState({ font: value })],
    ["plain", () => setState({ isHidden: false, isStruck: false, isDeleted: false, shift: undefined })],
    ...Object.entries(SHIFTS).map(
      ([name, read]) => [name, (value?: number) => setState({ shift: read(value) })] as const,
    ),
    ["v", (value) => setState({ isHidden: value !== 0 })],
    ["strike", (value) => setState({ isStruck: value !== 0 })],
    ["striked", (value) => setState({ isStruck: value !== 0 })],
    ["deleted", (value) => setState({ isDeleted: value !== 0 })],
    ["uc", (value = 1) => (state = { ...state, unicodeSkip: Math.min(Math.max(value, 0), 8) })],
    [
      "u",
      (value = 0) => {
        put(String.fromCharCode((value + 65_536) % 65_536))
        toSkip = state.unicodeSkip
      },
    ],
  ])
  const word = (name: string, value: number | undefined) => {
    const wasOptional = isOptional
    isOptional = false
    if (state.skips) return
    if (SKIPPED.has(name)) return open(state.part, true)
    if (name === "fonttbl") return open("fonts")
    if (name === "stylesheet") return open("styles")
    if ((name === "footnote" || FRAME.test(name)) && !isAside()) {
      flushBytes()
      around.push(text)
      text = ""
      return open(name === "footnote" ? "note" : "frame")
    }
    if (state.part === "fonts" || state.part === "styles") return wordOfHead(name, value)
    const character = CHARACTERS[name]
    if (character !== undefined) return put(character)
    if (isAside() && ASIDE[name] !== undefined) return put(ASIDE[name])
    const act = actions.get(name)
    if (act !== undefined) act(value)
    else if (wasOptional && !SHOWN_OPTIONAL.has(name)) open(state.part, true)
  }
  const byte = (value: number) => {
    if (toSkip > 0) return void toSkip--
    if (state.skips || state.isDeleted || state.part === "fonts") return
    if (state.part === "styles") {
      if (value !== 0x3b) style.name += String.fromCharCode(value)
      else {
        const heading = /^\s*(?:heading (\d)|title;?\s*$)/i.exec(style.name)
        if (heading !== null && levels.size < MAX_STYLES) levels.set(style.id, Number(heading[1] ?? 1))
        style.name = ""
      }
      return
    }
    const label = (state.font === undefined ? undefined : charsets.get(state.font)) || page
    if (label !== pendingLabel) flushBytes()
    pendingLabel = label
    if (pending.length === 0) elements.claim(text.length + hidden.length)
    pending.push(value)
  }
  const close = () => {
    const before = states.pop() ?? START
    if (isAside() && before.part !== state.part) {
      ;(state.part === "note" ? notes : frames).push(take())
      text = around.pop() ?? ""
    } else flushBytes()
    state = before
    toSkip = 0
    isOptional = false
  }
  const onToken = (token: Token) => {
    if (token.kind === "open") {
      flushBytes()
      states.push(state)
    } else if (token.kind === "close") close()
    else if (token.kind === "byte") byte(token.byte)
    else if (token.kind === "word") word(token.word, token.value)
    else if (token.symbol === "*") isOptional = true
    else if (!state.skips && !state.isDeleted && SYMBOLS[token.symbol] !== undefined) {
      if (SYMBOLS[token.symbol] === "\n") endParagraph()
      else put(SYMBOLS[token.symbol]!)
    }
  }

  if (new TextDecoder("latin1").decode(bytes.slice(0, 64)).trimStart().startsWith("{\\rtf") === false) {
    throw new UnreadableError("unsupported", "The file is not RTF. Upload it under the type that it has.")
  }
  readTokens(bytes, onToken)
  if (rows.hasOpenRow) endRow()
  isInTable = false
  endParagraph()
  const body = [...elements.list]
  const addFrame = frameNotes(elements)
  for (const frame of frames) addFrame(frame, PLACE)
  const warnings = hiddenText(body)
  const read = requireText(elements, warnings)
  const transcript = warnings.length > 0 ? undefined : asTranscript(body)
  return { ...read, elements: [...(transcript ?? body), ...read.elements.slice(body.length)] }
}
