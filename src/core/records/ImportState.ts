import { fold } from "../common/fold.ts"
import type { CrmProperty } from "../deals/names/properties.ts"
import { editDistance, nearest } from "../common/nearest.ts"
import { type NoticeCode, Notices, type Occurrence } from "./Notices.ts"
import { judgeStage, type JudgedStage, type StageCategory, type StageFlag } from "./values/stageWords.ts"
import { ShownErrors } from "./ShownErrors.ts"
import type { BatchLog, ImportLog } from "./log/ImportLog.ts"
import { IdSet } from "./IdSet.ts"
import type { CreatedName, EntityType } from "./names/kinds.ts"

/** How a record finds its row. */
const MATCHED_BY = ["id", "crm_one_id", "crm_two_id", "name_and_client", "name", "email", "deal_and_feature"] as const
export type MatchedBy = (typeof MATCHED_BY)[number]

/** The additions of a batch to the state of its import, made once its transaction has succeeded. */
export class BatchState {
  /** The deals that a record of this batch is about. */
  readonly touched = new Set<string>()
  /** Names and clients of deals, apart by whether their records have ids. */
  readonly named = new Set<string>()
  /** Those whose row says when the deal changed. */
  readonly dated = new Set<string>()
  readonly created: Array<CreatedName> = []
  /** New stages that records describe without a category. */
  readonly stages: Array<Pick<CreatedName, "name" | "field" | "line">> = []
  readonly notices: Array<readonly [NoticeCode, Occurrence]> = []
  readonly matched = new Map<MatchedBy, number>()
  /** Collects old values, unless they are not kept. */
  readonly log: BatchLog | undefined
  readonly #of: ImportState

  constructor(of: ImportState) {
    this.#of = of
    this.log = of.log?.begin()
  }

  /** Whether another record of this file is about the deal. */
  hasTouched(id: string): boolean {
    return this.touched.has(id) || this.#of.touched.has(id)
  }

  /** Whether an earlier record of this file has this name and client. */
  hasNamed(key: string): boolean {
    return this.named.has(key) || this.#of.named.has(key)
  }

  /** Whether the last row of this file about the deal says when it changed. */
  isDated(id: string): boolean {
    return this.dated.has(id) || this.#of.dated.has(id)
  }

  /** Counts a record that found its row. */
  match(by: MatchedBy): void {
    this.matched.set(by, (this.matched.get(by) ?? 0) + 1)
  }

  notice(code: NoticeCode, occurrence: Occurrence): void {
    this.notices.push([code, occurrence])
  }
}

/** Stored names of a kind that new ones are compared with. */
export const MAX_COMPARED_NAMES = 2000
/** Comparisons of an import, which take microseconds each. The first new names are compared. */
const MAX_COMPARISONS = 100_000

/** Comparisons of new names with each other, for which few others are near enough. */
const MAX_NEW_COMPARISONS = 20_000
/** New names of a kind among which one that differs by a letter is sought. */
const MAX_NEARBY = 500

const lettersOf = (name: string): string => fold(name).replaceAll(/[^\p{L}\p{M}\p{N}]/gu, "")

/** "Stage 1" and "Stage 2" are different things. */
const isOneLetterApart = (a: string, b: string): boolean =>
  a.replaceAll(/\P{N}/gu, "") === b.replaceAll(/\P{N}/gu, "") && editDistance(a, b) === 1

/** Shorter names of stages have neighbours that mean something else: "Lost" and "Last". */
const MIN_SLIP_LETTERS = 5

/** New stages that the reply lists. */
const MAX_STAGES = 200

/** A stage that an import creates, and why it is open, won or lost. */
export interface NewStage {
  readonly name: string
  readonly category: StageCategory
  readonly by: "option" | JudgedStage["by"]
}

/** The memory of an import across its batches. */
export class ImportState {
  readonly notices: Notices
  readonly shown = new ShownErrors()
  readonly touched = new IdSet()
  readonly named = new IdSet()
  readonly dated = new IdSet()
  /** The file has rows. Of records, the last about a thing wins. */
  isTable = false
  readonly #created = new Map<EntityType, number>()
  readonly #known = new Map<EntityType, ReadonlyArray<string>>()
  readonly #categories: ReadonlyMap<string, StageCategory>
  readonly #stages: Array<NewStage> = []
  readonly #matched = new Map<MatchedBy, number>()
  /** New names by their letters. */
  readonly #added = new Map<EntityType, Map<string, string>>()
  #comparisons = 0
  #newComparisons = 0

  /** Absent: what is written cannot be undone. */
  readonly log: ImportLog | undefined

  /** `categories` are those that the caller gives new stages, by name. */
  constructor(notices = new Notices(), categories: Readonly<Record<string, StageCategory>> = {}, log?: ImportLog) {
    this.notices = notices
    this.log = log
    this.#categories = new Map(Object.entries(categories).map(([name, category]) => [fold(name), category]))
  }

