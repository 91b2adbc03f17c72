import type { Element, PageText, Place, Recognition, RecognizedLine, Warning } from "../document.ts"
import { joinRanges } from "../formats/pdf/pageWarnings.ts"
import { makeElements } from "../formats/pdf/paragraphs.ts"
import { recognizedLines, recognizedParagraphs } from "../formats/pdf/scans/recognized.ts"

/** From 0 to 1. Lines of a lower confidence are mostly wrong, or patterns of a photo. */
const MIN_CONFIDENCE = 0.7
/** The share of a picture's letters. Where fewer are in such lines, these are scraps of sentences. */
const MIN_SHARE = 0.5
/** Shorter words alone are marks, and ticks of an axis. */
const WORD = /[\p{L}\p{N}]{3}/u

const lettersIn = ({ words }: RecognizedLine) => words.reduce((sum, { text }) => sum + text.length, 0)

/** By letters; an engine that does not say is sure. */
const confidenceIn = (line: RecognizedLine) =>
  line.words.reduce((sum, { text, confidence = 1 }) => sum + text.length * confidence, 0) / lettersIn(line)

const isReadable = (line: RecognizedLine) =>
  confidenceIn(line) >= MIN_CONFIDENCE && line.words.some(({ text }) => WORD.test(text))

/** The lines of a picture that can be trusted; none if most cannot. */
const readablePart = (text: PageText): PageText => {
  if (typeof text.content === "string") return text
  const lines = text.content.filter(isReadable)
  const lettersOf = (all: ReadonlyArray<RecognizedLine>) => all.reduce((sum, line) => sum + lettersIn(line), 0)
  return { ...text, content: lettersOf(lines) < MIN_SHARE * lettersOf(text.content) ? [] : lines }
}

/** Whether the engine found letters or digits, right or wrong. */
const hasLetters = ({ content }: PageText): boolean =>
  typeof content === "string"
    ? content.trim() !== ""
    : content.some(({ words }) => words.some(({ text }) => WORD.test(text)))

/** A picture in an Office document. */
export interface Shown {
  /** The name of its part. */
  readonly part: string
  /** Its size on the page or slide, in inches. Zero: the document leaves it to a layout. */
  readonly width: number
  readonly height: number
}

/** English Metric Units per inch, the unit of sizes in Office documents. */
export const EMU = 914_400

/** In square inches, and in inches: smaller pictures are logos and icons. */
const MIN_AREA = 3
const MIN_SIDE = 0.6
/** Recognizing one takes a second or two. */
export const MAX_PICTURES = 200
/** Pictures that engines take. */
const PIXELS = /\.(?:png|jpe?g|gif|bmp|webp)$/i
/** Scans, and drawings of lines, which no engine takes. An SVG has a copy in pixels beside it. */
const UNREAD = /\.(?:tiff?|emf|wmf|emz|wmz)$/i

export const isLarge = ({ width, height }: Pick<Shown, "width" | "height">): boolean =>
  width === 0 || height === 0 || (width * height >= MIN_AREA && Math.min(width, height) >= MIN_SIDE)

/**
 * The large pictures of an Office document, counted from 1 in their order, each part once, and the text that was recognized on
 * them. There are none if no engine is configured.
 */
export class Pictures {
  readonly shown: Array<Shown> = []
  private readonly places: Array<Place> = []
  private readonly parts = new Set<string>()
  /** The numbers of those that have text. */
  private readonly written = new Set<number>()
  /** Large pictures that no engine takes: the names of their parts, and their places. */
  private readonly unread = new Map<string, Place>()
  private readonly recognition: Recognition

  constructor(recognition: Recognition) {
    this.recognition = recognition
  }

