import type { DealRecord } from "../../search/DealRecords.ts"

/** What of a deal's record stands for it in a list: what drove it where that was asked for, else its stage and the facts after it. */
export const excerptOf = (
  { text, headings }: DealRecord,
  why: boolean,
): { readonly start: number; readonly end: number } => {
  const drivers = headings.findIndex(({ start, end }) => text.slice(start, end) === "Drivers")
  if (why && drivers >= 0) {
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

/** Without the white space around it, and no longer than a reader takes in. */
const trimmed = (text: string, from: number, to: number) => {
  const start = from + (text.slice(from, to).length - text.slice(from, to).trimStart().length)
  const end = start + text.slice(start, to).trimEnd().length
  if (end - start <= MOST) return { start, end }
  const cut = text.lastIndexOf("\n", start + MOST)
  return { start, end: cut > start ? cut : start + MOST }
}

const MOST = 600
