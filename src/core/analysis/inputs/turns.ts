import type { LaidElement } from "../../ports/document.ts"

/** The uninterrupted words of one speaker or sender, or a paragraph. Offsets are in the document's text. */
export interface Turn {
  readonly start: number
  readonly text: string
  /** The label of the speaker, as written. */
  readonly speaker: string | undefined
  /** Seconds from the start of a recording. */
  readonly from: number | undefined
  readonly to: number | undefined
  readonly isHeading: boolean
}

/** A name and a colon at the beginning of a line: `Dana Reyes (Hartwell): …`. */
const LABEL = /^(?:\[?\d{1,2}:\d{2}(?::\d{2})?\]?\s+)?(\p{Lu}[^:\n]{0,78}):[ \t\n]+(?=\S)/u

/** One line of a mail's head. */
const SENDER = /^(?:From|Von|De|Da)\s*:\s*([^\n]{1,200})/im

/** A document with fewer labelled paragraphs has headings that end with a colon, not speakers. */
const MIN_LABELLED = 2

/** Words after which a colon belongs to the text: `Next step: …`. */
const NO_SPEAKER =
  /^(?:(?:next|open|action|key|main|first|second|last|to|cc|bcc|subject|date|sent|from|re|fwd?|note|notes|ps|agenda|summary|attendees|participants|budget|price|risk|risks|status|decision|question|answer)\b.{0,20}|https?)$/i

const findLabel = (text: string): { readonly speaker: string; readonly length: number } | undefined => {
  const found = LABEL.exec(text)
  const speaker = found?.[1]?.trim()
  if (found === null || speaker === undefined || NO_SPEAKER.test(speaker)) return undefined
  return speaker.split(/\s+/).length > 8 ? undefined : { speaker, length: found[0].length }
}

/** The turns of a document, in order. Labels at the beginning of paragraphs are speakers if at least two paragraphs have one. */
export const readTurns = (elements: Iterable<LaidElement>): ReadonlyArray<Turn> => {
  const all = [...elements]
  const isSpoken = (element: LaidElement) => findSpeaker(element) !== undefined
  const labelled = all.filter(
    (each) => !isSpoken(each) && each.kind === "paragraph" && findLabel(each.text) !== undefined,
  )
  const readsLabels = labelled.length >= MIN_LABELLED
  const turns: Array<Turn> = []
  let sender: string | undefined
  for (const element of all) {
    const { start, text, kind, place } = element
    const head = SENDER.exec(text)?.[1]?.trim()
    if (head !== undefined && head !== "") sender = head
    const label = readsLabels && kind === "paragraph" && !isSpoken(element) ? findLabel(text) : undefined
    const skipped = label?.length ?? 0
    turns.push({
      start: start + skipped,
      text: text.slice(skipped),
      speaker: findSpeaker(element) ?? label?.speaker ?? sender,
      from: place.kind === "time" ? place.start : undefined,
      to: place.kind === "time" ? place.end : undefined,
      isHeading: kind === "heading",
    })
  }
  return turns
}

const findSpeaker = ({ place }: LaidElement): string | undefined => ("speaker" in place ? place.speaker : undefined)
