import type { Element, Place } from "../document.ts"
import { readHead, readNameAlone, readNameColon, readNameWords, readTimeAlone } from "./heads.ts"
import { joinHeads, linesOf } from "./lines.ts"

/** The uninterrupted words of one speaker. Without a time: the transcript has none. */
interface Turn {
  /** The line that begins it. */
  readonly head: string
  readonly speaker: string
  readonly start: number | undefined
  readonly lines: Array<string>
  /** The name has a line of its own. */
  readonly isApart?: true
}

const MIN_TIMED = 3
const MIN_UNTIMED = 6
/** Shares of the turns whose time is not before the one before, and of the lines that begin a turn without a time. */
const MIN_ORDERED = 0.95
const MIN_LABELLED = 0.7

interface Parsed {
  readonly before: ReadonlyArray<string>
  readonly turns: ReadonlyArray<Turn>
}

/** Seconds that a name in lower case may come after the turn before it. */
const MAX_STEP = 3600

/** The turns whose beginning has a time. */
const readTimed = (lines: ReadonlyArray<string>): Parsed => {
  const before: Array<string> = []
  const turns: Array<Turn> = []
  let clock: number | undefined
  /** A range of times was read: the next line is a name. */
  let isNameNext = false
  const open = (head: string, speaker: string, start: number | undefined, words?: string) =>
    turns.push({ head, speaker, start, lines: words === undefined ? [] : [words] })
  /** "we met at 10:30" is no turn, and "ben 10:30" is one only where its time fits. */
  const fits = (speaker: string, start: number) => {
    const last = turns.findLast((turn) => turn.start !== undefined)?.start ?? 0
    return !/^\p{Ll}/u.test(speaker) || (start >= last && start <= last + MAX_STEP)
  }
  for (const line of lines) {
    const alone = readTimeAlone(line)
    if (alone !== undefined) {
      clock = alone
      isNameNext = line.includes("-->")
      continue
    }
    const head = readHead(line)
    const label = clock === undefined ? undefined : isNameNext ? readNameAlone(line) : readNameWords(line)
    isNameNext = false
    if (head !== undefined && fits(head.speaker, head.start)) open(line, head.speaker, head.start, head.words)
    else if (label !== undefined) open(line, label.speaker, clock, label.words)
    else (turns.at(-1)?.lines ?? before).push(line)
  }
  return withoutTimesOfDay({ before, turns })
}

/** Gives "Start: 10:00" and "Ok, 12:30" back to the words: a speaker who has no other turn, later than the next one. */
const withoutTimesOfDay = ({
  before,
  turns,
}: {
  readonly before: Array<string>
  readonly turns: ReadonlyArray<Turn>
}) => {
  const counts = new Map<string, number>()
  for (const { speaker } of turns) counts.set(speaker, (counts.get(speaker) ?? 0) + 1)
  const kept: Array<Turn> = []
  for (const [index, turn] of turns.entries()) {
    const next = turns[index + 1]?.start
    const isLater = next !== undefined && turn.start !== undefined && turn.start > next
    const isWords = isLater && counts.get(turn.speaker) === 1
    if (!isWords) kept.push(turn)
    else for (const line of [turn.head, ...turn.lines]) (kept.at(-1)?.lines ?? before).push(line)
  }
  return { before, turns: kept }
}

