import type { Element, Place } from "../document.ts"

/** The uninterrupted words of one speaker. Without a time: the transcript has none. */
interface Turn {
  readonly speaker: string
  readonly start: number | undefined
  readonly lines: Array<string>
}

const NAME = String.raw`(\p{Lu}[\p{L}\p{N} .,'’()&@/_-]{0,70})`
const TIME = String.raw`[[(]?((?:\d{1,2}:)?\d{1,2}:\d{2})(?:[.,]\d{1,3})?[\])]?`
/** "Ada Byron  0:05" (Otter, Teams), "Ada Byron | 00:05" (Fireflies). The words follow. */
const NAME_TIME = new RegExp(String.raw`^${NAME}(?:\s*[|–—-]\s*|\s+)${TIME}:?$`, "u")
/** "00:05 | Ada Byron" (Gong), "[00:00:05] Ada Byron". The words follow. */
const TIME_NAME = new RegExp(String.raw`^${TIME}(?:\s*[|–—-]\s*|\s+)${NAME}:?$`, "u")
/** "00:00:05 Ada Byron: words" (Zoom). */
const TIME_NAME_WORDS = new RegExp(String.raw`^${TIME}(?:\s*[|–—-]\s*|\s+)${NAME}:\s+(\S.*)$`, "u")
/** "Ada Byron (00:05): words". */
const NAME_TIME_WORDS = new RegExp(String.raw`^${NAME}\s*[[(]((?:\d{1,2}:)?\d{1,2}:\d{2})[\])]\s*:?\s+(\S.*)$`, "u")
/** "0:0:5.1 --> 0:0:9.0", then a name, then words (Teams). */
const RANGE = /^(\d{1,2}:\d{1,2}:\d{1,2})(?:[.,]\d{1,7})?\s*-->\s*\d{1,2}:\d{1,2}:\d{1,2}/
/** "00:05:00" alone is the time of what follows (Google Meet). */
const TIME_ALONE = new RegExp(String.raw`^${TIME}$`)
const NAME_WORDS = new RegExp(String.raw`^${NAME}:\s+(\S.*)$`, "u")
const NAME_ALONE = new RegExp(String.raw`^${NAME}:?$`, "u")

/** Words before a colon that are no names. */
const NO_NAME =
  /^(?:(?:date|time|title|subject|duration|attendees|participants|agenda|notes?|summary|action items?|next steps?|from|to|cc|re|fwd?|location|topic|total|price|status|example|question|answer)\b.{0,30}|https?)$/i
const MAX_NAME_WORDS = 6

const isName = (name: string) => !NO_NAME.test(name) && name.split(/\s+/).length <= MAX_NAME_WORDS

const parseSeconds = (time: string) => time.split(":").reduce((sum, part) => sum * 60 + Number(part), 0)

const MIN_TIMED = 3
const MIN_UNTIMED = 6
/** Shares of the turns whose time is not before the one before, and of the lines that begin a turn without a time. */
const MIN_ORDERED = 0.95
const MIN_LABELLED = 0.7

interface Parsed {
  readonly before: ReadonlyArray<string>
  readonly turns: ReadonlyArray<Turn>
}

/** The turns whose beginning has a time. */
const readTimed = (lines: ReadonlyArray<string>): Parsed => {
  const before: Array<string> = []
  const turns: Array<Turn> = []
  let clock: number | undefined
  /** A range of times was read: the next line is a name. */
  let isNameNext = false
  const open = (speaker: string, start: number | undefined, words?: string) =>
    turns.push({ speaker: speaker.trim(), start, lines: words === undefined ? [] : [words] })
  for (const line of lines) {
    const range = RANGE.exec(line)
    const alone = range === null ? TIME_ALONE.exec(line) : null
    if (range !== null || alone !== null) {
      clock = parseSeconds((range ?? alone)![1]!)
      isNameNext = range !== null
      continue
    }
    const spoken = TIME_NAME_WORDS.exec(line)
    const named = NAME_TIME_WORDS.exec(line)
    const head = NAME_TIME.exec(line)
    const gong = TIME_NAME.exec(line)
    const label = clock === undefined ? null : isNameNext ? NAME_ALONE.exec(line) : NAME_WORDS.exec(line)
    isNameNext = false
    if (spoken !== null && isName(spoken[2]!)) open(spoken[2]!, parseSeconds(spoken[1]!), spoken[3])
    else if (named !== null && isName(named[1]!)) open(named[1]!, parseSeconds(named[2]!), named[3])
    else if (head !== null && isName(head[1]!)) open(head[1]!, parseSeconds(head[2]!))
    else if (gong !== null && isName(gong[2]!)) open(gong[2]!, parseSeconds(gong[1]!))
    else if (label !== null && isName(label[1]!)) open(label[1]!, clock, label[2])
    else (turns.at(-1)?.lines ?? before).push(line)
  }
  return { before, turns }
}

