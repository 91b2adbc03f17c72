import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { concat, split } from "../../common/bytes.ts"
import { yieldIfDue } from "../../common/inSlices.ts"
import { UnsupportedMediaType } from "../../http/errors/errors.ts"
import { badRequest } from "../../http/validation/validation.ts"
import { DatabaseUnavailable } from "../../ports/DatabaseUnavailable.ts"
import type { Container, EncodingBy, Encodings, TableFacts } from "../../ports/table.ts"
import { FileReaderUnavailable, FileRefused, TableReader } from "../../ports/TableReader.ts"
import { ArrayReader } from "./ArrayReader.ts"
import { CsvRows } from "./CsvRows.ts"
import { detectKind, type Kind, KIND_BYTES } from "./kind.ts"
import { LineReader } from "./LineReader.ts"
import { type Opened, type ReadFailure, refuseFile } from "./Table.ts"
import { findUnicode, UNKNOWN_TEXT } from "./TextReader.ts"
import * as Pull from "effect/Pull"

/** Pulls the beginning of a stream until `isEnough` or its end. Returns it, and the whole stream, which goes on from there. */
const peek = Effect.fnUntraced(function* <A, E>(
  stream: Stream.Stream<A, E>,
  isEnough: (taken: ReadonlyArray<A>) => boolean,
): Effect.fn.Return<{ readonly taken: ReadonlyArray<A>; readonly whole: Stream.Stream<A, E> }, E, Scope.Scope> {
  const pull = yield* Stream.toPull(stream)
  const taken: Array<A> = []
  let isOver = false
  while (!isOver && !isEnough(taken)) {
    const read = Effect.map(pull, (next) => {
      taken.push(...next)
      return false
    })
    isOver = yield* Pull.catchDone(read, () => Effect.succeed(true)) as Effect.Effect<boolean, E>
  }
  const rest = isOver ? Stream.empty : (Stream.fromPull(Effect.succeed(pull)) as Stream.Stream<A, E>)
  return { taken, whole: Stream.concat(Stream.fromIterable(taken), rest) }
})

/** A whole file that waits outside of the memory. */
export interface Spooled {
  /** Reads it into memory. */
  readonly load: Effect.Effect<Uint8Array, FileRefused | FileReaderUnavailable>
}

export interface TableSource<E> {
  readonly bytes: Stream.Stream<Uint8Array, E>
  /** The sender says that the file is NDJSON, which decides where the bytes do not. */
  readonly isNdjson?: boolean | undefined
  /** `gzip`, or undefined. */
  readonly contentEncoding?: string | undefined
  /** The name of the encoding, of `encoding` or `charset`. */
  readonly encoding?: string | undefined
  /** The delimiter of a CSV, if it is known. */
  readonly delimiter?: string | undefined
  /** The name of the sheet, or its number, from 1. */
  readonly sheet?: string | undefined
  /** The type of the records, if their headers choose the sheet. */
  readonly type?: string | undefined
  /** Keeps a file whose end must be read first, until the scope closes. */
  readonly spool: <F>(
    bytes: Stream.Stream<Uint8Array, F>,
  ) => Effect.Effect<Spooled, F | FileRefused | FileReaderUnavailable, Scope.Scope>
}

/** Read in one step, of some milliseconds. A host may hand over a whole file in one piece. */
const PIECE_BYTES = 64 * 1024

/** Finds what a file is, by its bytes, and reads it as rows of cells or as objects. */
export const openTable = <E>(source: TableSource<E>): Effect.Effect<Opened<E>, E | ReadFailure, Scope.Scope> =>
  Effect.gen(function* () {
    const formats = yield* TableReader
    let bytes: Stream.Stream<Uint8Array, E | FileRefused> = Stream.flatMap(source.bytes, (piece) =>
      Stream.fromIterable(split(piece, PIECE_BYTES), { chunkSize: 1 }),
    )
    for (let wrappings = 0; ; wrappings++) {
      const { taken, whole } = yield* peek(bytes, (chunks) => lengthOf(chunks) >= KIND_BYTES)
      const kind = detectKind(concat(taken), source.isNdjson === true)
      if (kind.is !== "gzip") {
        if (wrappings === 0 && source.contentEncoding === "gzip") {
          return yield* new FileRefused({ reason: "is not compressed, although Content-Encoding is gzip" })
        }
        return yield* openKind(source, kind, whole, wrappings > 0 ? "gzip" : undefined)
      }
      if (formats === undefined) return yield* unsupported("is compressed by gzip, which this server does not read")
      // A file that ends in .gz, sent with Content-Encoding: gzip, is compressed twice.
      if (wrappings === 2) return yield* new FileRefused({ reason: "is compressed more than twice" })
      bytes = formats.gunzip(whole)
    }
  }).pipe(Effect.mapError(toFailure<E>))

const lengthOf = (chunks: ReadonlyArray<Uint8Array>) => chunks.reduce((sum, { length }) => sum + length, 0)

const unsupported = (what: string) => new UnsupportedMediaType({ message: `the file ${what}` })

