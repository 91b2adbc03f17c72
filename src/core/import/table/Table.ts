import type * as Stream from "effect/Stream"
import { BadRequest, type UnsupportedMediaType } from "../../http/errors/errors.ts"
import type { DatabaseUnavailable } from "../../ports/DatabaseUnavailable.ts"
import type { Cell, ReadRecord, TableRow, TableFacts } from "../../ports/table.ts"

export type { Cell, Container, EncodingBy, ReadRecord, TableRow, TableFacts, TypedCell } from "../../ports/table.ts"

/** The file is of another kind than it seemed, or damaged, or this server cannot read it now. */
export type ReadFailure = BadRequest | UnsupportedMediaType | DatabaseUnavailable

/** Rows of cells. Blank rows are kept as rows without cells, because they separate blocks of a report. */
export interface Table<E> {
  readonly facts: TableFacts
  readonly rows: Stream.Stream<ReadonlyArray<TableRow>, E | ReadFailure>
  /** Call it before the first row is written: what cannot be decoded later is then a problem of its rows. */
  readonly settle?: () => void
}

/** Objects whose keys name their fields. */
export interface Records<E> {
  readonly facts: TableFacts
  readonly records: Stream.Stream<ReadonlyArray<ReadRecord>, E | ReadFailure>
}

export type Opened<E> = Table<E> | Records<E>

export const isTable = <E>(opened: Opened<E>): opened is Table<E> => "rows" in opened

/** Refuses a file by a sentence, or by the end of one about the file. */
export const refuseFile = (reason: string): BadRequest =>
  new BadRequest({
    message: /^[A-Z]/.test(reason) ? reason : `the file ${reason}`,
    details: { invalid_fields: [{ field: "body", reason }] },
  })

/** A cell as a person sees it. */
export const textOf = (cell: Cell): string => (typeof cell === "string" ? cell : cell.text)