/** The turns of "Ada Byron: words" without times, or of a name and a colon above the words. */
const readUntimed = (lines: ReadonlyArray<string>): Parsed => {
  const before: Array<string> = []
  const turns: Array<Turn> = []
  for (const line of lines) {
    const label = readNameWords(line) ?? readNameColon(line)
    if (label === undefined) (turns.at(-1)?.lines ?? before).push(line)
    else
      turns.push({
        head: line,
        speaker: label.speaker,
        start: undefined,
        lines: label.words === undefined ? [] : [label.words],
        ...(label.words === undefined && { isApart: true as const }),
      })
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
  const labelled = turns.length + turns.filter(({ isApart }) => isApart).length
  return turns.length >= MIN_UNTIMED && labelled >= lines * MIN_LABELLED && speakers > 1 && speakers <= turns.length / 3
}

const SPEAKERS_LABEL = /^(?:speakers?|participants?|attendees|teilnehmer|sprecher):?$/i
const SPEAKERS_LIST = /^(?:(?:speakers?|participants?|attendees|teilnehmer|sprecher):\s*)?(.+)$/i
const MAX_TITLE_LENGTH = 120
const PLACE = { kind: "text" } as const

type Marked = ReadonlyMap<string, Pick<Element, "kind" | "level">>

/** The lines that are headings or list items of the file. */
const findMarked = (elements: ReadonlyArray<Element>): Marked =>
  new Map(
    elements
      .filter(({ kind }) => kind !== "paragraph")
      .flatMap(({ kind, level, text }) => linesOf(text).map((line) => [line, { kind, level }] as const)),
  )

/** The lines before the first turn: the call's title as a heading, without a list of its speakers, whom the turns name. */
const readBefore = (
  lines: ReadonlyArray<string>,
  speakers: ReadonlySet<string>,
  marked: Marked,
): ReadonlyArray<Element> => {
  const isListOfSpeakers = (line: string) =>
    SPEAKERS_LABEL.test(line) ||
    SPEAKERS_LIST.exec(line)![1]!
      .split(/[,;•|]|\band\b|&/)
      .map((name) => name.trim())
      .every((name) => name === "" || speakers.has(name.toLowerCase()))
  return lines
    .filter((line) => !isListOfSpeakers(line))
    .map((text, index): Element => {
      const isTitle = index === 0 && text === lines[0] && text.length <= MAX_TITLE_LENGTH && !/[.!?]$/.test(text)
      return isTitle
        ? { kind: "heading", level: 1, text, place: PLACE }
        : { ...(marked.get(text) ?? { kind: "paragraph" }), text, place: PLACE }
    })
}

/** The words of a turn, up to a heading: below it nobody speaks. */
const readWords = ({ lines }: Turn, place: Place, marked: Marked): ReadonlyArray<Element> => {
  const heading = lines.findIndex((line) => marked.get(line)?.kind === "heading")
  const end = heading < 0 ? lines.length : heading
  return [
    ...lines.slice(0, end).map((text): Element => ({ kind: "speech", text, place })),
    ...lines
      .slice(end)
      .map((text): Element => ({ ...(marked.get(text) ?? { kind: "paragraph" }), text, place: PLACE })),
  ]
}

/**
 * The turns of a transcript that a recorder exports as text, each with its speaker and, where it has one, its time; undefined if the elements
 * are no transcript. Reads the exports of Otter, Zoom, Teams, Google Meet, Gong and Fireflies.
 */
export const asTranscript = (elements: ReadonlyArray<Element>): ReadonlyArray<Element> | undefined => {
  if (elements.some(({ kind }) => !TEXTS.has(kind))) return undefined
  const lines = joinHeads(elements.flatMap(({ text }) => linesOf(text)))
  const timed = readTimed(lines)
  const parsed = isTimed(timed, lines.length) ? timed : readUntimed(lines)
  if (parsed !== timed && !isUntimed(parsed, lines.length)) return undefined
  const { before, turns } = parsed
  const marked = findMarked(elements)
  return [
    ...readBefore(before, listSpeakers(turns), marked),
    ...turns.flatMap((turn, index) => {
      const { speaker, start } = turn
      const end = turns.slice(index + 1, index + 2)[0]?.start ?? start
      const place: Place =
        start === undefined
          ? { kind: "text", speaker }
          : { kind: "time", start, end: Math.max(start, end ?? start), speaker }
      return readWords(turn, place, marked)
    }),
  ]
}
