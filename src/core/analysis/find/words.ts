/** A word of a text: `text.slice(start, end)`. */
export interface Word {
  readonly start: number
  readonly end: number
  /** As written. */
  readonly raw: string
  /** In lower case, without accents and without `'s`. */
  readonly key: string
}

const WORD = /[\p{L}\p{Nd}]+(?:['’]\p{L}+)*/gu

const keyOf = (raw: string) =>
  raw.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase().replaceAll("’", "'").replace(/'s$/, "")

export const splitWords = (text: string): ReadonlyArray<Word> =>
  [...text.matchAll(WORD)].map(({ 0: raw, index }) => ({ start: index, end: index + raw.length, raw, key: keyOf(raw) }))
