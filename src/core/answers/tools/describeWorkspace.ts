import * as Effect from "effect/Effect"
import * as SchemaAST from "effect/SchemaAST"
import { MODIFIER_OF, MODIFIERS } from "../../deals/filters/arrays.ts"
import { FILTER_EXAMPLES } from "../../deals/filters/examples.ts"
import { CanonicalFilters } from "../../deals/filters/filters.ts"
import { Database } from "../../storage/Database.ts"
import { readsDocuments } from "../Asker.ts"
import { loadNames } from "../questions/names/loadNames.ts"
import type { Kind } from "../questions/words/names.ts"
import { FILTER_NAMES, LIST_FILTERS } from "./filters.ts"
import { KINDS_OF_NAMES, type KindOfNames } from "./parameters.ts"
import { type NameRow, selectMoreNames, selectSpans, type Spans } from "./sql.ts"
import { ToolCaller } from "./ToolCaller.ts"

/** Names of each kind in an overview, and of the kind that a call asks for. */
const MAX_NAMES = 12
const MAX_NAMES_OF_KIND = 300

const KIND_OF: Readonly<Partial<Record<KindOfNames, Kind>>> = {
  stages: "stage",
  owners: "owner",
  competitors: "competitor",
  regions: "region",
  industries: "industry",
  deal_types: "deal_type",
  products: "product",
  segments: "segment",
  reasons: "reason",
  features: "feature",
  product_areas: "product_area",
}

const NAMES_IN_OVERVIEW = KINDS_OF_NAMES.filter((kind) => kind !== "filters")

const STATED = new Set<string>(LIST_FILTERS)
const MODIFIER_NAMES = new Set<string>(Object.values(MODIFIER_OF))

/** The filters that some tools do not state: an example of each, and what it selects. Modifiers take the same values. */
const otherFilters = () => {
  const others = FILTER_NAMES.filter((name) => !STATED.has(name))
  const modifiers = others.filter((name) => MODIFIER_NAMES.has(name))
  return [
    ...others
      .filter((name) => !MODIFIER_NAMES.has(name))
      .map((name) => {
        const { ast } = CanonicalFilters.fields[name].schema.members[0]
        // A check hides the description of what it checks.
        const description = SchemaAST.resolveDescription(ast) ?? String(ast.annotations?.["description"])
        return `${JSON.stringify({ [name]: FILTER_EXAMPLES[name] }).slice(1, -1)}: ${description}`
      }),
    `${modifiers.join(", ")}: how the values apply, one of ${MODIFIERS.map((each) => `"${each}"`).join(", ")}`,
  ]
}

/** Lists the names of the workspace by kind, and says from when to when it has deals. */
export const describeWorkspace = Effect.fnUntraced(function* (kind: KindOfNames | undefined) {
  const { asker } = yield* ToolCaller
  const org = asker.organizationId
  const { scoped, sql } = yield* Database
  const more = yield* scoped<NameRow>(org, selectMoreNames(sql, MAX_NAMES_OF_KIND))
  const { names, stages, currency = null, fiscalStart, timezone } = yield* loadNames(org, "")
  const [spans] = yield* scoped<Spans>(org, selectSpans(sql, timezone))
  const limit = kind === undefined ? MAX_NAMES : MAX_NAMES_OF_KIND
  const listed = (kind === undefined ? NAMES_IN_OVERVIEW : [kind]).map((each) => {
    const known = KIND_OF[each]
    const all =
      each === "stages"
        ? stages.map(({ name, category }) => `${name} (${category})`)
        : each === "filters"
          ? otherFilters()
          : known === undefined
            ? more.flatMap((row) => (row.kind === each ? [row.name] : []))
            : names.flatMap((row) => (row.kind === known ? [row.name] : []))
    const total = each === "clients" ? (spans?.clients ?? 0) : all.length
    return [each, { total, first: all.slice(0, limit) }] as const
  })
  const span = (from: string | null = null, to: string | null = null) =>
    from === null || to === null ? null : { from, to }
  return {
    found: spans?.deals ?? 0,
    ...(readsDocuments(asker) && { documents: spans?.documents ?? 0 }),
    created: span(spans?.created_from, spans?.created_to),
    closed: span(spans?.closed_from, spans?.closed_to),
    currency,
    fiscal_start: fiscalStart,
    timezone,
    names: Object.fromEntries(listed.filter(([, { total }]) => total > 0)),
  }
})
