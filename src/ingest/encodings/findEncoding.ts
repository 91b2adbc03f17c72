import type { Encoding, StreamDecoder } from "../../core/ports/table.ts"
import { CODE_PAGES, type CodePage, decodeCodePage } from "./codePages.ts"

/** Names that the WHATWG's standard lacks. */
const ALIASES: Readonly<Record<string, string>> = {
  cp932: "shift_jis",
  "mac-roman": "macintosh",
  mac_roman: "macintosh",
  macroman: "macintosh",
  "latin-1": "windows-1252",
  "latin-2": "iso-8859-2",
  "latin-9": "iso-8859-15",
  cp949: "euc-kr",
  cp936: "gb18030",
  cp950: "big5",
}

/** Finds an encoding by its name or any label of the WHATWG's standard, `cp850` and such. Code pages are ours, so that all runtimes read alike. */
export const findEncoding = (label: string): Encoding | undefined => {
  const given = label.trim().toLowerCase()
  const name = ALIASES[given] ?? (/^cp\d{3}$/.test(given) ? given.replace("cp", "ibm") : given)
  if (Object.hasOwn(CODE_PAGES, name)) return { name, decoder: ofPage(name as CodePage) }
  try {
    const decoder = new TextDecoder(name)
    const { encoding } = decoder
    return Object.hasOwn(CODE_PAGES, encoding)
      ? { name: encoding, decoder: ofPage(encoding as CodePage) }
      : { name: encoding, decoder: { decode: (bytes, isLast) => decoder.decode(bytes, { stream: !isLast }) } }
  } catch {
    return undefined
  }
}

const ofPage = (page: CodePage): StreamDecoder => ({ decode: (bytes) => decodeCodePage(bytes, page) })
