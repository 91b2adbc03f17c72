import { assert, describe, layer } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { unrestricted } from "../../src/core/answers/Asker.ts"
import { callTool } from "../../src/core/answers/tools/callTool.ts"
import { FILTER_NAMES, LIST_FILTERS } from "../../src/core/answers/tools/filters.ts"
import { layerTools } from "../../src/core/answers/tools/layerTools.ts"
import type { ToolName } from "../../src/core/answers/tools/names.ts"
import { ARRAY_FILTERS, type ArrayFilter } from "../../src/core/deals/filters/arrays.ts"
import { Deals } from "../../src/core/deals/Deals.ts"
import { Import } from "../../src/core/import/Import.ts"
import { Organizations } from "../../src/core/catalogue/Organizations.ts"
import { engines } from "../support/engines.ts"
import { UNLIMITED } from "../support/unlimited.ts"
import { layerWeb } from "../support/web.ts"

const RECORDS = [
  { type: "stage", id: "won", name: "Closed Won", category: "won", position: 1 },
  { type: "stage", id: "talks", name: "In talks", category: "open", position: 0 },
  { type: "owner", id: "o1", name: "Farah Rasmussen" },
  { type: "competitor", id: "k1", name: "Orvanta" },
  { type: "client", id: "c1", name: "Hartwell", industry: "Software" },
  { type: "reason", id: "r1", name: "Price", category: "Commercial" },
  { type: "feature", id: "f1", name: "Single sign-on", product: "Suite", product_area: "Access" },
  { type: "segment", id: "s1", name: "Enterprise", filters: { amount: { min: 1010 } } },
  // It leaves this stage below.
  { type: "deal", id: "D0", name: "Deal 0", status: "talks" },
  ...["EMEA", "AMER", ...Array.from({ length: 20 }, (_, n) => `Territory ${n}`)].map((region, n) => ({
    type: "deal",
    id: `D${n}`,
    name: `Deal ${n}`,
    crm_one_id: `006${n}`,
    crm_two_id: `9${n}`,
    client: "c1",
    owner: "o1",
    status: n === 0 ? "won" : "talks",
    deal_type: "Renewal",
    region,
    amount: 1000 + n,
    product_labels: ["Platform"],
    competitors: [{ competitor: "k1", is_primary: true, is_incumbent: true }],
    collaborators: ["o1"],
    drivers: [{ reason: "r1", positive: true, summary: "It was cheap." }],
  })),
  {
    type: "association",
    id: "a1",
    deal: "D0",
    feature: "f1",
    tags: ["Blocker"],
    created_at: "2026-01-01",
  },
]

