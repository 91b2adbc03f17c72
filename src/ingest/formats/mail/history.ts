import { formatMailbox, readMailbox } from "./mailbox.ts"

/** A line of a body, or a block that is no paragraph. `depth`: how often it is quoted. */
export interface Item<Block> {
  readonly depth: number
  readonly line: string
  readonly block?: Block
}

/** One person's message, without those that it quotes. */
export interface Segment<Block> {
  /** Undefined: the message's own sender. */
  readonly earlier: { readonly title: string; readonly sender: string | undefined } | undefined
  readonly items: Array<Item<Block>>
}

/** "On Monday, 3 March, Ben Smith <ben@example.com> wrote:", in the languages of the common programs. */
const ATTRIBUTION =
  /^(?:On|Am|Le|El|Il|Op|Den|Em)\s.{4,300}?\s(?:wrote|schrieb|a écrit|escribió|ha scritto|schreef|skrev|escreveu)\b[^:]{0,80}\s?:$/iu
/** Mail programs break an attribution into lines. */
const MAX_ATTRIBUTION_LINES = 3

const SEPARATOR =
  /^(?:-{2,}\s*(?:original message|forwarded message|ursprüngliche nachricht|weitergeleitete nachricht|message d'origine|message original|mensaje original|mensaje reenviado|messaggio originale)\s*-{2,}|begin forwarded message:|anfang der weitergeleiteten nachricht:|_{10,})$/iu

const FROM = /^[*_]{0,2}(?:From|Von|De|Da|Van)\s*:[*_]{0,2}\s*(\S.{0,300})$/iu
const SENT =
  /^[*_]{0,2}(?:Sent|Date|Gesendet|Datum|Envoyé|Date|Enviado|Fecha|Inviato|Data|Verzonden)(?:\s(?:el|le|il|op|am|em))?\s*:[*_]{0,2}\s*(\S.{0,100})$/iu
const OTHER =
  /^[*_]{0,2}(?:To|Cc|Subject|An|Betreff|À|Objet|Para|CC|Asunto|A|Oggetto|Aan|Onderwerp|Reply-To|Importance|Priority)\s*:/iu
/** A head has that many lines at most: long lists of recipients are cut. */
const MAX_HEAD_LINES = 12

interface Head {
  readonly title: string
  readonly sender: string | undefined
  /** The lines that it takes, from the first on. */
  readonly lines: number
}

const writeTitle = (sender: string | undefined, date?: string) =>
  `Earlier message${sender === undefined ? "" : ` from ${sender}`}${date === undefined ? "" : `, ${date}`}`

/** The head of a quoted message, as Outlook and forwarded mails have it: a sender, then a date and a recipient or subject. */
const headBlockAt = (lines: ReadonlyArray<string>, at: number): Head | undefined => {
  let start = at
  if (SEPARATOR.test(lines[start] ?? "")) while (++start < lines.length && lines[start] === "" && start < at + 3);
  const from = FROM.exec(lines[start] ?? "")?.[1]
  if (from === undefined)
    return start > at && /[a-z]/i.test(lines[at]!)
      ? { title: writeTitle(undefined), sender: undefined, lines: 1 }
      : undefined
  let date: string | undefined
  let others = 0
  let end = start + 1
  for (; end < lines.length && end < start + MAX_HEAD_LINES && lines[end] !== ""; end++) {
    date ??= SENT.exec(lines[end]!)?.[1]
    if (OTHER.test(lines[end]!)) others++
  }
  if (date === undefined || others === 0) return undefined
  const sender = formatMailbox(readMailbox(from))
  return { title: writeTitle(sender, date), sender, lines: end - at }
}

/** Words between a date and a name, or of a date. */
const NOT_NAME =
  /^(?:(?:at|um|à|a las|alle|AM|PM|Uhr|UTC|GMT|CET|schrieb|wrote|schreef|skrev|escribió|escreveu|on|by|via|(?:mon|tues|wednes|thurs|fri|satur|sun)day|mon|tue|wed|thu|fri|sat|sun)\b[\s,]*)+/iu

const WROTE = /\s(?:wrote|a écrit|escribió|ha scritto|schreef|skrev|escreveu)\b/iu
const MAX_NAME_WORDS = 7

/** The words at the end of a text that may be a name. */
const lastWords = (text: string) => {
  const words: Array<string> = []
  for (const word of text.trim().split(/\s+/).toReversed()) {
    if (words.length === MAX_NAME_WORDS || !/^["(]?\p{L}[\p{L}.'’()"-]*$/u.test(word)) break
    words.unshift(word)
  }
  return words.join(" ")
}

const findSender = (attribution: string): string | undefined => {
  const address = /<([^<>\s]+@[^<>\s]+)>/.exec(attribution)
  const own = address === null ? /schrieb\s+(.{2,80}?)\s*:$/iu.exec(attribution)?.[1] : undefined
  const words = own ?? lastWords(attribution.slice(0, address?.index ?? Math.max(attribution.search(WROTE), 0)))
  const name = words.replace(NOT_NAME, "").replaceAll('"', "").trim()
  return name === "" && address === null ? undefined : formatMailbox({ name, address: address?.[1] ?? "" })
}

/** The attribution whose last line is before `end`, and its first line. */
const attributionBefore = (lines: ReadonlyArray<string>, end: number) => {
  let last = end
  while (last > 0 && lines[last - 1] === "") last--
  for (let count = 1; count <= MAX_ATTRIBUTION_LINES && last - count >= 0; count++) {
    const text = lines.slice(last - count, last).join(" ")
    if (ATTRIBUTION.test(text))
      return { title: text.replace(/(?<!\s)\s*:$/, ""), sender: findSender(text), from: last - count }
  }
  return undefined
}

/**
 * Divides a body into what its sender wrote and what is quoted: lines behind `>`, and everything below the head of an earlier message
 * or below "On … wrote:".
 */
export const splitHistory = <Block>(items: ReadonlyArray<Item<Block>>): ReadonlyArray<Segment<Block>> => {
  const segments: Array<Segment<Block>> = []
  const lines = items.map(({ line }) => line.trim())
  const isBlank = (at: number) => items[at]!.block === undefined && lines[at] === ""
  /** For each item, the first from it on that is not blank. */
  const nextFilled = Array.from({ length: items.length + 1 }, () => items.length)
  for (let at = items.length - 1; at >= 0; at--) nextFilled[at] = isBlank(at) ? nextFilled[at + 1]! : at
  /** Who writes the lines of each depth. */
  const owners: Array<Segment<Block>["earlier"]> = [undefined]
  let depth = -1
  const open = (to: number) => {
    depth = to
    segments.push({ earlier: owners[to], items: [] })
  }
  /** Deeper lines are no longer those of whom they were. */
  const own = (level: number, { title, sender }: { readonly title: string; readonly sender: string | undefined }) => {
    owners.length = Math.max(level, 1)
    owners[level] = { title, sender }
  }
  for (let at = 0; at < items.length; at++) {
    const item = items[at]!
    if (isBlank(at)) {
      segments.at(-1)?.items.push(item)
      continue
    }
    if (item.depth !== depth) {
      const attribution = item.depth > depth && depth >= 0 ? attributionBefore(lines, at) : undefined
      if (attribution !== undefined) {
        segments.at(-1)!.items.splice(attribution.from - at)
        own(item.depth, attribution)
      }
      for (let level = 1; level <= item.depth; level++)
        owners[level] ??= { title: writeTitle(undefined), sender: undefined }
      open(item.depth)
    }
    const head = item.block === undefined ? headBlockAt(lines, at) : undefined
    if (head !== undefined) {
      own(depth, head)
      open(depth)
      at += head.lines - 1
      continue
    }
    segments.at(-1)!.items.push(item)
    // "On … wrote:" without marks of quotation below: everything that follows is quoted.
    if (item.block !== undefined || !lines[at]!.endsWith(":")) continue
    const attribution = attributionBefore(lines, at + 1)
    if (attribution === undefined) continue
    const next = items[nextFilled[at + 1]!]
    if (next === undefined || next.depth > depth) continue
    segments.at(-1)!.items.splice(attribution.from - at - 1)
    own(depth, attribution)
    open(depth)
  }
  return segments.filter((segment) =>
    segment.items.some(({ line, block }) => block !== undefined || line.trim() !== ""),
  )
}
