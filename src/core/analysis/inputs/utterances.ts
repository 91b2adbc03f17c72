import type { Side } from "../finding.ts"
import type { Turn } from "./turns.ts"

/** The place of a part of an utterance in the document's text. */
interface Piece {
  /** In the utterance's text. */
  readonly at: number
  readonly start: number
  readonly length: number
  readonly second: number | undefined
}

/** Consecutive speech of one speaker, or a paragraph. The model sees each as a turn. */
export interface Utterance {
  readonly text: string
  readonly speaker: string | undefined
  readonly side: Side
  readonly isHeading: boolean
  readonly pieces: ReadonlyArray<Piece>
}

/** In UTF-16 units. A longer speech is several utterances, and a longer paragraph is split at a blank. */
const MAX_UTTERANCE = 1500
const MAX_PIECE = 3000

/** Joins adjacent turns of one speaker: recordings have one for each sentence. */
export const joinTurns = (
  turns: ReadonlyArray<Turn>,
  sideOf: (speaker: string | undefined) => Side,
): ReadonlyArray<Utterance> => {
  const utterances: Array<Utterance> = []
  for (const turn of turns.flatMap(splitLong)) {
    const { speaker, text, start, from, isHeading } = turn
    if (text.trim() === "") continue
    const last = utterances.at(-1)
    const piece = { start, length: text.length, second: from }
    const goesOn =
      last !== undefined &&
      speaker !== undefined &&
      last.speaker === speaker &&
      !last.isHeading &&
      !isHeading &&
      last.text.length + text.length <= MAX_UTTERANCE
    if (goesOn) {
      const pieces = [...last.pieces, { ...piece, at: last.text.length + 1 }]
      utterances[utterances.length - 1] = { ...last, text: `${last.text} ${text}`, pieces }
    } else {
      utterances.push({ text, speaker, side: sideOf(speaker), isHeading, pieces: [{ ...piece, at: 0 }] })
    }
  }
  return utterances
}

const splitLong = (turn: Turn): ReadonlyArray<Turn> => {
  if (turn.text.length <= MAX_PIECE) return [turn]
  const parts: Array<Turn> = []
  for (let from = 0; from < turn.text.length;) {
    const blank = turn.text.lastIndexOf(" ", from + MAX_PIECE)
    const to = from + MAX_PIECE >= turn.text.length ? turn.text.length : blank > from ? blank + 1 : from + MAX_PIECE
    parts.push({ ...turn, start: turn.start + from, text: turn.text.slice(from, to) })
    from = to
  }
  return parts
}

/** The start or end of a part of an utterance in the document's text. */
export const placeIn = ({ pieces }: Utterance, at: number) => {
  const piece = pieces.findLast((each) => each.at <= at) ?? pieces[0]!
  return { offset: piece.start + Math.min(at - piece.at, piece.length), second: piece.second }
}

/** In UTF-16 units of text. */
export const WINDOW_CHARACTERS = 6000
/** Windows of one deal that a model reads, those of the newest documents first. */
export const MAX_WINDOWS = 400
/** A heading begins a new window after this much text. */
const MIN_BEFORE_HEADING = 2000

/** The windows of a document: runs of whole utterances that a model reads at once. */
export const cutWindows = (utterances: ReadonlyArray<Utterance>): ReadonlyArray<ReadonlyArray<Utterance>> => {
  const windows: Array<Array<Utterance>> = []
  let length = Infinity
  for (const utterance of utterances) {
    const isFull = length + utterance.text.length > WINDOW_CHARACTERS
    if (isFull || (utterance.isHeading && length >= MIN_BEFORE_HEADING)) {
      windows.push([])
      length = 0
    }
    windows.at(-1)!.push(utterance)
    length += utterance.text.length
  }
  return windows
}
