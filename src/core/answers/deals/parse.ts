import type { CanonicalFilters } from "../../deals/filters.ts"
import { takeAmount, takeScores } from "./amounts.ts"
import { type Asked, takeIntent } from "./intent.ts"
import { type Found, type Kind, type Names, takeNames } from "./names.ts"
import { takePeriod } from "./periods.ts"
import { Words } from "./Words.ts"

export type Category = "open" | "won" | "lost"

/** A question understood: what is asked, of which deals. */
export interface Question extends Asked {
  readonly filters: CanonicalFilters
  /** The kinds of stage that are meant, where the question says so. `filters.status` is empty where there is no such stage. */
  readonly categories: ReadonlyArray<Category>
  /** What was said that names nothing, with the kind it should be of. Where there is any, nothing may be answered by the rest. */
  readonly unknown: ReadonlyArray<Unknown>
}

export interface Unknown {
  readonly said: string
  readonly as: "competitor" | "owner" | "other"
  /** Of a name that fits several: those. */
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

/** Reads a question in the words of the workspace; undefined where it asks for no counting or listing of deals. */
export const parse = (question: string, names: Names, now: Date): Question | undefined => {
  const words = new Words(question)
  // Names may hold any word; whatever is one of them means nothing else.
  const found = takeNames(words, names)
  const asked = takeIntent(words)
  if (asked === undefined) return undefined
  const scores = takeScores(words)
  const period = takePeriod(words, now)
  const amount = takeAmount(words)
  const { alone, ...stated } = takeStates(words)
  const categories = takeCategories(words)
  const said = DATES.flatMap(([name, pattern]) => {
    const match = words.take(pattern)
    return match === undefined ? [] : [{ name, word: match[0] }]
  })
  const stages = names.stages.filter(({ name }) =>
    found.some(({ kind, name: other }) => kind === "stage" && other === name),
  )
  const decided = [...categories, ...stages.map(({ category }) => category)].some((category) => category !== "open")
  const date = said[0]?.name ?? (decided || asked.intent === "win_rate" ? "close_date" : "created_at")
  const byStage = categories.length > 0 && stages.length === 0 && asked.intent !== "win_rate"
  const filters: Record<string, unknown> = {
    ...byNames(found),
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
  const against = alone !== undefined && found.some(({ kind }) => kind === "competitor")
  const unknown = [
    ...(against ? [{ said: alone, as: "other" } as const] : []),
    ...doubtful(found, (name) => stages.some((stage) => stage.name === name && !covers(categories, stage.category))),
    ...undated,
    ...leftOver(words),
  ]
  // What is left of a question that lists may be what its texts tell of; what is left of a count may not be passed over.
  const textual = asked.intent === "list" || asked.intent === "why"
  if (textual && unknown.some(({ as }) => as === "other")) return undefined
  if (asked.intent === "count" && countsOther(words, question)) return undefined
  return { ...asked, filters: filters as CanonicalFilters, categories, unknown }
}

const covers = (categories: ReadonlyArray<Category>, category: Category) =>
  categories.length === 0 || categories.includes(category)

const takeCategories = (words: Words): ReadonlyArray<Category> => {
  const all = CATEGORIES.flatMap(([category, pattern]) => {
    let times = 0
    while (words.take(pattern) !== undefined) times++
    if (times === 0) return []
    return category === "closed" ? (["won", "lost"] as const) : [category]
  })
  return [...new Set(all)]
}

const takeStates = (words: Words) => {
  const not = words.take(/(?<!\p{L})(?:not (?:yet )?analy[sz]ed|unanaly[sz]ed)(?!\p{L})/u)
  const analyzed = not !== undefined || words.take(/(?<!\p{L})analy[sz]ed(?!\p{L})/u) !== undefined
  const unverified = words.take(/(?<!\p{L})(?:not (?:yet )?verified|unverified)(?!\p{L})/u)
  const verified = unverified !== undefined || words.take(/(?<!\p{L})verified(?!\p{L})/u) !== undefined
  const alone = words.take(/(?<!\p{L})(?:without (?:any |a )?competitors?|with no competitors?|uncontested)(?!\p{L})/u)
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

/** Deals have several competitors and products, so that of these "and" means both. */
const SEVERAL: ReadonlySet<Kind> = new Set(["competitor", "product"])

const byNames = (found: ReadonlyArray<Found>): Record<string, unknown> => {
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
    else if (SEVERAL.has(kind) && names.length > 1 && names.some(({ joined }) => joined === "and"))
      filters[modifier] = "is all of"
  }
  return filters
}

/** Names that could be of several, that are both asked for and excluded, or that no filter can exclude. */
const doubtful = (found: ReadonlyArray<Found>, contradicts: (stage: string) => boolean): ReadonlyArray<Unknown> =>
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

/** Words that nothing took, joined where they stand side by side, and what they should have been. */
const leftOver = (words: Words): ReadonlyArray<Unknown> => {
  const runs: Array<{ said: string; start: number; end: number; before: string }> = []
  for (const { start, end, before } of words.left()) {
    const last = runs.at(-1)
    if (last !== undefined && start - last.end === 1) {
      last.end = end
      last.said = words.original.slice(last.start, end)
    } else {
      runs.push({ said: words.original.slice(start, end), start, end, before })
    }
  }
  const owning = /(?<!\p{L})own(?:s|ed)?(?!\p{L})/u.test(words.text)
  return runs.map(({ said, before }) => ({
    said: said.replace(/'s$/, ""),
    as: owning && OWNERSHIP.has(before) ? "owner" : RIVALRY.has(before) ? "competitor" : "other",
  }))
}

/** "How many days …": it is not deals that are counted. */
const countsOther = (words: Words, question: string) => {
  const counted = /how many\s+/i.exec(question)
  if (counted === null) return false
  const at = counted.index + counted[0].length
  const noun =
    /(?<!\p{L})(?:deals|deal|opportunities|opps?)(?!\p{L})|(?<!\p{L})(?:did|do|have|were|are|has)(?!\p{L})/u.exec(
      words.text.slice(at),
    )
  return words.left().some(({ start }) => start >= at && start < at + (noun?.index ?? Infinity))
}
