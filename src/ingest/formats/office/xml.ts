import { SaxesParser } from "saxes"
import { LIMITS } from "../../document.ts"
import { UnreadableError } from "../../UnreadableError.ts"
import type { Zip } from "../../safety/zip.ts"

/** Attributes by their name as written, prefix and all. */
export type Attributes = Readonly<Record<string, string>>

/** Names come without their prefix: Office files are written with many (`x:row`, `ns0:row`). */
interface XmlHandler {
  readonly open: (name: string, attributes: Attributes) => void
  readonly close?: (name: string) => void
  readonly text?: (text: string) => void
}

/** A piece of mark-up (a comment, one attribute, a run of text) longer than this is no document. */
const MAX_TOKEN_LENGTH = 32 * 1024 * 1024

const localName = (name: string): string => name.slice(name.indexOf(":") + 1)

const decoderFor = (first: Uint8Array): TextDecoder => {
  if (first[0] === 0xff && first[1] === 0xfe) return new TextDecoder("utf-16le")
  if (first[0] === 0xfe && first[1] === 0xff) return new TextDecoder("utf-16be")
  return new TextDecoder()
}

/** Parses as the text comes: no DOCTYPE, so no entities but XML's five; a depth limit; nothing kept. */
export const xmlParser = (part: string, handler: XmlHandler) => {
  const parser = new SaxesParser()
  let depth = 0
  let sinceEvent = 0
  parser.on("error", () => {
    throw new UnreadableError(
      "damaged",
      `The part "${part}" of the file is damaged. Open it, save it again and upload the copy.`,
    )
  })
  parser.on("doctype", () => {
    throw new UnreadableError(
      "unsafe",
      "The file declares a document type, which Office files never do. It was not read.",
    )
  })
  parser.on("opentag", (tag) => {
    sinceEvent = 0
    if (++depth > LIMITS.xmlDepth) {
      throw new UnreadableError(
        "unsafe",
        `The file nests its content deeper than ${LIMITS.xmlDepth} levels. It was not read.`,
      )
    }
    handler.open(localName(tag.name), tag.attributes)
  })
  parser.on("closetag", (tag) => {
    sinceEvent = 0
    depth--
    handler.close?.(localName(tag.name))
  })
  const text = (value: string) => {
    sinceEvent = 0
    handler.text?.(value)
  }
  parser.on("text", text)
  parser.on("cdata", text)
  return {
    write: (value: string) => {
      sinceEvent += value.length
      parser.write(value)
      if (sinceEvent > MAX_TOKEN_LENGTH) {
        throw new UnreadableError(
          "too-large",
          "The file holds one piece of text too long to read. Split it and upload the parts.",
        )
      }
    },
    close: () => void parser.close(),
  }
}

/** Streams one XML part of a zip through `handler`. */
export const readXml = (zip: Zip, part: string, handler: XmlHandler): void => {
  for (const _ of stepXml(zip, part, handler)) continue
}

/** The same, in steps of some 64 KiB: the handler has seen what came so far at each. */
export function* stepXml(zip: Zip, part: string, handler: XmlHandler): Generator<void> {
  const parser = xmlParser(part, handler)
  let decoder: TextDecoder | undefined
  for (const piece of zip.read(part)) {
    decoder ??= decoderFor(piece)
    // Pieces of a bomb can be megabytes: the parser gets them in portions, so that its own buffers stay small.
    for (let at = 0; at < piece.length; at += 1 << 16) {
      parser.write(decoder.decode(piece.subarray(at, at + (1 << 16)), { stream: true }))
      yield
    }
  }
  parser.write(decoder?.decode() ?? "")
  parser.close()
  yield
}
