import { judgePages, type Judged } from "./codePageLikelihood.ts"
import { judgeMultiByte } from "./multiByteLikelihood.ts"

/** Bytes beyond ASCII that are judged; more say no more. */
const MAX_PLACES = 2000

export interface Ranking {
  /** The likeliest first. */
  readonly candidates: ReadonlyArray<Judged>
  /** The number of bytes beyond ASCII that were judged. */
  readonly places: number
}

/** Ranks the encodings of a text that is neither UTF-8 nor UTF-16. */
export const rankEncodings = (bytes: Uint8Array): Ranking => {
  const places: Array<number> = []
  for (let at = 0; at < bytes.length && places.length < MAX_PLACES; at++) if (bytes[at]! > 127) places.push(at)
  const judged = [...judgePages(bytes, places), ...judgeMultiByte(bytes, places.at(-1) ?? -1)]
  return { candidates: judged.toSorted((a, b) => b.likelihood - a.likelihood), places: places.length }
}
