import type { ReadDocument } from "../../document.ts"
import { elementList } from "../../elements.ts"
import { UnreadableError } from "../../UnreadableError.ts"
import { decode } from "../../encodings/decode.ts"
import { isName } from "../../transcripts/heads.ts"

/** A time of a cue: hours may be absent in WebVTT; SubRip has a comma before the milliseconds. */
const TIME = String.raw`(?:(\d{1,4}):)?(\d{1,2}):(\d{2})[.,](\d{1,3})`
const TIMES = new RegExp(String.raw`^[ \t]*${TIME}[ \t]+-->[ \t]+${TIME}`)

/** A speaker at the beginning of a cue: WebVTT's voice, or a name and a colon. */
const VOICE = /^\s*<v(?:\.[^\s>]{0,100})?\s+([^<>]{1,100})>/
const NAMED = /^(?:- ?)?([\p{Lu}\p{Lo}][\p{L}\p{N} .'’()-]{0,48}):\s+(?=\S)/u

/** A name begins each of its words with a capital, but for those in parentheses and particles: others before a colon are a sentence's. */
const isSpeaker = (name: string) => {
  const bare = name.replaceAll(/\([^)]*\)/g, "").trim()
  return isName(bare) && bare.split(/\s+/).every((word) => !/^\p{Ll}/u.test(word) || PARTICLES.has(word))
}
const PARTICLES: ReadonlySet<string> = new Set(
  "von van der den de del da di dos du la le bin al el ter zu und and".split(" "),
)

/** Marks of a new speaker, and of a place on the picture. */
const MARKS = /^\s*(?:>>+|»)\s*|\{\\[^{}]{0,40}\}/g

/** Programs put names in brackets, and so do people sounds: they are names where most cues have one. */
const BRACKETED = /^(?:- ?)?\[([\p{Lu}][^[\]:]{0,48})\]:?\s+(?=\S)/u
const MIN_BRACKETED = 0.5

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", nbsp: " ", lrm: "", rlm: "" }

/** Longer turns are split between cues, so that a citation opens near its words. */
const MAX_TURN_LENGTH = 600
const MAX_PAUSE_SECONDS = 2

interface Cue {
  readonly start: number
  readonly end: number
  readonly speaker: string | undefined
  readonly text: string
}

const parseSeconds = ([hours, minutes, seconds, thousandths]: ReadonlyArray<string | undefined>) =>
  Number(hours ?? 0) * 3600 + Number(minutes) * 60 + Number(seconds) + Number((thousandths ?? "").padEnd(3, "0")) / 1000

const parseCues = (lines: ReadonlyArray<string>): ReadonlyArray<Cue> => {
  const at = lines.findIndex((line) => TIMES.test(line))
  // A cue's times follow its number or name; a block without times is a comment or a style.
  if (at < 0 || at > 1) return []
  const times = TIMES.exec(lines[at]!)!.slice(1)
  const spoken = lines.slice(at + 1)
  // Several people may speak in one cue, each behind a voice or a dash.
  const dialogue = spoken.every((line) => /^\s*[-–]/.test(line)) ? spoken : [spoken.join(" ")]
  return dialogue.flatMap((line) => line.split(/(?=<v[\s.])/)).flatMap((raw) => parseCue(raw.trim(), times) ?? [])
}

const parseCue = (raw: string, times: ReadonlyArray<string | undefined>): Cue | undefined => {
  const voice = VOICE.exec(raw)?.[1]
  const bare = raw
    .replaceAll(/<[^<>]{0,200}>/g, "")
    .replaceAll(/&(amp|lt|gt|nbsp|lrm|rlm);/g, (_, name: string) => ENTITIES[name]!)
    .replaceAll(MARKS, "")
    .replaceAll(/\s+/g, " ")
    .trim()
  const before = voice === undefined ? NAMED.exec(bare) : null
  const named = before !== null && isSpeaker(before[1]!) ? before : null
  const text = named === null ? bare : bare.slice(named[0].length)
  const [start, end] = [parseSeconds(times.slice(0, 4)), parseSeconds(times.slice(4, 8))]
  return text === "" ? undefined : { start, end: Math.max(start, end), speaker: (voice ?? named?.[1])?.trim(), text }
}

const withBracketed = (cue: Cue): Cue => {
  const named = cue.speaker === undefined ? BRACKETED.exec(cue.text) : null
  return named === null ? cue : { ...cue, speaker: named[1]!.trim(), text: cue.text.slice(named[0].length) }
}

/** Before a cue that no empty line divides from the one before. */
const TIMES_AHEAD = String.raw`(?=[ \t]*${TIME}[ \t]+-->)`
const UNDIVIDED = new RegExp(
  String.raw`\n(?:(?=\d{1,6}[ \t]*\n${TIMES_AHEAD})|(?<!\n\d{1,6}[ \t]{0,4}\n)${TIMES_AHEAD})`,
  "g",
)

/** The cues of a file, with their speakers. */
const readCues = (text: string): ReadonlyArray<Cue> => {
  const cues = text
    .replaceAll(/\r\n?/g, "\n")
    .replaceAll(UNDIVIDED, "\n\n")
    .split(/\n[ \t]*\n+/)
    .flatMap((block) => parseCues(block.split("\n").filter((line) => line.trim() !== "")))
  const bracketed = cues.filter((cue) => BRACKETED.test(cue.text)).length
  return bracketed > 1 && bracketed >= cues.length * MIN_BRACKETED ? cues.map(withBracketed) : cues
}

/** Whether a cue goes on with the turn before: the same speaker, soon after, in the middle of a sentence or of a short turn. */
const goesOn = (turn: Cue, next: Cue) =>
  turn.speaker === next.speaker &&
  next.start - turn.end <= MAX_PAUSE_SECONDS &&
  turn.text.length + next.text.length < MAX_TURN_LENGTH

/** Reads WebVTT or SubRip: the turns of speakers at their times. Throws `UnreadableError`. */
export const readSubtitles = (bytes: Uint8Array): ReadDocument => {
  const { text, warnings } = decode(bytes)
  const elements = elementList()
  const add = ({ start, end, speaker, text }: Cue) =>
    elements.add("speech", text, { kind: "time", start, end, ...(speaker !== undefined && { speaker }) })
  let turn: Cue | undefined
  for (const cue of readCues(text)) {
    if (turn !== undefined && goesOn(turn, cue)) {
      const { start, end, speaker, text } = turn
      turn = { start, end: Math.max(end, cue.end), speaker, text: `${text} ${cue.text}` }
      continue
    }
    if (turn !== undefined) add(turn)
    turn = cue
  }
  if (turn === undefined) throw new UnreadableError("empty", "No spoken text with times was found in the file.")
  add(turn)
  return { elements: elements.list, warnings }
}
