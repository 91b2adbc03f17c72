import type { CrmProperty } from "../../deals/names/properties.ts"
import type { AssociationRow } from "../../intelligence/writing.ts"
import type { DealRow } from "../dealRows.ts"
import type { EntityRow } from "../entityRows.ts"
import type { EntityType } from "../names/kinds.ts"
import type { Change, Kind } from "../History.ts"

export interface ImportCounts {
  readonly received: number
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly deleted: number
  readonly failed: number
}

/** A row that a batch wrote or deleted. */
export interface Logged<Row> {
  readonly id: string
  /** The fingerprint of the row that the import left. Absent: the import deleted it. */
  readonly mark?: number
  /** The row before the import. Absent: the import created it. */
  readonly before?: Row
}

/** By kind: how many changes the batch made. Logs of earlier versions have those of stages alone. */
export interface LoggedDeal extends Logged<DealRow>, Readonly<Partial<Record<Kind, number>>> {
  /** The rows that were deleted with a deal. */
  readonly had?: Readonly<Partial<Record<Kind, ReadonlyArray<Change>>>> & {
    readonly associations: ReadonlyArray<AssociationRow>
    readonly documents: number
  }
}

export interface LoggedEntity extends Logged<EntityRow> {
  /** A segment named it before it existed. */
  readonly named?: boolean
}

/** The old values of one batch, as the table `import_log` stores them. */
export interface LoggedBatch {
  associations?: ReadonlyArray<Logged<AssociationRow>>
  deals?: ReadonlyArray<LoggedDeal>
  entities?: Partial<Record<EntityType, ReadonlyArray<LoggedEntity>>>
  properties?: ReadonlyArray<Logged<CrmProperty>>
  /** The currency that the workspace took from the file. */
  currency?: string
}
