import * as Stream from "effect/Stream"
import type { ReadRecord } from "../ports/table.ts"
import { type Parsed, refused, toUnchecked, type Unchecked } from "../records/entry.ts"
import type { RecordType } from "../records/record.ts"
import type { Records } from "./table/Table.ts"

type Source<E> = Stream.Stream<ReadonlyArray<Parsed | Unchecked>, E>

/** Reads objects as records. `type` is the type of those that do not name theirs. */
export const fromRecords = <E>({ records }: Records<E>, type: RecordType | undefined) =>
  Stream.map(records, (batch): ReadonlyArray<Parsed | Unchecked> => batch.map((record) => toRecord(record, type)))

const toRecord = (record: ReadRecord, type: RecordType | undefined): Parsed | Unchecked => {
  if ("problem" in record) {
    return { ...refused(record.line, "record", record.problem, record.text), unreadable: true }
  }
  const { line, value, size, isSuspect } = record
  return toUnchecked(line, type === undefined || "type" in value ? value : { type, ...value }, size, isSuspect)
}

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
