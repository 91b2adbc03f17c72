import { LIMITS } from "../../document.ts"
import { UnreadableError } from "../../UnreadableError.ts"

/** A token of an RTF file (RTF 1.9.1). `byte`: a byte of text in the current font's encoding. */
export type Token =
  | { readonly kind: "open" }
  | { readonly kind: "close" }
  | { readonly kind: "word"; readonly word: string; readonly value: number | undefined }
  | { readonly kind: "symbol"; readonly symbol: string }
  | { readonly kind: "byte"; readonly byte: number }

const MAX_WORD = 32
const isLetter = (code: number) => (code >= 97 && code <= 122) || (code >= 65 && code <= 90)
const isDigit = (code: number) => code >= 48 && code <= 57

/** Passes on the tokens of an RTF file. Binary data is skipped. Throws `UnreadableError` if groups nest too deeply. */
export const readTokens = (bytes: Uint8Array, onToken: (token: Token) => void): void => {
  let at = 0
  let depth = 0
  const escaped = () => {
    const code = bytes[at] ?? 0
    if (code === 0x27) {
      const byte = Number.parseInt(String.fromCharCode(bytes[at + 1] ?? 0, bytes[at + 2] ?? 0), 16)
      at += 3
      if (!Number.isNaN(byte)) onToken({ kind: "byte", byte })
      return
    }
    if (!isLetter(code)) {
      at++
      onToken({ kind: "symbol", symbol: String.fromCharCode(code) })
      return
    }
    let word = ""
    for (; isLetter(bytes[at] ?? 0) && word.length < MAX_WORD; at++) word += String.fromCharCode(bytes[at]!)
    let digits = bytes[at] === 0x2d ? "-" : ""
    at += digits.length
    for (; isDigit(bytes[at] ?? 0) && digits.length < 11; at++) digits += String.fromCharCode(bytes[at]!)
    if (bytes[at] === 0x20) at++
    const value = digits === "" || digits === "-" ? undefined : Number(digits)
    if (word === "bin") at += Math.max(value ?? 0, 0)
    else onToken({ kind: "word", word, value })
  }
  while (at < bytes.length) {
    const code = bytes[at++]!
    if (code === 0x5c) escaped()
    else if (code === 0x7b) {
      if (++depth > LIMITS.xmlDepth) {
        throw new UnreadableError(
          "unsafe",
          `The file nests its content deeper than ${LIMITS.xmlDepth} levels. It was not read.`,
        )
      }
      onToken({ kind: "open" })
    } else if (code === 0x7d) {
      onToken({ kind: "close" })
      // What follows the document's own end is no part of it.
      if (--depth <= 0) return
    } else if (code !== 0x0a && code !== 0x0d && code !== 0) onToken({ kind: "byte", byte: code })
  }
}
