import type { CanonicalFilters } from "../../deals/filters.ts"
import { takeAmount, takeScores } from "./amounts.ts"
import { type DealRequest, takeIntent } from "./intent.ts"
import { type FoundName, type Kind, takeNames, type WorkspaceNames } from "./names.ts"
import { takePeriod } from "./periods.ts"
import { QuestionReader } from "../QuestionReader.ts"

export type Category = "open" | "won" | "lost"

/** A question that was understood: what it wants to know about which deals. */
export interface Question extends DealRequest {
  readonly filters: CanonicalFilters
  /** The outcomes that the question names. `filters.status` is empty if the workspace has no stage with such an outcome. */
  readonly categories: ReadonlyArray<Category>
  /** Parts that were not understood. If there are any, the other parts must not be answered alone. */
  readonly unknown: ReadonlyArray<Unknown>
}

export interface Unknown {
  readonly said: string
  /** What the part is, by the words around it. */
  readonly as: "competitor" | "owner" | "other"
  /** The names that an ambiguous part can mean. */
  readonly several?: ReadonlyArray<string> | undefined
}

const CATEGORIES: ReadonlyArray<readonly [Category | "closed", RegExp]> = [
  ["closed", /(?<!\p{L})(?:won and lost|lost and won|won or lost|closed(?![ -](?:won|lost))|decided)(?!\p{L})/u],
  ["won", /(?<!\p{L})(?:closed[ -])?(?:won|win|wins|winning)(?!\p{L})/u],
  ["lost", /(?<!\p{L})(?:closed[ -])?(?:lost|lose|loses|losing|loss|losses)(?!\p{L})/u],
  [
    "open",
    /(?<!\p{L})(?:still )?(?:open|ongoing|active|undecided|in progress|in (?:the |our )?pipeline|pipeline)(?!\p{L})/u,
  ],
]

const DATES: ReadonlyArray<readonly ["created_at" | "updated_at" | "close_date", RegExp]> = [
  ["created_at", /(?<!\p{L})(?:created|opened|added|started|new)(?!\p{L})/u],
  ["updated_at", /(?<!\p{L})(?:updated|changed|touched|modified)(?!\p{L})/u],
  ["close_date", /(?<!\p{L})(?:closing|closes|close|closed|due|expected)(?: dates?)?(?!\p{L})/u],
]

/** Parses a question with the names of a workspace. Returns undefined if it neither counts nor lists deals. */
export const parse = (question: string, names: WorkspaceNames, now: Date): Question | undefined => {
  const reader = new QuestionReader(question)
  // A name can contain any word, so names are taken first.
  const found = takeNames(reader, names)
  const request = takeIntent(reader)
  if (request === undefined) return undefined
  const scores = takeScores(reader)
  const period = takePeriod(reader, now)
  const amount = takeAmount(reader)
  const { alone, ...stated } = takeStates(reader)
  const categories = takeCategories(reader)
  const said = DATES.flatMap(([name, pattern]) => {
    const match = reader.take(pattern)
    return match === undefined ? [] : [{ name, word: match[0] }]
  })
  const stages = names.stages.filter(({ name }) =>
    found.some(({ kind, name: other }) => kind === "stage" && other === name),
  )
  const decided = [...categories, ...stages.map(({ category }) => category)].some((category) => category !== "open")
  const date = said[0]?.name ?? (decided || request.intent === "win_rate" ? "close_date" : "created_at")
  const byStage = categories.length > 0 && stages.length === 0 && request.intent !== "win_rate"
  const filters: Record<string, unknown> = {
    ...filtersOf(found),
    ...(byStage && {
      status: names.stages.filter(({ category }) => categories.includes(category)).map(({ name }) => name),
    }),
    ...(amount !== undefined && { amount }),
    ...(period !== undefined && { [date]: period }),
    ...scores,
    ...stated,
    ...(alone !== undefined && { competitors_filter_type: "is empty" }),
  }
  const undated = period === undefined ? said.map(({ word }): Unknown => ({ said: word, as: "other" })) : []
  const contradicts = alone !== undefined && found.some(({ kind }) => kind === "competitor")
  const unknown = [
    ...(contradicts ? [{ said: alone, as: "other" } as const] : []),
    ...findDoubtful(found, (name) =>
      stages.some((stage) => stage.name === name && !covers(categories, stage.category)),
    ),
    ...undated,
    ...unreadParts(reader),
  ]
  // Documents may answer the unknown part of a list. A count must not ignore it.
  const isTextual = request.intent === "list" || request.intent === "why"
  if (isTextual && unknown.some(({ as }) => as === "other")) return undefined
  if (request.intent === "count" && countsOther(reader, question)) return undefined
  return { ...request, filters: filters as CanonicalFilters, categories, unknown }
}

const covers = (categories: ReadonlyArray<Category>, category: Category) =>
  categories.length === 0 || categories.includes(category)

const takeCategories = (reader: QuestionReader): ReadonlyArray<Category> => {
  const all = CATEGORIES.flatMap(([category, pattern]) => {
    let times = 0
    while (reader.take(pattern) !== undefined) times++
    if (times === 0) return []
    return category === "closed" ? (["won", "lost"] as const) : [category]
  })
  return [...new Set(all)]
}

