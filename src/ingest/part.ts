import type { Chunk, Element, LaidElement, Placed, ReadAndCut, Warning } from "./document.ts"

/** An element and a chunk whose texts are yet to be cut out of the document's. */
export type Bare = Omit<Element, "text"> & Placed
export type Cut = Omit<Chunk, "text">

/**
 * A part of a document: its text, its elements, and the chunks that end in it. These as JSON: a few strings, where objects by the hundred
 * thousand make V8's young generation grow, which on Deno no program can stop.
 */
export interface Part {
  readonly text: string
  readonly elements: string
  readonly chunks: string
}

export const partOf = (text: string, elements: ReadonlyArray<Bare>, chunks: ReadonlyArray<Cut>): Part => ({
  text,
  elements: JSON.stringify(elements),
  chunks: JSON.stringify(chunks),
})

const unpacked = <A, B>(parts: ReadonlyArray<string>, unpack: (packed: A) => B): Iterable<B> => ({
  *[Symbol.iterator]() {
    for (const part of parts) yield* (JSON.parse(part) as ReadonlyArray<A>).map(unpack)
  },
})

/** A document of its parts. */
export const assembled = (parts: ReadonlyArray<Part>, warnings: ReadonlyArray<Warning>): ReadAndCut => {
  const text = parts.map((part) => part.text).join("")
  return {
    text,
    elements: unpacked(
      parts.map(({ elements }) => elements),
      ({ start, end, place, ...rest }: Bare): LaidElement => ({ ...rest, text: text.slice(start, end), place, start }),
    ),
    chunks: unpacked(
      parts.map(({ chunks }) => chunks),
      (cut: Cut): Chunk => ({ ...cut, text: text.slice(cut.start, cut.end) }),
    ),
    warnings,
  }
}
