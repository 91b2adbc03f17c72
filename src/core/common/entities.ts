/** The names of U+00A0 to U+00FF, in order. */
const LATIN_1 =
  "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest " +
  "Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig " +
  "agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml"

const NAMES: ReadonlyMap<string, string> = new Map([
  ...LATIN_1.split(" ").map((name, n) => [name, String.fromCodePoint(0xa0 + n)] as const),
  ...Object.entries({
    amp: "&",
    AMP: "&",
    lt: "<",
    gt: ">",
    quot: '"',
    apos: "'",
    euro: "€",
    ndash: "–",
    mdash: "—",
    lsquo: "‘",
    rsquo: "’",
    sbquo: "‚",
    ldquo: "“",
    rdquo: "”",
    bdquo: "„",
    hellip: "…",
    trade: "™",
    bull: "•",
    scaron: "š",
    Scaron: "Š",
    oelig: "œ",
    OElig: "Œ",
  }),
])

const ENTITY = /&(?:([a-z]{2,6}\d{0,2})|#(\d{1,7})|#x([\da-f]{1,6}));/gi
const FIRST_PRINTABLE = 0x20

/** Decodes the HTML entities of a text once: `&amp;amp;` becomes `&amp;`. Others, and characters that no text has, stay as they are. */
export const decodeEntities = (text: string): string =>
  text.includes("&")
    ? text.replace(ENTITY, (whole, name: string | undefined, decimal: string | undefined, hex: string | undefined) => {
        if (name !== undefined) return NAMES.get(name) ?? whole
        const code = decimal === undefined ? Number.parseInt(hex!, 16) : Number(decimal)
        const isText = code >= FIRST_PRINTABLE && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
        return isText ? String.fromCodePoint(code) : whole
      })
    : text
