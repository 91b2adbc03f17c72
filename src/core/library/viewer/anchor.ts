import { type Anchor, countLetters, isWhole } from "../../signing/token.ts"
import { isBoundary, isSentenceEnd, isSentenceStart, readLetters, withClosing, withOpening } from "./letters.ts"
import type { Cited } from "./picture.ts"

/** A part of a document's text that begins at offset `start`. Hidden elements have no place in that text. */
export interface Piece {
  readonly text: string
  readonly start: number
  readonly hidden?: true | undefined
}

/** The letters before and after a passage that its anchor covers, if they are known. */
const NEIGHBOURS = 32
/** Neighbours are looked for this far, in UTF-16 units. */
const MAX_REACH = 400
/** Bits of the hash for the neighbours, if they are known. */
const NEIGHBOUR_BITS = 6

/** Fewer letters are words that may be said anywhere: elsewhere than at their offset they count only between their neighbours. */
export const MIN_LETTERS_ALONE = 24
/** Words alone decide in a text of so many sentences: others in it have the same 22 or 28 bits in less than one of a thousand such texts. */
const MAX_TRIED = { knownNeighbours: 2 ** 12, unknownNeighbours: 2 ** 18 }
/** Places with the same words that a search remembers. Among more, the cited one is not sure. */
const MAX_FOUND = 256

const BASE = 0x01000193