  /** Properties that the import registers before its first record. */
  properties: ReadonlyArray<CrmProperty> = []

  /** The flags of the stages in the file, by folded name. */
  stageFlags: ReadonlyMap<string, StageFlag> = new Map()

  /** Whether a new stage is open, won or lost. */
  readStage(name: string): Omit<NewStage, "name"> & Pick<JudgedStage, "doubt"> {
    const folded = fold(name)
    const category = this.#categories.get(folded)
    return category === undefined ? judgeStage(name, this.stageFlags.get(folded)) : { category, by: "option" }
  }

  /** The first new stages, and how many records found their row in which way. */
  get assumptions(): {
    readonly stages?: ReadonlyArray<NewStage>
    readonly matched_by?: Partial<Record<MatchedBy, number>>
  } {
    return {
      ...(this.#stages.length > 0 && { stages: this.#stages }),
      ...(this.#matched.size > 0 && { matched_by: Object.fromEntries(this.#matched) }),
    }
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

  commit({ touched, named, dated, created, stages, notices, matched }: BatchState): void {
    for (const [by, count] of matched) this.#matched.set(by, (this.#matched.get(by) ?? 0) + count)
    for (const id of touched) this.touched.add(id)
    for (const key of named) this.named.add(key)
    for (const id of dated) this.dated.add(id)
    for (const each of notices) this.notices.add(...each)
    for (const each of stages) this.#addStage(each)
    for (const each of created) {
      const { kind, name, field, line } = each
      this.#created.set(kind, (this.#created.get(kind) ?? 0) + 1)
      if (kind === "stage") this.#addStage(each)
      const stored = this.#findLike(kind, name)
      const like = stored ?? this.#findNewLike(kind, name)
      if (like === undefined) continue
      this.notices.add("new_name_like_existing", {
        field,
        line,
        example: name,
        message: `new ${kind} “${name}”; ${stored === undefined ? "the file also has" : "you have"} “${like}”`,
      })
    }
  }

  get createdNames(): Readonly<Partial<Record<EntityType, number>>> {
    return Object.fromEntries(this.#created)
  }

  #addStage({ name, field, line }: Pick<CreatedName, "name" | "field" | "line">): void {
    const { doubt, ...read } = this.readStage(name)
    if (this.#stages.length < MAX_STAGES) this.#stages.push({ name, ...read })
    if (read.by !== "none" && doubt === undefined) return
    const why = doubt ?? "its name does not say whether it is open, won or lost"
    this.notices.add("stage_unclear", {
      field,
      line,
      example: name,
      kind: `${read.category}: ${why}`,
      message: `the new stage '${name}' is taken as ${read.category}: ${why}. Set 'stage' if that is wrong`,
    })
  }

  #findLike(kind: EntityType, name: string): string | undefined {
    const known = this.#known.get(kind) ?? []
    if (known.length === 0 || this.#comparisons + known.length > MAX_COMPARISONS) return undefined
    this.#comparisons += known.length
    const alike = nearest(name, known)
    return kind === "stage" ? alike.find((other) => this.#isSlip(name, other)) : alike[0]
  }

  /** Finds an earlier new name of the file that this one may be a slip of. */
  #findNewLike(kind: EntityType, name: string): string | undefined {
    let added = this.#added.get(kind)
    if (added === undefined) this.#added.set(kind, (added = new Map()))
    const key = lettersOf(name)
    const like = added.get(key) ?? this.#findNewSlip(key, added)
    if (added.size < MAX_COMPARED_NAMES && key !== "" && !added.has(key)) added.set(key, name)
    return like !== undefined && (kind !== "stage" || this.#isSlip(name, like)) ? like : undefined
  }

  #findNewSlip(key: string, added: ReadonlyMap<string, string>): string | undefined {
    let met = 0
    for (const [other, written] of added) {
      if (++met > MAX_NEARBY) return undefined
      if (Math.abs(other.length - key.length) > 1 || Math.min(other.length, key.length) < MIN_SLIP_LETTERS) continue
      if (this.#newComparisons++ > MAX_NEW_COMPARISONS) return undefined
      if (isOneLetterApart(key, other)) return written
    }
    return undefined
  }

  /**
   * Names of stages are few short words, so that most are like another: "Closed Won" and "Won", "Stage 1" and "Stage 2". Only a letter or
   * a separator more or less may be a slip, and only if both names say the same of the deal.
   */
  #isSlip(name: string, other: string): boolean {
    const [a, b] = [lettersOf(name), lettersOf(other)]
    const isLong = Math.min(a.length, b.length) >= MIN_SLIP_LETTERS
    return (
      (a === b || (isLong && isOneLetterApart(a, b))) &&
      this.readStage(name).category === this.readStage(other).category
    )
  }
}
