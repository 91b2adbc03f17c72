import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { BadRequest } from "../http/errors.ts"
import { type CsvOptions, CsvReader } from "./table/CsvReader.ts"
import { type Parsed, toUnchecked, type Unchecked } from "./entry.ts"
import { LineReader } from "./table/LineReader.ts"

interface Reader {
  readonly push: (bytes: Uint8Array) => ReadonlyArray<Parsed | Unchecked> | BadRequest
  readonly end: () => ReadonlyArray<Parsed | Unchecked> | BadRequest
}

type Source<E> = Stream.Stream<ReadonlyArray<Parsed | Unchecked>, E>

const isRead = (read: ReadonlyArray<Parsed | Unchecked> | BadRequest): read is ReadonlyArray<Parsed | Unchecked> =>
  Array.isArray(read)

const readThrough = <E>(bytes: Stream.Stream<Uint8Array, E>, open: () => Reader): Source<E | BadRequest> =>
  Stream.suspend(() => {
    const reader = open()
    return Stream.concat(
      Stream.map(bytes, (piece) => reader.push(piece)),
      Stream.suspend(() => Stream.succeed(reader.end())),
    ).pipe(
      Stream.mapEffect((read) => (isRead(read) ? Effect.succeed(read) : Effect.fail(read))),
      Stream.filter((read) => read.length > 0),
    )
  })

/** Reads NDJSON, one record per line. */
export const fromLines = <E>(bytes: Stream.Stream<Uint8Array, E>) => readThrough(bytes, () => new LineReader())

/** Reads CSV, one record per row, all of one type. Fails if the header is invalid. */
export const fromCsv = <E>(bytes: Stream.Stream<Uint8Array, E>, options: CsvOptions) =>
  readThrough(bytes, () => new CsvReader(options))

/** The assumed size, in characters, of a record that is given as an object. */
const OBJECT_WEIGHT = 1000

/** Reads records that are objects. */
export const fromObjects = <E>(objects: Stream.Stream<unknown, E>): Source<E> =>
  Stream.suspend(() => {
    let line = 0
    return Stream.mapArray(
      objects,
      (batch) => [batch.map((value) => toUnchecked(++line, value, OBJECT_WEIGHT, true))] as const,
    )
  })
