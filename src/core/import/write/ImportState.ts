import { fold } from "../../common/fold.ts"
import { nearest } from "../../common/nearest.ts"
import { type NoticeCode, Notices, type Occurrence } from "../Notices.ts"
import { readStage, type StageCategory } from "../plan/stageWords.ts"
import { IdSet } from "./IdSet.ts"
import type { EntityType } from "./entityRows.ts"

/** A name that a record mentions first, and that this batch creates. */
export interface CreatedName {
  readonly kind: EntityType
  readonly id: string
  readonly name: string
  readonly email?: string | undefined
  readonly field: string
  readonly line: number
}

/** The additions of a batch to the state of its import, made once its transaction has succeeded. */
export class BatchState {
  /** The deals that a record of this batch is about. */
  readonly touched = new Set<string>()
  readonly created: Array<CreatedName> = []
  /** New stages that records describe without a category. */
  readonly stages: Array<Pick<CreatedName, "name" | "field" | "line">> = []
  readonly notices: Array<readonly [NoticeCode, Occurrence]> = []
  readonly #of: ImportState

  constructor(of: ImportState) {
    this.#of = of
  }

  /** Whether another record of this file is about the deal. */
  hasTouched(id: string): boolean {
    return this.touched.has(id) || this.#of.touched.has(id)
  }

  notice(code: NoticeCode, occurrence: Occurrence): void {
    this.notices.push([code, occurrence])
  }
}

/** Stored names of a kind that new ones are compared with. */
export const MAX_COMPARED_NAMES = 2000
/** Comparisons of an import, which take microseconds each. The first new names are compared. */
const MAX_COMPARISONS = 100_000

/** New stages that the reply lists. */
const MAX_STAGES = 200

/** A stage that an import creates, and why it is open, won or lost. */
export interface NewStage {
  readonly name: string
  readonly category: StageCategory
  readonly by: "option" | "words" | "none"
}

/** The memory of an import across its batches. */
export class ImportState {
  readonly notices: Notices
  readonly touched = new IdSet()
  readonly #created = new Map<EntityType, number>()
  readonly #known = new Map<EntityType, ReadonlyArray<string>>()
  readonly #categories: ReadonlyMap<string, StageCategory>
  readonly #stages: Array<NewStage> = []
  #comparisons = 0

  /** `categories` are those that the caller gives new stages, by name. */
  constructor(notices = new Notices(), categories: Readonly<Record<string, StageCategory>> = {}) {
    this.notices = notices
    this.#categories = new Map(Object.entries(categories).map(([name, category]) => [fold(name), category]))
  }

  /** Whether a new stage is open, won or lost. */
  readStage(name: string): Omit<NewStage, "name"> {
    const category = this.#categories.get(fold(name))
    return category === undefined ? readStage(name) : { category, by: "option" }
  }

  /** The first new stages. */
  get stages(): ReadonlyArray<NewStage> {
    return this.#stages
  }

  begin(): BatchState {
    return new BatchState(this)
  }

  /** Whether the names that the workspace had before must be loaded to compare new names of the kind. */
  needsNames(kind: EntityType): boolean {
    return !this.#known.has(kind)
  }

  setNames(kind: EntityType, names: ReadonlyArray<string>): void {
    this.#known.set(kind, names)
  }

  commit({ touched, created, stages, notices }: BatchState): void {
    for (const id of touched) this.touched.add(id)
    for (const each of notices) this.notices.add(...each)
    for (const each of stages) this.#addStage(each)
    for (const each of created) {
      const { kind, name, field, line } = each
      this.#created.set(kind, (this.#created.get(kind) ?? 0) + 1)
      if (kind === "stage") this.#addStage(each)
      const like = this.#findLike(kind, name)
      if (like === undefined) continue
      this.notices.add("new_name_like_existing", {
        field,
        line,
        example: name,
        message: `new ${kind} “${name}”; you have “${like}”`,
      })
    }
  }

  get createdNames(): Readonly<Partial<Record<EntityType, number>>> {
    return Object.fromEntries(this.#created)
  }

  #addStage({ name, field, line }: Pick<CreatedName, "name" | "field" | "line">): void {
    const read = this.readStage(name)
    if (this.#stages.length < MAX_STAGES) this.#stages.push({ name, ...read })
    if (read.by !== "none") return
    this.notices.add("stage_unclear", {
      field,
      line,
      example: name,
      message: `the name of the new stage '${name}' does not say whether it is open, won or lost: it is open. Set 'stage' if it is not`,
    })
  }

  #findLike(kind: EntityType, name: string): string | undefined {
    const known = this.#known.get(kind) ?? []
    if (known.length === 0 || this.#comparisons + known.length > MAX_COMPARISONS) return undefined
    this.#comparisons += known.length
    return nearest(name, known)[0]
  }
}
