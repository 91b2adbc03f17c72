import type { RecordType } from "../../../records/record.ts"
import type { ListEntry } from "./aspects.ts"
import type { DateOrder } from "../../../records/values/dates.ts"
import type { CellKind, CombinedName } from "./cellKinds.ts"
import type { StageFlag } from "../../../records/values/stageWords.ts"
import type { DecimalMark } from "../../../records/values/numbers.ts"

/** The meaning of a column of the file, and how sure the plan is of it: 0 to 1. */
export interface PlannedColumn {
  readonly column: string
  readonly field: string | null
  readonly confidence: number
  /** `export`: it is a column of our exports. */
  readonly by: "map" | "name" | "values" | "export"
}

/** A field of the record, the cells that fill it, and how to read them. */
export interface PlannedField {
  readonly field: string
  readonly path: ReadonlyArray<string>
  readonly kind: CellKind
  readonly cells: ReadonlyArray<number>
  /** The decimal mark of a number. */
  readonly mark?: DecimalMark | undefined
  /** Multiplies amounts whose header is in thousands or millions. */
  readonly scale?: number | undefined
  /** The order of day and month of a date. */
  readonly order?: DateOrder | undefined
  /** The cells are as our exports write them. */
  readonly isExported?: true
  /** It keeps a column that has no field: a cell that cannot be read is left out, and its row is imported. */
  readonly isKept?: true
  /** It adds to what another column says of its field. */
  readonly adds?: true
  /** Says more of its entries than their names. */
  readonly entry?: ListEntry
  /** A null clears the field, and so does an empty cell. */
  readonly isCleared?: true
}

export type PropertyType = "text" | "number" | "date" | "boolean"

/** A column that a property of the deal keeps. */
export interface KeptColumn {
  readonly column: string
  readonly id: string
  readonly label: string
  readonly data_type: PropertyType
  /** The import registers it. */
  readonly is_new: boolean
}

/** The knowledge about a file that is an export of ours. */
export interface PlannedExport {
  /** The cells of columns that make fields together. */
  readonly combined: Readonly<Partial<Record<CombinedName, number>>>
  /** Text that a spreadsheet would run begins with an apostrophe. */
  readonly isGuarded: boolean
  /** Names of stages by id. */
  readonly stages: Readonly<Record<string, string>>
  readonly delimiter: string | undefined
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
  /** A column of the amount in another currency, as `Amount (converted)` beside `Amount`, which may be the workspace's. */
  readonly converted?: string | undefined
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
  /** The zone of times without an offset, if a column may have them. */
  readonly timezone?: string | undefined
  /** The first month of the workspace's fiscal year, from 1, if a column may have its quarters. */
  readonly fiscalStart?: number | undefined
  /** The cell that says whether a deal is open, won or lost, apart from its stage. */
  readonly outcomeCell?: number | undefined
  /** The cells of yes and no that say so, or of the days of wins and losses, of a file without stages or with stages that do not. */
  readonly outcomeFlags?:
    | ReadonlyArray<readonly [cell: number, flag: "won" | "lost" | "closed", isDay?: true]>
    | undefined
  /** The cells that say whether a deal is active, and why it is lost: Odoo archives lost deals in the stage that they had. */
  readonly archive?: { readonly active: number; readonly reason: number } | undefined
  /** The cell that says whether the CRM has deleted the record: such a row is left out. */
  readonly deletedCell?: number | undefined
  /** Most rows have more than one cell, so that a row of one may be a heading or a label. */
  readonly hasFullRows?: true | undefined
  /** The places of columns in which a group has its name and the number of its rows once, or in each of its rows. */
  readonly groups?: ReadonlyArray<number> | undefined
  /** Rows of one cell that end with a number of rows are headings of as many deals. */
  readonly hasHeadings?: true | undefined
  /** No column names the deals: each is named after its client and close date. */
  readonly isNamedByClient?: true | undefined
  /** Ids alone say which deal a row is: a new one is named after its client. */
  readonly namesNew?: true | undefined
  /** The places of columns that belong to another table beside that of the deals. */
  readonly beside?: ReadonlyArray<number> | undefined
  /** The flags of the stages in columns of yes and no, by folded name. */
  readonly stageFlags?: Readonly<Record<string, StageFlag>> | undefined
  /** Set if the file is an export of ours. */
  readonly exported?: PlannedExport | undefined
  /** Entities of HTML are decoded already. */
  readonly isDecoded?: true
  /** An empty cell clears its field. */
  readonly clears: boolean
  /** Columns without a field that properties of the deal keep. */
  readonly kept: ReadonlyArray<KeptColumn>
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
  /** The plan of an earlier dry run, which decides everything. */
  readonly made?: ImportPlan | undefined
  /** The effect of an empty cell on its field. */
  readonly empty?: "keep" | "clear" | undefined
  /** Keeps columns that fill no field of a deal, as properties of this CRM. */
  readonly keepUnmapped?: "crm_one" | "crm_two" | undefined
  /** The plan is for a dry run: a file without names is read, so that a person can choose the columns of the name. */
  readonly isDryRun?: boolean | undefined
}

/** Settings of the workspace that a plan needs. */
export interface PlanContext {
  readonly currency: string | undefined
  readonly timezone: string
  readonly fiscalStart?: number | undefined
  /** Types of the registered CRM properties of the record's object, by id. */
  readonly properties: ReadonlyMap<string, PropertyType>
  /** Their labels by id. */
  readonly labels?: ReadonlyMap<string, string>
}
