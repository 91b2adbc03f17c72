import { analyse } from "chardet"
import { byMark, byNuls, decodeAs, mostlyText, SAMPLE, windows1252 } from "./knownEncodings.ts"
import { UnreadableError } from "./UnreadableError.ts"

export interface Decoded {
  readonly text: string
  readonly warnings: ReadonlyArray<string>
}

const asUtf8 = (bytes: Uint8Array) => {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** A confidence of chardet; a few letters prove little. */
const sureOf = (bytes: Uint8Array) => (bytes.filter((byte) => byte > 127).length < 16 ? 60 : 30)
const LATIN = new Set(["ISO-8859-1", "windows-1252", "ASCII", "UTF-8"])

const byGuess = (bytes: Uint8Array): Decoded => {
  const sample = bytes.subarray(0, 256 * 1024)
  const best = analyse(sample)[0]
  if (best !== undefined && best.confidence >= sureOf(sample) && !LATIN.has(best.name)) {
    try {
      const text = new TextDecoder(best.name, { fatal: true }).decode(bytes)
      return { text, warnings: [`The file does not say its encoding; it was taken for ${best.name}.`] }
    } catch {
      // Not this one after all, or an encoding that this runtime does not know.
    }
  }
  return { text: windows1252(bytes), warnings: ["The file does not say its encoding; it was taken for windows-1252."] }
}

/** Text from bytes of unknown encoding: a byte order mark, then the pattern of NULs, then UTF-8, then a guess with a warning. Throws `UnreadableError`. */
export const decode = (bytes: Uint8Array): Decoded => {
  const [marked, mark = []] = byMark(bytes) ?? []
  const known = marked ?? byNuls(bytes)
  const utf8 = known === undefined ? asUtf8(bytes) : decodeAs(known, bytes.subarray(mark.length))
  const decoded = utf8 === undefined ? byGuess(bytes) : { text: utf8, warnings: [] }
  if (!mostlyText(decoded.text.slice(0, SAMPLE))) {
    throw new UnreadableError("unsupported", "This is not a text file. Upload it under the type that it has.")
  }
  return decoded
}
