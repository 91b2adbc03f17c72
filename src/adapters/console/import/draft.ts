import type { RecordType } from "../../../core/records/record.ts"
import type { Sample } from "./sample.ts"

export interface NamePart {
  readonly column: string
  readonly field: string
}

/** The choices of a person for one file. The server proposes all that they do not say. */
export interface Draft {
  readonly sample: Sample
  readonly type: RecordType
  /** The fields of columns that the person changed; none ignores the column. */
  readonly mapping: ReadonlyMap<string, string>
  /** The columns whose cells together name a deal; each fills a field of its own too. */
  readonly name?: ReadonlyArray<NamePart>
  readonly dates?: "ISO" | "DMY" | "MDY"
  readonly decimal?: "." | ","
  /** Units of the workspace's currency for one of each other. */
  readonly rates: Readonly<Record<string, number>>
  /** The currency that a workspace without one takes from a file with several. */
  readonly base?: string
  readonly empty?: "clear"
  readonly encoding?: string
  readonly sheet?: string
  readonly create?: "none"
  readonly keep?: "crm_one" | "crm_two"
  /** The categories of new stages. */
  readonly stages: Readonly<Record<string, "open" | "won" | "lost">>
}

export const newDraft = (sample: Sample, type: RecordType): Draft => ({
  sample,
  type,
  mapping: new Map(),
  stages: {},
  rates: {},
})