const openKind = Effect.fnUntraced(function* <E>(
  source: TableSource<unknown>,
  kind: Kind,
  bytes: Stream.Stream<Uint8Array, E | FileRefused>,
  compression: "gzip" | undefined,
) {
  switch (kind.is) {
    case "other":
      return yield* unsupported(`is ${kind.name}: ${kind.advice}`)
    case "zip":
    case "html":
      return yield* openSheet(source, kind.is === "zip" ? "xlsx" : "html", bytes, compression)
    case "gzip":
      return yield* Effect.die("gzip is unpacked first")
    default:
      if (source.sheet !== undefined) return yield* noSheets("is for a workbook, and the file is a text")
      return yield* openText(source, kind.is, bytes, compression)
  }
})

const noSheets = (reason: string) => badRequest({ invalid: [{ field: "sheet", reason }] }, "query")

const openSheet = Effect.fnUntraced(function* <E>(
  { sheet, type, spool }: TableSource<unknown>,
  container: "xlsx" | "html",
  bytes: Stream.Stream<Uint8Array, E>,
  compression: "gzip" | undefined,
) {
  const formats = yield* TableReader
  if (formats === undefined) {
    const name = container === "xlsx" ? "a zip, as XLSX is, or another file of Office" : "HTML"
    return yield* unsupported(`is ${name}: this server reads CSV, JSON and NDJSON only`)
  }
  const { load } = yield* spool(bytes)
  const { rows, ...facts } = yield* formats.openSheet({ container, load, sheet, type })
  return { facts: { container, compression, ...facts }, rows: Stream.mapError(rows, toFailure<never>) }
})

/** A reader of text. */
interface Reader<A> {
  readonly encoding: { readonly name: string; readonly by: EncodingBy }
  readonly problem: string | undefined
  readonly push: (bytes: Uint8Array) => ReadonlyArray<A>
  readonly end: () => ReadonlyArray<A>
}

const openText = Effect.fnUntraced(function* <E>(
  source: TableSource<unknown>,
  kind: "json" | "ndjson" | "text",
  bytes: Stream.Stream<Uint8Array, E | FileRefused>,
  compression: "gzip" | undefined,
) {
  const formats = yield* TableReader
  const encodings = formats && (yield* formats.encodings)
  const encoding = yield* findEncoding(source.encoding, encodings)
  const options = { encodings, encoding, delimiter: source.delimiter }
  if (kind === "text") {
    const reader = new CsvRows(options)
    const rows = yield* readAll(bytes, reader)
    return { facts: new FactsOfText("csv", compression, reader), rows, settle: () => reader.settle() }
  }
  const reader = kind === "json" ? new ArrayReader(options) : new LineReader(options)
  const records = yield* readAll(bytes, reader)
  // Some types of records are written while the file is read.
  reader.settle()
  return { facts: new FactsOfText(kind, compression, reader), records }
})

type TextReading = Reader<unknown> & Pick<TableFacts, "delimiter" | "statedDelimiter">

/** They change while the file is read. */
class FactsOfText implements TableFacts {
  readonly container: Container
  readonly compression: "gzip" | undefined
  readonly #reader: TextReading

  constructor(container: Container, compression: "gzip" | undefined, reader: TextReading) {
    this.container = container
    this.compression = compression
    this.#reader = reader
  }

  get encoding() {
    return this.#reader.encoding.name
  }

  get encodingBy() {
    return this.#reader.encoding.by
  }

  get delimiter() {
    return this.#reader.delimiter
  }

  get statedDelimiter() {
    return this.#reader.statedDelimiter
  }
}

/** Returns when the first rows have come, and the reader so knows the file. */
const readAll = Effect.fnUntraced(function* <A, E>(
  bytes: Stream.Stream<Uint8Array, E | FileRefused>,
  reader: Reader<A>,
) {
  const step = (read: () => ReadonlyArray<A>) =>
    Effect.flatMap(yieldIfDue, () => {
      const rows = read()
      return reader.problem === undefined
        ? Effect.succeed(rows)
        : Effect.fail(new FileRefused({ reason: reader.problem }))
    })
  const read = Stream.concat(
    Stream.mapEffect(bytes, (piece) => step(() => reader.push(piece))),
    Stream.suspend(() => Stream.fromEffect(step(() => reader.end()))),
  ).pipe(Stream.filter((rows) => rows.length > 0))
  const { whole } = yield* peek(read, ({ length }) => length > 0)
  return Stream.mapError(whole, toFailure<E>)
})

/** The encoding that the request names. */
const findEncoding = Effect.fnUntraced(function* (label: string | undefined, encodings: Encodings | undefined) {
  if (label === undefined) return undefined
  const found = findUnicode(label) ?? encodings?.find(label)
  if (found !== undefined) return found
  if (encodings === undefined) return yield* unsupported(`is in ${label}: this server reads UTF-8 and UTF-16 only`)
  const reason = `must name an encoding, such as utf-8, windows-1252 or shift_jis, not '${label}'`
  return yield* badRequest({ invalid: [{ field: "encoding", reason }] })
})

/** The readers of documents, which sheets share, say whole sentences. */
const refuse = (reason: string) => (reason === UNKNOWN_TEXT ? unsupported(reason) : refuseFile(reason))

const toFailure = <E>(error: E | FileRefused | FileReaderUnavailable | ReadFailure): E | ReadFailure =>
  error instanceof FileRefused
    ? refuse(error.reason)
    : error instanceof FileReaderUnavailable
      ? new DatabaseUnavailable({ message: error.reason })
      : error
