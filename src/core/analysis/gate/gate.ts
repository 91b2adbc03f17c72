/** Typographic quotes, dashes and white space are alike; so are upper and lower case. */
const FOLDED: Readonly<Record<string, string>> = {
  "“": '"',
  "”": '"',
  "„": '"',
  "«": '"',
  "»": '"',
  "‘": "'",
  "’": "'",
  "‚": "'",
}

/** A text in the form in which quotes are compared, and the offset of each of its units in the original. */
const fold = (text: string) => {
  let folded = ""
  const offsets: Array<number> = []
  let isSpace = true
  for (let at = 0; at < text.length; at++) {
    const unit = text[at]!
    if (/\s/.test(unit)) {
      if (!isSpace) {
        folded += " "
        offsets.push(at)
      }
      isSpace = true
      continue
    }
    isSpace = false
    for (const each of FOLDED[unit] ?? unit.toLowerCase()) {
      folded += each
      offsets.push(at)
    }
  }
  return { folded, offsets }
}

/** The offsets of a quote in a text; undefined if the text does not contain it verbatim. */
export const locate = (
  text: string,
  quote: string,
  within: { readonly start: number; readonly end: number } = { start: 0, end: text.length },
): { readonly start: number; readonly end: number } | undefined => {
  const wanted = fold(quote).folded.trim()
  if (wanted === "") return undefined
  const { folded, offsets } = fold(text.slice(within.start, within.end))
  const at = folded.indexOf(wanted)
  if (at < 0) return undefined
  return { start: within.start + offsets[at]!, end: within.start + offsets[at + wanted.length - 1]! + 1 }
}
