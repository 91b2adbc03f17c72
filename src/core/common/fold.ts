/** Longer results are cut, because an index limits its entries to 2.7 kB. Names have at most 400 characters. */
const MAX_LENGTH = 600

/** Printable ASCII with single spaces and without entities: folding changes only its case. SQL has the same rule: see `foldedColumns.ts`. */
const PLAIN = /^[!-%'-~]+(?: [!-%'-~]+)*$/

const ENTITY = /&(?:amp;)*(?:(amp|lt|gt|quot|apos|nbsp)|#(\d{1,7})|#x([\da-f]{1,6}));/gi
const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " }
/** Texts that exports escaped several times. */
const MAX_DECODED = 3

const decode = (text: string): string =>
  text.replace(ENTITY, (whole, name: string | undefined, decimal: string | undefined, hex: string | undefined) => {
    if (name !== undefined) return ENTITIES[name.toLowerCase()]!
    const code = decimal === undefined ? Number.parseInt(hex!, 16) : Number(decimal)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })

const decodeAll = (text: string): string => {
  let decoded = text
  for (let n = 0; n < MAX_DECODED && decoded.includes("&"); n++) decoded = decode(decoded)
  return decoded
}

/**
 * Two texts that a reader takes for the same have the same fold: NFKC, upper then lower case, without default-ignorable characters (soft
 * hyphen, zero-width space), with single spaces, HTML entities decoded. Stored columns keep folds, so a change needs a migration.
 */
export const fold = (text: string): string => {
  if (PLAIN.test(text)) return text.toLowerCase().slice(0, MAX_LENGTH)
  const folded = decodeAll(text.toWellFormed().normalize("NFKC"))
    .normalize("NFKC")
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "")
    // `ẞ` is already upper case: only its lower case has the upper case `SS`.
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    // The lower case of `İ` is `i` with a second dot.
    .replaceAll("i\u0307", "i")
    .normalize("NFKC")
    .replaceAll(/[\s\u0085]+/g, " ")
    .trim()
  return (folded === "" ? text : folded).slice(0, MAX_LENGTH).toWellFormed()
}

/** Folds a name in which spaces do not count either: of a custom metric or answer. */
export const foldWithoutSpaces = (text: string): string => fold(text).replaceAll(" ", "")