/** Spreads the bits of a letter, so that the sum of a window depends on all of them. */
const spread = (letter: number): number => {
  let bits = Math.imul(letter + 0x3c6ef372, 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return bits ^ (bits >>> 16)
}

const add = (hash: number, bits: number) => (Math.imul(hash, BASE) + bits) | 0

const finish = (hash: number): number => {
  let bits = Math.imul(hash ^ (hash >>> 16), 0x7feb352d)
  bits = Math.imul(bits ^ (bits >>> 15), 0x846ca68b)
  return (bits ^ (bits >>> 16)) >>> 0
}

type Hash = Pick<Anchor, "hash" | "more">

/** The hash of a passage; `null` for neighbours that it does not cover. */
const hashPassage = (words: number, before: ReadonlyArray<number> | null, after: ReadonlyArray<number> | null) => {
  const whole = finish(words) >>> 4
  if (before === null && after === null) return { hash: whole, more: 0 }
  let around = 0
  for (const bits of before ?? []) around = add(around, bits)
  around = add(around, before === null ? 1 : 2)
  for (const bits of after ?? []) around = add(around, bits)
  const bits = finish(around)
  const hash = ((whole >>> NEIGHBOUR_BITS) << NEIGHBOUR_BITS) | (bits >>> (32 - NEIGHBOUR_BITS))
  return { hash, more: bits & 0b11_1111 } satisfies Hash
}

const isSame = (hash: Hash, anchor: Anchor) =>
  hash.hash === anchor.hash && (anchor.more === undefined || hash.more === anchor.more)

const knowsNeighbours = ({ before, after }: Anchor) => before || after

const hasSameWords = ({ hash }: Hash, anchor: Anchor) =>
  knowsNeighbours(anchor) ? hash >>> NEIGHBOUR_BITS === anchor.hash >>> NEIGHBOUR_BITS : hash === anchor.hash

/** The last letters of pieces before an offset; fewer if they end there. */
const lettersBefore = (pieces: ReadonlyArray<Piece>, index: number, offset: number): ReadonlyArray<number> => {
  let found: Array<number> = []
  for (let at = index; at >= 0 && found.length < NEIGHBOURS; at--) {
    const { text, start, hidden } = pieces[at]!
    if (hidden === true) continue
    const to = Math.min(text.length, offset - start)
    const here: Array<number> = []
    readLetters(text, Math.max(0, to - MAX_REACH), to, (letter) => void here.push(spread(letter)))
    found = [...here, ...found].slice(-NEIGHBOURS)
  }
  return found
}

/** Reads the letters of pieces from an offset on. */
const readFrom = (
  pieces: ReadonlyArray<Piece>,
  index: number,
  offset: number,
  take: (letter: number, at: number, end: number, piece: Piece) => boolean,
) => {
  for (let at = index; at < pieces.length; at++) {
    const piece = pieces[at]!
    if (piece.hidden === true) continue
    const from = Math.max(0, offset - piece.start)
    const goesOn = readLetters(piece.text, from, piece.text.length, (letter, at, end) => take(letter, at, end, piece))
    if (!goesOn) return
  }
}

/**
 * Makes the anchor of a part of a text, which may itself be a part of a document's text. Undefined for a part without letters.
 * Neighbours that this text does not have are left out.
 */
export const makeAnchor = (text: string, from: number, to: number): Anchor | undefined => {
  let all = 0
  readLetters(text, from, to, () => void all++)
  if (all === 0) return undefined
  const letters = countLetters(all)
  let [words, count] = [0, 0]
  const following: Array<number> = []
  readLetters(text, from, Math.min(text.length, to + MAX_REACH), (letter) => {
    if (count++ < letters) words = add(words, spread(letter))
    else following.push(spread(letter))
    return following.length < NEIGHBOURS
  })
  const preceding = lettersBefore([{ text, start: 0 }], 0, from)
  const [before, after] = [preceding.length === NEIGHBOURS, following.length === NEIGHBOURS]
  return { letters, ...hashPassage(words, before ? preceding : null, after ? following : null), before, after }
}

/** The beginning of a passage whose first letter is `at` in a piece: the offset, unless white space follows that. */
const beginsAt = ({ text, start }: Piece, offset: number, at: number) =>
  offset >= start && !/\s/.test(text.slice(offset - start, at)) ? offset : start + withOpening(text, at)

/** Reads the passage of an anchor at an offset. Undefined if other words begin there; `fits` if its neighbours are the same too. */
export const passageAt = (
  pieces: ReadonlyArray<Piece>,
  start: number,
  anchor: Anchor,
): (Cited & { readonly fits: boolean }) | undefined => {
  const index = pieces.findLastIndex((piece) => piece.hidden !== true && piece.start <= start)
  if (index < 0) return undefined
  let [words, count, first, end] = [0, 0, start, start]
  const following: Array<number> = []
  readFrom(pieces, index, start, (letter, at, after, piece) => {
    if (count === 0) first = beginsAt(piece, start, at)
    if (count++ >= anchor.letters) following.push(spread(letter))
    else {
      words = add(words, spread(letter))
      if (count === anchor.letters) end = piece.start + withClosing(piece.text, after)
    }
    return count < anchor.letters || (anchor.after && following.length < NEIGHBOURS)
  })
  const hash = hashPassage(
    words,
    anchor.before ? lettersBefore(pieces, index, start) : null,
    anchor.after ? following : null,
  )
  if (count < anchor.letters || !hasSameWords(hash, anchor)) return undefined
  return { start: first, end, fits: isSame(hash, anchor) }
}

/** Why a passage is not found: its words are gone, or they are in several places. */
export type Lost = "changed" | "repeated"

interface Found extends Cited {
  readonly first: number
  readonly isSentence: boolean
  fits: boolean
}

/** Looks for the passage of an anchor in the pieces of a text, which it takes in order. Its memory does not depend on the text. */
export class AnchorSearch {
  readonly #anchor: Anchor
  readonly #offset: number
  /** Rings of the last letters: their bits, and the offsets at which a passage could begin or end with them. */
  readonly #size: number
  readonly #bits: Int32Array
  readonly #starts: Float64Array
  readonly #beginsSentence: Uint8Array
  readonly #power: number
  readonly #found: Array<Found> = []
  #read = 0
  #words = 0
  #tried = 0
  #decided = 0
  #last: { letter: number; end: number; piece: Piece } | undefined

  /** `offset`: where the passage was. */
  constructor(anchor: Anchor, offset: number) {
    this.#anchor = anchor
    this.#offset = offset
    this.#size = anchor.letters + 2 * NEIGHBOURS
    this.#bits = new Int32Array(this.#size)
    this.#starts = new Float64Array(this.#size)
    this.#beginsSentence = new Uint8Array(this.#size)
    let power = 1
    for (let n = 0; n < anchor.letters; n++) power = Math.imul(power, BASE)
    this.#power = power
  }

  take(piece: Piece): void {
    if (piece.hidden === true) return
    readLetters(piece.text, 0, piece.text.length, (letter, at, end) => this.#push(letter, at, end, piece))
  }

  /** The passage, or why it is not found. */
  end(): Cited | Lost {
    this.#try()
    for (; this.#decided < this.#found.length; this.#decided++) this.#decide(this.#found[this.#decided]!)
    const found = this.#found
    if (found.length === 0) return "changed"
    const fitting = found.filter(({ fits }) => fits)
    if (fitting.length === 1) return fitting[0]!
    if (found.length > 1 || fitting.length > 1) return "repeated"
    return this.#isAlone(found[0]!) ? found[0]! : "changed"
  }

  /** Whether the only place with the words is theirs, although its neighbours are others or not known. */
  #isAlone({ start, isSentence }: Found) {
    const limit = knowsNeighbours(this.#anchor) ? MAX_TRIED.knownNeighbours : MAX_TRIED.unknownNeighbours
    if (start === this.#offset) return true
    return isSentence && this.#anchor.letters >= MIN_LETTERS_ALONE && this.#tried <= limit
  }

  #push(letter: number, at: number, end: number, piece: Piece) {
    const last = this.#last
    const isStart = last === undefined || isBoundary(last.letter, last.end, letter, piece.start + at)
    if (isStart || !isWhole(this.#anchor)) this.#try()
    const { letters } = this.#anchor
    const slot = this.#read % this.#size
    const bits = spread(letter)
    this.#words = add(this.#words, bits)
    if (this.#read >= letters) {
      const gone = this.#bits[(this.#read - letters) % this.#size]!
      this.#words = (this.#words - Math.imul(gone, this.#power)) | 0
    }
    this.#bits[slot] = bits
    this.#starts[slot] = -1
    if (isStart) {
      const start = withOpening(piece.text, at)
      this.#starts[slot] = piece.start + start
      this.#beginsSentence[slot] = isSentenceStart(piece.text, start) ? 1 : 0
    }
    this.#read++
    this.#last = { letter, end: piece.start + end, piece }
    const next = this.#found[this.#decided]
    if (next !== undefined && next.first + letters + NEIGHBOURS === this.#read) {
      this.#decide(next)
      this.#decided++
    }
  }

  /** Compares the window that ends with the last letter. */
  #try() {
    const anchor = this.#anchor
    const first = this.#read - anchor.letters
    const last = this.#last
    if (first < 0 || last === undefined || this.#found.length >= MAX_FOUND) return
    const start = this.#starts[first % this.#size]!
    if (start < 0) return
    const beginsSentence = this.#beginsSentence[first % this.#size] === 1
    if (beginsSentence) this.#tried++
    if (!hasSameWords(hashPassage(this.#words, null, null), anchor)) return
    const { text, start: offset } = last.piece
    const end = withClosing(text, last.end - offset)
    const isSentence = beginsSentence && (isSentenceEnd(text, end) || !isWhole(anchor))
    this.#found.push({ first, start, end: offset + end, isSentence, fits: false })
  }

  /** Compares the neighbours of a place, once they are read. */
  #decide(found: Found) {
    const { before, after, letters } = this.#anchor
    const bitsOf = (from: number) =>
      Array.from({ length: NEIGHBOURS }, (_, n) => from + n)
        .filter((index) => index >= 0 && index < this.#read)
        .map((index) => this.#bits[index % this.#size]!)
    const around = (isKnown: boolean, from: number) => (isKnown ? bitsOf(from) : null)
    let words = 0
    for (let n = 0; n < letters; n++) words = add(words, this.#bits[(found.first + n) % this.#size]!)
    const hash = hashPassage(words, around(before, found.first - NEIGHBOURS), around(after, found.first + letters))
    found.fits = knowsNeighbours(this.#anchor) && isSame(hash, this.#anchor)
  }
}