  /** Counts a picture where it stands. Returns the text that was recognized on it. */
  add(picture: Shown, place: Place): ReadonlyArray<Element> {
    if (this.recognition === undefined || !isLarge(picture)) return []
    if (UNREAD.test(picture.part) && this.unread.size < MAX_PICTURES) this.unread.set(picture.part, place)
    if (!PIXELS.test(picture.part) || this.parts.has(picture.part) || this.shown.length >= MAX_PICTURES) return []
    this.parts.add(picture.part)
    this.shown.push(picture)
    this.places.push(place)
    const number = this.shown.length
    const text = this.textOf(number)
    const elements = text === undefined ? [] : elementsOn(text, place)
    if (elements.length > 0) this.written.add(number)
    return elements
  }

  private textOf(number: number): PageText | undefined {
    return this.recognition instanceof Map ? (this.recognition as ReadonlyMap<number, PageText>).get(number) : undefined
  }

  /** `isAll`: the document has no other text. */
  warnings(isAll: boolean): ReadonlyArray<Warning> {
    return [...this.recognitionWarnings(isAll), ...this.unreadWarnings()]
  }

  private unreadWarnings(): ReadonlyArray<Warning> {
    const names = [...this.unread].map(([part, place]) => {
      const name = part.slice(part.lastIndexOf("/") + 1)
      return place.kind === "slide" ? `${name} on slide ${place.slide}` : name
    })
    if (names.length === 0) return []
    const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : ""
    const message = `The file shows large pictures in formats whose text is not recognized: ${names.slice(0, MAX_NAMED).join(", ")}${more}. If they show text, replace them by PNG pictures and upload the file again.`
    return [{ code: "pictures_without_text", message }]
  }

  private recognitionWarnings(isAll: boolean): ReadonlyArray<Warning> {
    const numbers = this.shown.map((_, index) => index + 1)
    if (this.recognition === "pending")
      return this.warn("pictures_without_text", numbers, (these, one) => {
        return `The file shows ${these}. The run adds ${one ? "its" : "their"} text as soon as it is recognized.`
      })
    const hasText = (number: number) => this.written.has(number)
    // A photo without text is nothing to warn of, but in a file that has nothing else.
    const isPhoto = (text: PageText | undefined) => !isAll && text !== undefined && !hasLetters(text)
    const isWithout = (number: number) => !hasText(number) && !isPhoto(this.textOf(number))
    return [
      ...this.warn("pictures_recognized", numbers.filter(hasText), (these, one) => {
        return `The file shows ${these}, whose text was recognized. It may contain mistakes: compare it with the ${one ? "picture" : "pictures"} before you quote it.`
      }),
      ...this.warn("pictures_without_text", numbers.filter(isWithout), (these, one) => {
        return `The file shows ${these} on which no text was recognized for certain. Look at ${one ? "it" : "them"} in the file.`
      }),
    ]
  }

  private warn(
    code: Warning["code"],
    numbers: ReadonlyArray<number>,
    say: (these: string, one: boolean) => string,
  ): ReadonlyArray<Warning> {
    if (numbers.length === 0) return []
    const one = numbers.length === 1
    const slides = [...new Set(numbers.flatMap((number) => slideOf(this.places[number - 1]!)))]
    const where = slides.length === 0 || slides.length > MAX_NAMED ? "" : ` (slide ${slides.join(", ")})`
    const these = `${one ? "a large picture" : `${numbers.length} large pictures`}${where}`
    return [{ code, message: say(these, one), pictures: joinRanges(numbers) }]
  }
}

/** Slides that a message names. */
const MAX_NAMED = 12

const slideOf = (place: Place) => (place.kind === "slide" ? [place.slide] : [])

/** The text of a picture, which divides no section: large letters on a photo are no heading of the document. */
const elementsOn = (text: PageText, place: Place): ReadonlyArray<Element> =>
  elementsIn(readablePart(text)).map(({ level: _, kind, ...element }) => ({
    ...element,
    kind: kind === "heading" ? "paragraph" : kind,
    place,
  }))

const elementsIn = (text: PageText) => makeElements([recognizedLines(text, 1)], [recognizedParagraphs(text, 1)], [[]])
