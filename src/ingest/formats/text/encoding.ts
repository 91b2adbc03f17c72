import { analyse } from "chardet"
import { type CodePage, decodeCodePage } from "./codePages.ts"
import type { Warning } from "../../document.ts"
import { byMark, byNuls, decodeAs, mostlyText, SAMPLE } from "../../safety/unicode.ts"
import { likeliestPage } from "./plausibility.ts"
import { UnreadableError } from "../../UnreadableError.ts"

interface Decoded {
  readonly text: string
  readonly warnings: ReadonlyArray<Warning>
}

const asUtf8 = (bytes: Uint8Array) => {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** Text in UTF-8 but for a few bytes, as it is after a cut or a bad merge. */
const asDamagedUtf8 = (bytes: Uint8Array): Decoded | undefined => {
  const text = new TextDecoder("utf-8").decode(bytes)
  const damaged = text.split("\ufffd").length - 1
  const beyondAscii = text.match(/[^\0-\u007f]/gu)?.length ?? 0
  if (damaged * 5 > beyondAscii) return undefined
  const message = `The file is UTF-8 with ${damaged} damaged characters, shown as "\ufffd". Save it as UTF-8 and upload that copy.`
  return { text, warnings: [{ code: "encoding_guessed", message }] }
}

const asGuess = (text: string, name: string): Decoded => ({
  text,
  warnings: [
    {
      code: "encoding_guessed",
      message: `The file does not say its encoding; it was taken for ${name}. If letters are wrong, save it as UTF-8 and upload that copy.`,
    },
  ],
})

/** A mean of `likeliestPage`. The right page of a text in a language it knows has -3.4 or more, the best page of a Chinese one -4.3. */
const LIKELY = -3.9

/** What is not judged by its letters here. */
const BY_CHARDET = /^(?:Shift_JIS|Big5|EUC-|GB18030|ISO-2022|windows-874|windows-1258)/

/** A confidence of chardet; a few letters prove little. */
const sureOf = (bytes: Uint8Array) => (bytes.filter((byte) => byte > 127).length < 16 ? 60 : 30)

const byChardet = (bytes: Uint8Array): Decoded | undefined => {
  const sample = bytes.subarray(0, 256 * 1024)
  const best = analyse(sample)[0]
  if (best === undefined || best.confidence < sureOf(sample) || !BY_CHARDET.test(best.name)) return undefined
  try {
    return asGuess(new TextDecoder(best.name, { fatal: true }).decode(bytes), best.name)
  } catch {
    return undefined // Not this one after all, or an encoding that this runtime does not know.
  }
}

/** Below this share of bytes beyond ASCII a text can be read whatever they are. */
const MAX_ODD_SHARE = 0.01

const byGuess = (bytes: Uint8Array): Decoded => {
  const asPage = (page: CodePage) => asGuess(decodeCodePage(bytes, page), page)
  const { page, likelihood } = likeliestPage(bytes)
  if (likelihood >= LIKELY) return asPage(page)
  const read = byChardet(bytes)
  if (read !== undefined) return read
  const odd = bytes.reduce((count, byte) => (byte > 127 ? count + 1 : count), 0)
  if (odd <= bytes.length * MAX_ODD_SHARE) return asPage(page)
  throw new UnreadableError(
    "unsupported",
    "The file does not say its encoding, and no known one gives plausible text. Save it as UTF-8 and upload that copy.",
  )
}

/**
 * Text from bytes of unknown encoding: a byte order mark, then the pattern of NULs, then UTF-8, then the likeliest code page with a
 * warning. Throws `UnreadableError`.
 */
export const decode = (bytes: Uint8Array): Decoded => {
  const [marked, mark = []] = byMark(bytes) ?? []
  const known = marked ?? byNuls(bytes)
  const utf8 = known === undefined ? asUtf8(bytes) : decodeAs(known, bytes.subarray(mark.length))
  const decoded = utf8 === undefined ? (asDamagedUtf8(bytes) ?? byGuess(bytes)) : { text: utf8, warnings: [] }
  if (!mostlyText(decoded.text.slice(0, SAMPLE))) {
    throw new UnreadableError("unsupported", "This is not a text file. Upload it under the type that it has.")
  }
  return decoded
}