/** The turns of "Ada Byron: words" without times. */
const readUntimed = (lines: ReadonlyArray<string>): Parsed => {
  const before: Array<string> = []
  const turns: Array<Turn> = []
  for (const line of lines) {
    const label = NAME_WORDS.exec(line)
    if (label !== null && isName(label[1]!))
      turns.push({ speaker: label[1]!.trim(), start: undefined, lines: [label[2]!] })
    else (turns.at(-1)?.lines ?? before).push(line)
  }
  return { before, turns }
}

const TEXTS: ReadonlySet<Element["kind"]> = new Set(["paragraph", "heading", "list-item"])

const listSpeakers = (turns: ReadonlyArray<Turn>) => new Set(turns.map(({ speaker }) => speaker.toLowerCase()))

/** Turns go forward in time, have words, and share their speakers. */
const isTimed = ({ turns }: Parsed, lines: number) => {
  const said = turns.filter((turn) => turn.lines.length > 0)
  const ordered = turns.filter(({ start }, index) => index === 0 || (start ?? 0) >= (turns[index - 1]!.start ?? 0))
  return (
    turns.length >= MIN_TIMED &&
    said.length >= turns.length * 0.8 &&
    ordered.length >= turns.length * MIN_ORDERED &&
    listSpeakers(turns).size <= Math.max(turns.length / 2, 2) &&
    lines / turns.length <= 40
  )
}

const isUntimed = ({ turns }: Parsed, lines: number) => {
  const speakers = listSpeakers(turns).size
  return (
    turns.length >= MIN_UNTIMED && turns.length >= lines * MIN_LABELLED && speakers > 1 && speakers <= turns.length / 3
  )
}

const SPEAKERS_LABEL = /^(?:speakers?|participants?|attendees|teilnehmer|sprecher):?$/i
const SPEAKERS_LIST = /^(?:(?:speakers?|participants?|attendees|teilnehmer|sprecher):\s*)?(.+)$/i

/** The lines before the first turn: the call's title as a heading, without a list of its speakers, whom the turns name. */
const readHead = (lines: ReadonlyArray<string>, speakers: ReadonlySet<string>): ReadonlyArray<Element> => {
  const isListOfSpeakers = (line: string) =>
    SPEAKERS_LABEL.test(line) ||
    SPEAKERS_LIST.exec(line)![1]!
      .split(/\s*(?:[,;•|]|\band\b|&)\s*/)
      .every((name) => name === "" || speakers.has(name.toLowerCase()))
  return lines
    .filter((line) => !isListOfSpeakers(line))
    .map((text, index): Element => {
      const place = { kind: "text" } as const
      return index === 0 && text === lines[0] && text.length <= MAX_TITLE_LENGTH && !/[.!?]$/.test(text)
        ? { kind: "heading", level: 1, text, place }
        : { kind: "paragraph", text, place }
    })
}
const MAX_TITLE_LENGTH = 120

/**
 * The turns of a transcript that a recorder exports as text, each with its speaker and, where it has one, its time; undefined if the elements
 * are no transcript. Reads the exports of Otter, Zoom, Teams, Google Meet, Gong and Fireflies.
 */
export const asTranscript = (elements: ReadonlyArray<Element>): ReadonlyArray<Element> | undefined => {
  if (elements.some(({ kind }) => !TEXTS.has(kind))) return undefined
  const lines = elements
    .flatMap(({ text }) => text.split("\n").map((line) => line.replaceAll(/\s+/g, " ").trim()))
    .filter((line) => line !== "")
  const timed = readTimed(lines)
  const parsed = isTimed(timed, lines.length) ? timed : readUntimed(lines)
  if (parsed !== timed && !isUntimed(parsed, lines.length)) return undefined
  const { before, turns } = parsed
  return [
    ...readHead(before, listSpeakers(turns)),
    ...turns.flatMap(({ speaker, start, lines }, index) => {
      const end = turns.slice(index + 1, index + 2)[0]?.start ?? start
      const place: Place =
        start === undefined
          ? { kind: "text", speaker }
          : { kind: "time", start, end: Math.max(start, end ?? start), speaker }
      return lines.map((text): Element => ({ kind: "speech", text, place }))
    }),
  ]
}
