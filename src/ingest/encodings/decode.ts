import { mostlyText, SAMPLE } from "../../core/common/unicode.ts"
import { TextReader } from "../../core/import/table/TextReader.ts"
import type { Warning } from "../document.ts"
import { UnreadableError } from "../UnreadableError.ts"
import { findEncoding } from "./findEncoding.ts"
import { likeliestEncoding } from "./guess.ts"

interface Decoded {
  readonly text: string
  readonly warnings: ReadonlyArray<Warning>
}

const ENCODINGS = { find: findEncoding, guess: likeliestEncoding }

/** Text of a document, whose encoding its bytes decide; a guess has a warning. Throws `UnreadableError`. */
export const decode = (bytes: Uint8Array): Decoded => {
  const reader = new TextReader({ encodings: ENCODINGS })
  const text = reader.push(bytes) + reader.end()
  if (reader.problem !== undefined) {
    throw new UnreadableError(
      "unsupported",
      "The file does not say its encoding, and no known one gives plausible text. Save it as UTF-8 and upload that copy.",
    )
  }
  if (!mostlyText(text.slice(0, SAMPLE))) {
    throw new UnreadableError("unsupported", "This is not a text file. Upload it under the type that it has.")
  }
  const message = makeWarning(reader, text)
  return { text, warnings: message === undefined ? [] : [{ code: "encoding_guessed", message }] }
}

const makeWarning = ({ encoding, isDamaged }: TextReader, text: string): string | undefined => {
  if (encoding.by === "guess") {
    return `The file does not say its encoding; it was taken for ${encoding.name}. If letters are wrong, save it as UTF-8 and upload that copy.`
  }
  if (encoding.name !== "utf-8" || !isDamaged) return undefined
  const damaged = text.split("\ufffd").length - 1
  return `The file is UTF-8 with ${damaged} damaged characters, shown as "\ufffd". Save it as UTF-8 and upload that copy.`
}
