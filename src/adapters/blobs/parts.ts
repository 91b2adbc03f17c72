import { isReadonlyArrayNonEmpty, type NonEmptyReadonlyArray } from "effect/Array"
import * as Stream from "effect/Stream"

export type Parts = NonEmptyReadonlyArray<Uint8Array>

/** Regroups the bytes into groups of up to `count` parts; each part but the last has `size` bytes. */
export const inParts = <E, R>(bytes: Stream.Stream<Uint8Array, E, R>, size: number, count: number) =>
  Stream.suspend(() => {
    let parts: Array<Uint8Array> = []
    let filled = 0
    const take = (): ReadonlyArray<Parts> => {
      const group = parts.map((part, index) => (index === parts.length - 1 ? part.subarray(0, filled) : part))
      parts = []
      filled = 0
      return isReadonlyArrayNonEmpty(group) ? [group] : []
    }
    const add = (chunk: Uint8Array) => {
      const groups: Array<Parts> = []
      for (let offset = 0; offset < chunk.length;) {
        if (parts.length === 0 || filled === size) {
          if (parts.length === count) groups.push(...take())
          parts.push(new Uint8Array(size))
          filled = 0
        }
        const piece = chunk.subarray(offset, offset + size - filled)
        parts.at(-1)?.set(piece, filled)
        filled += piece.length
        offset += piece.length
      }
      return groups
    }
    return Stream.concat(
      Stream.flatMap(bytes, (chunk) => Stream.fromIterable(add(chunk))),
      Stream.suspend(() => Stream.fromIterable(take())),
    )
  })
