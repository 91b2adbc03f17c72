import type { Copy } from "./Copy.ts"

interface Recipe {
  readonly name: string
  /** The edit that a contributor makes first. */
  readonly begin: (copy: Copy) => void
  /** The files that then fail to compile. */
  readonly asks: ReadonlyArray<string>
  /** The other edits that the recipe names. */
  readonly finish: (copy: Copy) => void
}

const DEALS = "src/core/deals"
const TOOLS = "src/core/answers/tools"
const REPORTS = "src/core/reports"
const EXPORT_COLUMNS = "src/core/import/plan/headers/exportColumns.ts"

/** The recipes of CONTRIBUTING, each followed literally. `followed.ts` calls the added code. */
export const RECIPES: ReadonlyArray<Recipe> = [
  {
    name: "a stored deal column",
    begin: (copy) =>
      copy.insertAfter(
        `${DEALS}/columns/columns.ts`,
        "export const COLUMNS = {\n",
        `  forecast: stored("text", text, "forecast category", { imported: "forecast", fact: "Forecast" }),\n`,
      ),
    asks: [],
    finish: (copy) => {
      copy.write(
        "src/core/storage/migrations/9999_forecast.ts",
        `import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { statements } from "./support.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* statements(sql, [
    "alter table deals add column forecast text, add column folded_forecast text",
  ])
})
`,
      )
      copy.insertAfter(
        "src/core/storage/migrate.ts",
        "const MIGRATIONS = {\n",
        `  "9999_forecast.ts": () => import("./migrations/9999_forecast.ts"),\n`,
      )
      copy.insertAfter(
        "src/core/storage/foldedColumns.ts",
        "  deals: { ...NAME, ",
        `folded_forecast: folded("forecast"), `,
      )
      copy.insertAfter("src/adapters/console/import/fields.ts", "  deal: {\n", "    forecast: true,\n")
      for (const texts of [
        "export const IMPORT_EN = {\n",
        "export const IMPORT_DE: Readonly<Record<keyof typeof IMPORT_EN, string>> = {\n",
      ])
        copy.insertAfter("src/adapters/console/common/textsOfImport.ts", texts, `  "field.forecast": "Forecast",\n`)
    },
  },
  {
    name: "a computed deal column",
    begin: (copy) =>
      copy.insertAfter(
        `${DEALS}/columns/columns.ts`,
        "export const COLUMNS = {\n",
        `  initial: computed("text", text, "first letter of the name"),\n`,
      ),
    asks: [`${DEALS}/columns/sql.ts`, EXPORT_COLUMNS],
    finish: (copy) => {
      copy.insertAfter(`${DEALS}/columns/sql.ts`, ", ColumnSql>> = {\n", `  initial: { value: "left(d.name, 1)" },\n`)
      copy.insertAfter(EXPORT_COLUMNS, "Record<OtherName, string | null>> = {\n", "  initial: null,\n")
    },
  },
  {
    name: "a filter",
    begin: (copy) =>
      copy.insertAfter(
        `${DEALS}/filters/arrays.ts`,
        "export const ARRAY_FILTERS = {\n",
        `  forecast: { description: "forecast categories, in any case" },\n`,
      ),
    asks: [
      `${DEALS}/conditions/arrays.ts`,
      `${DEALS}/filters/examples.ts`,
      "test/deals/oracle.ts",
      "test/deals/randomFilters.ts",
    ],
    finish: (copy) => {
      copy.insertAfter(
        `${DEALS}/conditions/arrays.ts`,
        `    region: own("region"),\n`,
        `    forecast: own("forecast"),\n`,
      )
      copy.insertAfter(`${DEALS}/filters/examples.ts`, `  region: ["EMEA"],\n`, `  forecast: ["commit"],\n`)
      copy.insertAfter(
        "test/deals/oracle.ts",
        `of: (deal) => one(deal["region"]) },\n`,
        `  forecast: { of: (deal) => one(deal["forecast"]) },\n`,
      )
      copy.insertAfter(
        "test/deals/randomFilters.ts",
        `"region_filter_type"],\n`,
        `    forecast: [open(random, ["commit"])],\n`,
      )
    },
  },
  {
    name: "a measure",
    begin: (copy) =>
      copy.insertAfter(
        `${REPORTS}/measures.ts`,
        "export const DEAL_MEASURES = {\n",
        `  unpriced: measure("deals", true, "count(*) filter (where d.amount is null)",
    ["deals without an amount", "Deals ohne Betrag", "The number of deals without an amount."]),
`,
      ),
    asks: ["test/reports/measureOracle.ts"],
    finish: (copy) =>
      copy.insertAfter(
        "test/reports/measureOracle.ts",
        "    deals: () => deals.length,\n",
        "    unpriced: () => deals.filter(({ amount }) => amount === null).length,\n",
      ),
  },
  {
    name: "a dimension",
    begin: (copy) =>
      copy.insertAfter(
        `${REPORTS}/dimensions.ts`,
        "export const DEAL_DIMENSIONS = {\n",
        `  forecast: one("forecast", text("deal", "d.folded_forecast", "d.forecast"),
    ["forecast category", "Prognose", "the forecast category"]),
`,
      ),
    asks: ["test/reports/oracle.ts"],
    finish: (copy) =>
      copy.insertAfter(
        "test/reports/oracle.ts",
        "const DIMENSIONS_OF_DEAL = {\n",
        `  forecast: (deal: Row) => folded(deal["forecast"]),\n`,
      ),
  },
  {
    name: "an endpoint",
    begin: (copy) => {
      copy.insertAfter(
        `${DEALS}/contract.ts`,
        ".add(listDeals",
        `, HttpApiEndpoint.get("initial", "/deals/:id/initial", {
      params: { id: Id },
      success: Schema.Struct({ initial: Schema.String }),
      error: NotFound.wire,
    }).annotate(OpenApi.Summary, "Read the first letter of a deal's name")`,
      )
    },
    asks: [
      "src/core/server/api.ts",
      `${DEALS}/handlers.ts`,
      "src/core/server/examples.ts",
      "test/clients/contract.test.ts",
      "test/isolation/idFields.ts",
    ],
    finish: (copy) => {
      copy.insertAfter("src/core/server/api.ts", `  "deals.get": "deals.read",\n`, `  "deals.initial": "deals.read",\n`)
      copy.insertAfter(
        `${DEALS}/handlers.ts`,
        "return handlers.handleAll({\n",
        `      initial: Effect.fnUntraced(function* ({ params }) {
        const { organizationId } = yield* Principal
        return JSON.parse(yield* deals.get(organizationId, params.id, ["initial"])) as { readonly initial: string }
      }),
`,
      )
      copy.insertAfter(
        `${DEALS}/examples.ts`,
        "export const dealsExamples = {\n",
        `  initial: { path: { id: DEAL.id }, replies: "The letter.", reply: json({ initial: "H" }) },\n`,
      )
      copy.insertAfter(
        "test/isolation/idFields.ts",
        `  "deals.get": {`,
        ` path: { id: "deal" } },\n  "deals.initial": {`,
      )
      copy.run("docs/reference/client.ts")
    },
  },
  {
    name: "a document format",
    begin: (copy) => copy.insertAfter("src/core/ports/document.ts", "export const FORMATS = [", `"ics", `),
    asks: ["src/ingest/readers.ts", "src/ingest/safety/sniff.ts"],
    finish: (copy) => {
      copy.write(
        "src/ingest/formats/text/readIcs.ts",
        `import type { ReadDocument } from "../../document.ts"
import { elementList } from "../../elements.ts"
import { UnreadableError } from "../../UnreadableError.ts"
import { decode } from "../../encodings/decode.ts"

/** The summaries of a calendar's events. Throws \`UnreadableError\`. */
export const readIcs = (bytes: Uint8Array): ReadDocument => {
  const { text, warnings } = decode(bytes)
  const elements = elementList()
  for (const [, summary] of text.matchAll(/^SUMMARY:(.*)$/gm)) elements.add("paragraph", summary!, { kind: "text" })
  if (elements.list.length === 0) throw new UnreadableError("empty", "This calendar has no events. Upload one that has.")
  return { elements: elements.list, warnings }
}
`,
      )
      copy.insertAfter(
        "src/ingest/readers.ts",
        "Record<DocumentFormat, Reader>> = {\n",
        `  ics: async (bytes) => (await import("./formats/text/readIcs.ts")).readIcs(bytes),\n`,
      )
      const sniff = "src/ingest/safety/sniff.ts"
      copy.insertAfter(sniff, `  txt: ["text/plain"],\n`, `  ics: ["text/calendar"],\n`)
      copy.insertAfter(
        sniff,
        "  if (head.length === 0) return undefined\n",
        `  if (ascii(head, 0, 15) === "BEGIN:VCALENDAR") return "ics"\n`,
      )
    },
  },
  {
    name: "a tool",
    begin: (copy) => copy.insertAfter(`${TOOLS}/names.ts`, "TOOL_NAMES = [\n", `  "count_competitors",\n`),
    asks: [`${TOOLS}/permissions.ts`, "src/core/mcp/toolList.ts"],
    finish: (copy) => {
      copy.insertAfter(`${TOOLS}/permissions.ts`, "TOOL_PERMISSIONS = {\n", `  count_competitors: ["deals.read"],\n`)
      copy.insertAfter(
        `${TOOLS}/contract.ts`,
        "Toolkit.make(\n",
        `  tool("count_competitors", "Counts the competitors.", {}, { found: Schema.Int, count: Schema.Int }),\n`,
      )
      copy.insertAfter(
        `${TOOLS}/layerTools.ts`,
        "TOOLS.of({\n",
        `      count_competitors: Effect.fnUntraced(function* () {
        const org = yield* organization
        const rows = yield* database.scoped(org, sql\`select from competitors where org_id = scope.org\`)
        return { found: rows.length, count: rows.length }
      }),
`,
      )
    },
  },
]
