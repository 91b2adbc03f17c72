import type { Attachment, Chunk, Element, LaidElement, Placed, ReadAndCut, Warning } from "./document.ts"
import { toStorableJson } from "./plain.ts"

/** An element and a chunk by their offsets, without their text. Hidden elements have it: the document's text does not. */
export type Bare = Omit<Element, "text"> & Placed & { readonly text?: string }
export type Cut = Omit<Chunk, "text">

/**
 * A part of a document: its text, its elements, and the chunks that end in it. Elements and chunks are JSON: a few strings, because
 * hundreds of thousands of objects grow V8's young generation, which on Deno no program can stop.
 */
export interface Part {
  readonly text: string
  readonly elements: string
  readonly chunks: string
}

export const makePart = (text: string, elements: ReadonlyArray<Bare>, chunks: ReadonlyArray<Cut>): Part => ({
  text,
  elements: toStorableJson(elements),
  chunks: toStorableJson(chunks),
})

const unpackParts = <A, B>(parts: ReadonlyArray<string>, unpack: (packed: A) => B): Iterable<B> => ({
  *[Symbol.iterator]() {
    for (const part of parts) yield* (JSON.parse(part) as ReadonlyArray<A>).map(unpack)
  },
})

/** Joins the parts of a document. */
export const assembleDocument = (
  parts: ReadonlyArray<Part>,
  warnings: ReadonlyArray<Warning>,
  attachments: ReadonlyArray<Attachment> = [],
): ReadAndCut => {
  const text = parts.map((part) => part.text).join("")
  return {
    text,
    elements: unpackParts(
      parts.map(({ elements }) => elements),
      ({ start, end, place, ...rest }: Bare): LaidElement => ({ text: text.slice(start, end), ...rest, place, start }),
    ),
    chunks: unpackParts(
      parts.map(({ chunks }) => chunks),
      (cut: Cut): Chunk => ({ ...cut, text: text.slice(cut.start, cut.end) }),
    ),
    warnings,
    attachments,
  }
}
