const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00A0",
  colon: ":",
  sol: "/",
}

export const ESCAPE = /\\([!-/:-@[-`{-~])/y
export const ENTITY = /&(?:#(\d{1,7})|#[xX]([\dA-Fa-f]{1,6})|([a-z]{2,5}));/y
const ENCODED = new RegExp(`${ESCAPE.source}|${ENTITY.source}`, "g")

/** Decodes a character reference; one that is unknown stays. */
export const decodeEntity = (whole: string, decimal?: string, hexadecimal?: string, name?: string): string => {
  if (name !== undefined) return ENTITIES[name] ?? whole
  const code = decimal === undefined ? Number.parseInt(hexadecimal!, 16) : Number(decimal)
  return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : "\uFFFD"
}

const SAFE_PROTOCOLS = new Set(["http:", "https:"])

/** Returns the address if a page may link to it: http, https or relative. Browsers read its scheme with the same parser. */
export const safeHref = (address: string): string | undefined => {
  try {
    return SAFE_PROTOCOLS.has(new URL(address, "https://relative.invalid").protocol) ? address : undefined
  } catch {
    return undefined
  }
}

/** The address of a Markdown link, if it is safe. */
export const hrefOf = (destination: string): string | undefined =>
  safeHref(
    destination.replaceAll(ENCODED, (whole: string, escaped?: string, ...reference: Array<string | undefined>) =>
      escaped === undefined ? decodeEntity(whole, reference[0], reference[1], reference[2]) : escaped,
    ),
  )