const takeStates = (reader: QuestionReader) => {
  const not = reader.take(/(?<!\p{L})(?:not (?:yet )?analy[sz]ed|unanaly[sz]ed)(?!\p{L})/u)
  const analyzed = not !== undefined || reader.take(/(?<!\p{L})analy[sz]ed(?!\p{L})/u) !== undefined
  const unverified = reader.take(/(?<!\p{L})(?:not (?:yet )?verified|unverified)(?!\p{L})/u)
  const verified = unverified !== undefined || reader.take(/(?<!\p{L})verified(?!\p{L})/u) !== undefined
  const alone = reader.take(/(?<!\p{L})(?:without (?:any |a )?competitors?|with no competitors?|uncontested)(?!\p{L})/u)
  return {
    ...(analyzed && { analyzed: not === undefined }),
    ...(verified && { verified: unverified === undefined }),
    alone: alone?.[0],
  }
}

const FILTER_OF: Readonly<Record<Exclude<Kind, "client">, readonly [values: string, modifier?: string]>> = {
  competitor: ["competitors", "competitors_filter_type"],
  owner: ["owner_ids", "owner_filter_type"],
  product: ["product_labels", "product_filter_type"],
  feature: ["feature_ids"],
  reason: ["driver_ids"],
  segment: ["segment_ids"],
  region: ["region", "region_filter_type"],
  industry: ["industry", "industry_filter_type"],
  deal_type: ["deal_type", "deal_type_filter_type"],
  stage: ["status", "status_filter_type"],
}

/** A deal has several of these, so "and" means both. */
const MULTIPLE: ReadonlySet<Kind> = new Set(["competitor", "product"])

const filtersOf = (found: ReadonlyArray<FoundName>): Record<string, unknown> => {
  const filters: Record<string, unknown> = {}
  for (const [kind, names] of Map.groupBy(found, (each) => each.kind)) {
    if (kind === "client") {
      filters["crm_account_filters"] = names.map(({ name, negated }) => ({
        property: { map_to: "name" },
        operator: negated ? "is not" : "is",
        value: name,
      }))
      continue
    }
    const [values, modifier] = FILTER_OF[kind]
    filters[values] = [
      ...new Set(names.map(({ value, name }) => (kind === "competitor" || kind === "stage" ? name : value))),
    ]
    if (modifier === undefined) continue
    if (names[0]?.negated === true) filters[modifier] = "is not"
    else if (MULTIPLE.has(kind) && names.length > 1 && names.some(({ joined }) => joined === "and"))
      filters[modifier] = "is all of"
  }
  return filters
}

/** Names that are ambiguous, that are both included and excluded, or that no filter can exclude. */
const findDoubtful = (
  found: ReadonlyArray<FoundName>,
  contradicts: (stage: string) => boolean,
): ReadonlyArray<Unknown> =>
  found.flatMap((each): ReadonlyArray<Unknown> => {
    const { kind, name, others, negated } = each
    if (others.length > 0) return [{ said: name, as: "owner", several: [name, ...others.map((other) => other.name)] }]
    const mixed = found.some((other) => other.kind === kind && other.negated !== negated)
    const cannot = negated && (kind === "feature" || kind === "reason" || kind === "segment")
    if (each.joined === "against") return [{ said: `versus ${name}`, as: "other" }]
    return mixed || cannot || (kind === "stage" && contradicts(name)) ? [{ said: name, as: "other" }] : []
  })

const RIVALRY: ReadonlySet<string> = new Set(["to", "against", "versus", "vs", "over", "with", "by", "beat"])
const OWNERSHIP: ReadonlySet<string> = new Set(["does", "do", "did", "has", "owner", "by"])

/** The unread words, adjacent ones as one part. */
const unreadParts = (reader: QuestionReader): ReadonlyArray<Unknown> => {
  const runs: Array<{ said: string; start: number; end: number; before: string }> = []
  for (const { start, end, before } of reader.unread()) {
    const last = runs.at(-1)
    if (last !== undefined && start - last.end === 1) {
      last.end = end
      last.said = reader.original.slice(last.start, end)
    } else {
      runs.push({ said: reader.original.slice(start, end), start, end, before })
    }
  }
  const owning = /(?<!\p{L})own(?:s|ed)?(?!\p{L})/u.test(reader.text)
  return runs.map(({ said, before }) => ({
    said: said.replace(/'s$/, ""),
    as: owning && OWNERSHIP.has(before) ? "owner" : RIVALRY.has(before) ? "competitor" : "other",
  }))
}

/** Whether the question counts something other than deals: "how many days". */
const countsOther = (reader: QuestionReader, question: string) => {
  const counted = /how many\s+/i.exec(question)
  if (counted === null) return false
  const at = counted.index + counted[0].length
  const noun =
    /(?<!\p{L})(?:deals|deal|opportunities|opps?)(?!\p{L})|(?<!\p{L})(?:did|do|have|were|are|has)(?!\p{L})/u.exec(
      reader.text.slice(at),
    )
  return reader.unread().some(({ start }) => start >= at && start < at + (noun?.index ?? Infinity))
}
