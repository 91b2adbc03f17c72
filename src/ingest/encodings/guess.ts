import type { Encoding, EncodingOrProblem } from "../../core/ports/table.ts"
import { CODE_PAGES, decodeCodePage } from "./codePages.ts"
import { findEncoding } from "./findEncoding.ts"
import { judgeMultiByte, MULTI_BYTE, type MultiByte } from "./multiByteLikelihood.ts"
import { type Judged, judgePages } from "./codePageLikelihood.ts"

/** Bytes beyond ASCII that are judged; more say no more. */
const MAX_PLACES = 2000

interface Ranking {
  /** The likeliest first. */
  readonly candidates: ReadonlyArray<Judged>
  /** The number of bytes beyond ASCII that were judged. */
  readonly places: number
}

/** Ranks the encodings of a text that is neither UTF-8 nor UTF-16. */
const rankEncodings = (bytes: Uint8Array): Ranking => {
  const places: Array<number> = []
  for (let at = 0; at < bytes.length && places.length < MAX_PLACES; at++) if (bytes[at]! > 127) places.push(at)
  const judged = [...judgePages(bytes, places), ...judgeMultiByte(bytes, places.at(-1) ?? -1)]
  return { candidates: judged.toSorted((a, b) => b.likelihood - a.likelihood), places: places.length }
}

/**
 * Means of the logarithms that `rankEncodings` gives to a byte. The right page of a text in a language it knows has -3.4 or more, the
 * best page of a Chinese one -4.3; the right encoding of that one has -3.3.
 */
const LIKELY = { page: -3.9, multiByte: -4.5 }

/** The difference of logarithms by which a reading must be likelier than any other. */
const SURE = 2
/** How much less likely a file of records is to come from DOS than a document. */
const FROM_DOS = -2
/** Readings that a message shows. */
const MAX_SHOWN = 4
const NEAR = 6

interface Reading {
  readonly name: string
  readonly text: string
  readonly likelihood: number
}

/** Candidates that read the text differently: many encodings share the letters of a text. */
const rankReadings = (sample: Uint8Array, candidates: Ranking["candidates"]): ReadonlyArray<Reading> => {
  const readings: Array<Reading> = []
  for (const { name, likelihood } of candidates) {
    if (readings.length === MAX_SHOWN || likelihood < candidates[0]!.likelihood - NEAR) break
    const text = readAs(name, sample)
    const isPossible = readings.length === 0 || !text.includes("\ufffd")
    if (isPossible && readings.every((other) => other.text !== text)) readings.push({ name, text, likelihood })
  }
  return readings
}

/** With what is known of files of records. */
const rankRecords = (sample: Uint8Array): Ranking => {
  const { candidates, places } = rankEncodings(sample)
  const judged = candidates.map(({ name, likelihood }) => ({
    name,
    likelihood: likelihood + (name.startsWith("ibm") ? FROM_DOS : 0),
  }))
  return { candidates: judged.toSorted((a, b) => b.likelihood - a.likelihood), places }
}

const readAs = (name: string, bytes: Uint8Array): string =>
  name in CODE_PAGES ? decodeCodePage(bytes, name as keyof typeof CODE_PAGES) : new TextDecoder(name).decode(bytes)

const isLikely = ({ candidates: [best], places }: Ranking): boolean => {
  if (best === undefined) return false
  const least = MULTI_BYTE.includes(best.name as MultiByte) ? LIKELY.multiByte : LIKELY.page
  return best.likelihood / places >= least
}

/** Bytes of a text that suffice to tell readings apart. */
const COMPARED_BYTES = 4_096

/** Guesses an encoding if one is likely, and likelier than those that read the text differently. */
export const guessEncoding = (sample: Uint8Array): EncodingOrProblem => {
  const ranking = rankRecords(sample)
  const [best, other, ...more] = rankReadings(sample.subarray(0, COMPARED_BYTES), ranking.candidates)
  if (best === undefined || !isLikely(ranking)) {
    return { problem: "is in an unknown encoding: save it as UTF-8, or name its encoding by the parameter 'encoding'" }
  }
  if (other === undefined || best.likelihood - other.likelihood >= SURE) return findEncoding(best.name)!
  const shown = [best, other, ...more].map(({ name, text }) => `'${firstOddLine(text)}' with encoding=${name}`)
  return {
    problem: `does not say its encoding, and reads ${shown.slice(0, -1).join(", ")} or ${shown.at(-1)}: name the right one by the parameter 'encoding', or save the file as UTF-8`,
  }
}

/** Below this share of bytes beyond ASCII a text can be read whatever they are. */
const MAX_ODD_SHARE = 0.01

/** The likeliest encoding, unless it leaves the text unreadable. */
export const likeliestEncoding = (sample: Uint8Array): EncodingOrProblem => {
  const ranking = rankEncodings(sample)
  const [best] = ranking.candidates
  const isReadable = ranking.places <= sample.length * MAX_ODD_SHARE
  return best !== undefined && (isReadable || isLikely(ranking))
    ? (findEncoding(best.name) as Encoding)
    : { problem: "is in an unknown encoding" }
}

/** The line of the first character beyond ASCII, at most so long. */
const MAX_LINE = 60
const firstOddLine = (text: string): string => {
  const at = Math.max(0, text.search(/[^\0-\u007f]/))
  const start = Math.max(text.lastIndexOf("\n", at) + 1, at - MAX_LINE / 2)
  return text.slice(start, start + MAX_LINE).split(/[\r\n]/, 1)[0]!
}
