import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { BadRequest } from "../../http/errors.ts"
import { type CsvOptions, CsvReader } from "./CsvReader.ts"
import { type Parsed, toEntry } from "./entry.ts"
import { LineReader } from "./LineReader.ts"

interface Reader {
  readonly push: (bytes: Uint8Array) => ReadonlyArray<Parsed> | BadRequest
  readonly end: () => ReadonlyArray<Parsed> | BadRequest
}

type Source<E> = Stream.Stream<ReadonlyArray<Parsed>, E>

const isRead = (read: ReadonlyArray<Parsed> | BadRequest): read is ReadonlyArray<Parsed> => Array.isArray(read)

const through = <E>(bytes: Stream.Stream<Uint8Array, E>, open: () => Reader): Source<E | BadRequest> =>
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

/** NDJSON: a record a line. */
export const fromLines = <E>(bytes: Stream.Stream<Uint8Array, E>) => through(bytes, () => new LineReader())

/** CSV: a record a row, all of one type. Fails when the header cannot be understood. */
export const fromCsv = <E>(bytes: Stream.Stream<Uint8Array, E>, options: CsvOptions) =>
  through(bytes, () => new CsvReader(options))

/** About the size of a record that was never text. */
const WEIGHT = 1000

/** Records that are objects already. */
export const fromObjects = <E>(objects: Stream.Stream<unknown, E>): Source<E> =>
  Stream.suspend(() => {
    let line = 0
    return Stream.mapArray(objects, (batch) => [batch.map((value) => toEntry(++line, value, WEIGHT, true))] as const)
  })