/** A value of each filter that the workspace has, in other letters, and one that it does not have. */
const VALUES: Readonly<Partial<Record<ArrayFilter, readonly [string, string, RegExp]>>> = {
  deal_ids: ["d0", "D999", /no deal with the id 'D999': search_deals lists/],
  crm_one_ids: ["0060", "0069999", /CRM id '0069999'/],
  crm_two_ids: ["90", "777", /CRM id '777'/],
  owner_ids: ["farah rasmussen", "Farah Rasmusen", /there are Farah Rasmussen \(did you mean/],
  collaborators: ["O1", "O7", /there are Farah Rasmussen/],
  client_ids: ["hartwell", "Hartwel", /there are Hartwell/],
  status: ["in talks", "won over", /there are Closed Won, In talks/],
  deal_type: ["renewal", "Renewel", /no deal type 'Renewel': there are Renewal \(did you mean Renewal\?\)/],
  region: [
    "emea",
    "EMAE",
    /no region 'EMAE': the nearest are EMEA, and describe_workspace with kind "regions" lists them/,
  ],
  industry: ["software", "Hardware", /no industry 'Hardware': there are Software/],
  product_labels: ["platform", "Plattform", /did you mean Platform\?/],
  competitors: ["ORVANTA", "Orvantis", /no competitor 'Orvantis': there are Orvanta/],
  primary_competitors: ["orvanta", "Orvantis", /there are Orvanta/],
  incumbents: ["orvanta", "Orvantis", /there are Orvanta/],
  driver_ids: ["price", "Pricing", /no reason 'Pricing': there are Price/],
  driver_categories: ["commercial", "Legal", /there are Commercial/],
  feature_ids: ["single sign-on", "SSO", /no feature 'SSO': there are Single sign-on/],
  products: ["suite", "Sweet", /there are Suite/],
  product_areas: ["access", "Excess", /no product area 'Excess': there are Access/],
  association_tags: ["blocker", "Blocked", /no tag 'Blocked': there are Blocker/],
  entered_stages: ["closed won", "won over", /there are Closed Won, In talks/],
  left_stages: ["in talks", "won over", /there are Closed Won, In talks/],
  segment_ids: ["enterprise", "SMB", /no segment 'SMB': there are Enterprise/],
}

type Call = (name: ToolName, args: unknown) => Effect.Effect<any, unknown, Effect.Services<ReturnType<typeof callTool>>>

/** An organization with these records, and calls in its name that give the result, or the text of a refusal. */
class Workspace extends Context.Service<Workspace, { readonly org: string; readonly call: Call }>()("test/Workspace") {}

const layerWorkspace = Layer.effect(
  Workspace,
  Effect.gen(function* () {
    const { id: org } = yield* (yield* Organizations).create({ name: "Seller", plan: UNLIMITED })
    const report = yield* (yield* Import).records(org, Stream.fromIterable(RECORDS))
    if (report.failed > 0) return yield* Effect.die(report.errors)
    const by = { asker: unrestricted(org), point: () => Effect.succeed({}), pointToRow: () => Effect.succeed({}) }
    return Workspace.of({
      org,
      call: (name, args) =>
        Effect.catchTag(callTool(by, name, args), "ToolRefused", ({ message }) => Effect.succeed(message)),
    })
  }),
)

for (const engine of engines) {
  const services = layerWorkspace.pipe(Layer.provideMerge(layerTools), Layer.provideMerge(layerWeb(engine.database)))
  describe(`filters of tools on ${engine.name}`, () => {
    layer(services, { excludeTestServices: true })((it) => {
      it.effect("take values that exist in any letters, and refuse others with the nearest", () =>
        Effect.gen(function* () {
          const { org, call } = yield* Workspace
          for (const [name, filter] of Object.entries(ARRAY_FILTERS))
            if ("names" in filter || "valuesIn" in filter) assert.property(VALUES, name)
          for (const [name, [known, unknown, says]] of Object.entries(VALUES)) {
            const found = yield* call("count_deals", { more: { [name]: [known] } })
            assert.isAtLeast(found.count, 1, `${name}: ${JSON.stringify(found)}`)
            assert.match(yield* call("count_deals", { filters: { [name]: [known, unknown] } }), says)
            const negated = { [name]: [unknown], region_filter_type: "is not" }
            if (name === "region") assert.match(yield* call("search_deals", { filters: negated }), says)
          }
          const nested = yield* call("report_deals", { measures: ["won"], more: { and: [{ region: ["Mars"] }] } })
          assert.match(nested, /^Invalid arguments: and\[0\]\.region has no region 'Mars': describe_workspace/)
          assert.match(
            yield* call("count_deals", { filters: { status: "open" } }),
            /outcome \["open"\] selects all stages/,
          )
          // The API accepts a region that an import may add later.
          assert.strictEqual(yield* (yield* Deals).count(org, { region: ["Mars"] }), 0)
        }),
      )

      it.effect("mean the same in `filters`, in `more`, as JSON text, as single values and beside null", () =>
        Effect.gen(function* () {
          const { call } = yield* Workspace
          const forms: ReadonlyArray<unknown> = [
            { filters: { region: ["EMEA"], amount: { min: 1000 }, overdue: false } },
            { filters: { region: "EMEA", amount: { min: "1000" }, overdue: "false", status: null }, more: null },
            { filters: '{"region":"EMEA","amount":"{\\"min\\":1000}"}', more: '{"overdue":"false"}' },
            '{"filters":{"region":"[\\"EMEA\\"]"}}',
            { more: { region: "EMEA", incumbents: "Orvanta" }, filters: { incumbents: ["Orvanta"] } },
          ]
          for (const form of forms) assert.deepStrictEqual(yield* call("count_deals", form), { found: 1, count: 1 })
          for (const none of [{}, null, undefined, "{}"])
            assert.deepStrictEqual(yield* call("count_deals", none), { found: 22, count: 22 })
          const report = yield* call("report_deals", { measures: "won, deals", group_by: "industry", limit: "5" })
          assert.deepStrictEqual(report.rows[0].values, { won: 1, deals: 22 })
          const twice = { filters: { region: "EMEA" }, more: { region: "AMER" } }
          assert.match(yield* call("count_deals", twice), /region has one value in filters and another in more/)
        }),
      )

      it.effect("that no list states are listed by describe_workspace, each with an example", () =>
        Effect.gen(function* () {
          const { call } = yield* Workspace
          const { names } = yield* call("describe_workspace", { kind: "filters" })
          const listed = names.filters.first.join("\n")
          for (const name of FILTER_NAMES)
            if (!LIST_FILTERS.some((stated) => stated === name)) assert.include(listed, name)
          assert.include(listed, '"open_days":{"min":90}: The age of an open deal in days')
          assert.notInclude(listed, "undefined")
          assert.notProperty((yield* call("describe_workspace", {})).names, "filters")
        }),
      )
    })
  })
}
