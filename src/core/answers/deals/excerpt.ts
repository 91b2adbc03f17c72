import type { DealRecord } from "../../search/DealRecords.ts"

/** The part of a deal's record that a list cites: its drivers if the question asks why, else its facts from the stage on. */
export const cutExcerpt = (
  { text, headings }: DealRecord,
  wantsReasons: boolean,
): { readonly start: number; readonly end: number } => {
  const drivers = headings.findIndex(({ start, end }) => text.slice(start, end) === "Drivers")
  if (wantsReasons && drivers >= 0) {
    return trimmed(text, headings[drivers]!.end, headings[drivers + 1]?.start ?? text.length)
  }
  const facts = trimmed(text, headings[0]?.end ?? 0, headings[1]?.start ?? text.length)
  const stage = text.indexOf("\nStage: ", facts.start) + 1
  return stage > 0 && stage < facts.end
    ? { start: stage, end: facts.end }
    : facts.end > facts.start
      ? facts
      : { start: 0, end: headings[0]?.end ?? text.length }
}

/** Trims white space, and cuts at the end of a line if the part is too long. */
const trimmed = (text: string, from: number, to: number) => {
  const start = from + (text.slice(from, to).length - text.slice(from, to).trimStart().length)
  const end = start + text.slice(start, to).trimEnd().length
  if (end - start <= MAX_LENGTH) return { start, end }
  const cut = text.lastIndexOf("\n", start + MAX_LENGTH)
  return { start, end: cut > start ? cut : start + MAX_LENGTH }
}

/** In UTF-16 units. */
const MAX_LENGTH = 600
