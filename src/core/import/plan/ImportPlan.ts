import type { RecordType } from "../records.ts"
import type { CellKind } from "./cellKinds.ts"
import type { DateOrder } from "./dates.ts"
import type { DecimalMark } from "./numbers.ts"

/** The meaning of a column of the file, and how sure the plan is of it: 0 to 1. */
export interface PlannedColumn {
  readonly column: string
  readonly field: string | null
  readonly confidence: number
  readonly by: "map" | "name" | "values"
}

/** A field of the record, the cells that fill it, and how to read them. */
export interface PlannedField {
  readonly field: string
  readonly path: ReadonlyArray<string>
  readonly kind: CellKind
  readonly cells: ReadonlyArray<number>
  /** Of a number. */
  readonly mark?: DecimalMark | undefined
  /** Of a date. */
  readonly order?: DateOrder | undefined
}

/** How amounts of the file become amounts of the workspace. */
export interface PlannedCurrency {
  /** The currency of the workspace, or the only one of the file. */
  readonly target: string | undefined
  /** The workspace has none and takes the target. */
  readonly isTaken: boolean
  /** The file has several currencies and the workspace has none, so that no amount can be read. */
  readonly isUnknown: boolean
  /** The cell that holds the currency of a row. */
  readonly cell: number | undefined
  /** The currency that the header of the amount names. */
  readonly ofColumn: string | undefined
  /** Units of the target for one unit of each other currency. */
  readonly rates: Readonly<Record<string, number>>
}

/** The meaning of each column of a file and the way to read its cells. Rows that contradict the plan are errors; they never change it. */
export interface ImportPlan {
  readonly type: RecordType
  readonly headerLine: number
  readonly header: ReadonlyArray<string>
  readonly columns: ReadonlyArray<PlannedColumn>
  readonly fields: ReadonlyArray<PlannedField>
  readonly currency: PlannedCurrency
  /** Names, folded, at which a list splits where it has no `;`: by field. */
  readonly known: Readonly<Record<string, ReadonlyArray<string>>>
}

/** Statements of the caller about the file. They win over what the plan would find. */
export interface PlanOptions {
  readonly type: RecordType
  readonly map?: Readonly<Record<string, string | ReadonlyArray<string> | null>> | undefined
  readonly dates?: DateOrder | undefined
  readonly decimal?: DecimalMark | undefined
  readonly rates?: Readonly<Record<string, number>> | undefined
}

/** Settings of the workspace that a plan needs. */
export interface PlanContext {
  readonly currency: string | undefined
  /** Types of the registered CRM properties of the record's object, by id. */
  readonly properties: ReadonlyMap<string, "text" | "number" | "date" | "boolean">
}
