/** Windows-1252 of the bytes 0x80 to 0x9f, where it differs from Unicode. */
const UPPER = new Map(
  [..."€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ"].map((letter, at) => [letter, 0x80 + at]),
)
const FOLLOWING = `[\\u0080-\\u00bf${[...UPPER.keys()].join("")}]`

/** Sequences of UTF-8 as Windows-1252 shows them. */
const SEQUENCES = new RegExp(
  `(?:[\\u00c2-\\u00df]${FOLLOWING}|[\\u00e0-\\u00ef]${FOLLOWING}{2}|[\\u00f0-\\u00f4]${FOLLOWING}{3})+`,
  "gu",
)

/** Punctuation that may follow a letter in good text: "CAFÉ…", "à «". */
const ENDS_LIKE_TEXT = /[’‘“”…–—•‹›„‚\u00a0«»]$/u

const strict = new TextDecoder("utf-8", { fatal: true })

/** A text that was UTF-8, read as Windows-1252 and saved again: `MÃ¼ller`. */
export interface Mojibake {
  /** The word that shows it. */
  readonly found: string
  readonly meant: string
}

/** Whether a text is worth a closer look. Fast enough for every text. */
export const mayBeMojibake = (text: string): boolean => MAYBE.test(text)
const MAYBE = new RegExp(`[\\u00c2-\\u00f4]${FOLLOWING}`, "u")

/**
 * Finds text that was encoded twice, at one place. Good text has such a pair now and then, so that single ones count only with the accents,
 * signs and quotation marks of Europe, and before a letter if the second half could be punctuation. `isAll`: nothing else in the text is
 * beyond ASCII.
 */
export const mojibakeIn = (text: string): (Mojibake & { readonly isAll: boolean }) | undefined => {
  let first: Mojibake | undefined
  let covered = 0
  for (const { 0: run, index } of text.matchAll(SEQUENCES)) {
    const meant = decode(run)
    if (meant === undefined || !isLikely(run, meant, text.slice(index + run.length, index + run.length + 1))) continue
    covered += run.length
    first ??= { found: wordAt(text, index, run.length), meant: wordAt(text, index, run.length).replace(run, meant) }
  }
  if (first === undefined) return undefined
  return { ...first, isAll: covered === (text.match(/[^\0-\u007f]/g)?.length ?? 0) }
}

const decode = (run: string): string | undefined => {
  try {
    return strict.decode(Uint8Array.from(run, (letter) => UPPER.get(letter) ?? letter.charCodeAt(0)))
  } catch {
    return undefined
  }
}

const isLikely = (run: string, meant: string, next: string): boolean => {
  const isEuropean = /^[\u00a0-\u017f\u2010-\u2044\u20ac\u2122\ufeff]+$/u.test(meant)
  if ([...meant].length > 1) return isEuropean || /^(?:\p{L}|\p{M}|\p{P}|\p{N}|\p{So})+$/u.test(meant)
  return isEuropean && (!ENDS_LIKE_TEXT.test(run) || run.length > 2 || /\p{L}/u.test(next))
}

/** The word around a place, at most so long. */
const MAX_WORD = 40
const wordAt = (text: string, index: number, length: number): string => {
  const before = /(?<![^\s,;|"])[^\s,;|"]*$/.exec(text.slice(Math.max(0, index - MAX_WORD), index))![0]
  const after = /^[^\s,;|"]*/.exec(text.slice(index + length, index + length + MAX_WORD))![0]
  return before + text.slice(index, index + length) + after
}

export const describeMojibake = ({ found, meant }: Mojibake): string =>
  `'${found}', which was '${meant}' until a program read UTF-8 as Windows-1252: export it again from where it came`
