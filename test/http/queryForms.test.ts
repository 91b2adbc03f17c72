import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { engines } from "../support/engines.ts"
import { layerWeb, Web } from "../support/web.ts"

const RECORDS = [
  { type: "stage", id: "won", name: "Won", category: "won" },
  { type: "stage", id: "lost", name: "Lost", category: "lost" },
  { type: "stage", id: "open", name: "[Open]", category: "open" },
  { type: "crm_property", crm: "crm_one", object: "deal", id: "forecast", label: "Forecast", data_type: "text" },
  { type: "crm_property", crm: "crm_one", object: "deal", id: "seats", label: "Seats", data_type: "number" },
  { type: "client", id: "c1", name: "Acme", industry: "Energy" },
  { type: "feature", id: "f1", name: "SSO", product: "Core" },
  ...["won", "won", "lost", "open"].map((status, n) => ({
    type: "deal",
    id: `d${n}`,
    name: `Deal ${n}`,
    status,
    amount: n * 100,
    close_date: `2026-0${n + 1}-15`,
    client: n === 0 ? "c1" : undefined,
    deal_analyzed: n < 3,
    created_at: n === 3 ? "2026-03-31 18:09:44+02:00" : undefined,
    crm_properties: { forecast: n === 0 ? "commit" : "omitted", seats: n * 10 },
  })),
  { type: "association", id: "a1", deal: "d0", feature: "f1", tags: ["blocker", "q1"] },
  { type: "association", id: "a2", deal: "d1", feature: "f1", tags: ["blocker", "a,b"] },
]

/** Forms of the same filter, which must all find the same deals. */
const SAME: Readonly<Record<string, readonly [number, ...ReadonlyArray<string>]>> = {
  "two stages": [
    3,
    'status=["Won","Lost"]',
    "status=Won&status=Lost",
    "status[]=Won&status[]=Lost",
    "status[0]=Won&status[1]=Lost",
    "status%5B%5D=Won&status%5B%5D=Lost",
    "status[1]=Won&status[0]=Lost",
  ],
  "one stage": [2, 'status=["Won"]', "status=Won", "status[]=Won", "status[0]=Won"],
  "a stage whose name starts with a bracket": [
    1,
    'status=["[Open]"]',
    "status[]=[Open]",
    "status=[Open]&status=[Open]",
  ],
  "a range of amounts": [2, 'amount={"min":100,"max":200}', "amount[min]=100&amount[max]=200"],
  "one end of a range": [3, 'amount={"min":100}', "amount[min]=100", "amount[min]=1e2"],
  "a range of dates": [
    2,
    'close_date={"from":"2026-02-01","to":"2026-03-31"}',
    "close_date[from]=2026-02-01&close_date[to]=2026-03-31",
  ],
  "a condition on a CRM property": [
    1,
    'crm_filters=[{"property":"forecast","operator":"is","value":"commit"}]',
    'crm_filters={"property":"forecast","operator":"is","value":"commit"}',
    "crm_filters[0][property]=forecast&crm_filters[0][operator]=is&crm_filters[0][value]=commit",
    'crm_filters[]={"property":"forecast","operator":"is","value":"commit"}',
  ],
  "two conditions, one on a number": [
    2,
    'crm_filters=[{"property":"forecast","operator":"is not","value":"commit"},{"property":"seats","operator":"is greater than","value":10}]',
    'crm_filters={"property":"forecast","operator":"is not","value":"commit"}&crm_filters={"property":"seats","operator":"is greater than","value":10}',
    "crm_filters[0][property]=forecast&crm_filters[0][operator]=is not&crm_filters[0][value]=commit&crm_filters[1][property]=seats&crm_filters[1][operator]=is greater than&crm_filters[1][value]=10",
  ],
  "an object inside a condition": [
    1,
    'crm_account_filters=[{"property":{"map_to":"industry"},"operator":"is","value":"Energy"}]',
    "crm_account_filters[0][property][map_to]=industry&crm_account_filters[0][operator]=is&crm_account_filters[0][value]=Energy",
  ],
  "a time whose + is not encoded, or that Python wrote": [
    1,
    "created_at[to]=2026-03-31T16:09:44Z",
    "created_at[to]=2026-03-31T18:09:44%2B02:00",
    "created_at[to]=2026-03-31T18:09:44+02:00",
    "created_at[to]=2026-03-31%2018:09:44.000001%2B02:00",
    'created_at={"to":"2026-03-31+18:09:44+02:00"}',
  ],
  "a time a second earlier": [0, "created_at[to]=2026-03-31T18:09:43+02:00"],
  "an older name": [3, 'deal_analyzed=["true"]', "deal_analyzed=true", "deal_analyzed[]=true", "analyzed=true"],
}

/** Refused queries, the parameter that the error names, and its reason. */
const REFUSED: Readonly<Record<string, readonly [field: string, reason: RegExp]>> = {
  'status=["Won"]&status=Lost': ["status", /one form only/],
  "status=Won&status[]=Lost": ["status", /one form only/],
  "status[]=Won&status[0]=Lost": ["status", /one form only/],
  'amount={"min":1}&amount[max]=5': ["amount", /one form only/],
  'crm_filters[0][property]=forecast&crm_filters=[{"property":"forecast"}]': ["crm_filters", /one form only/],
  'amount={"min":1}&amount={"max":5}': ["amount", /once/],
  "amount[min]=1&amount[min]=2": ["amount", /once/],
  "amount=5": ["amount", /must be JSON, for example \{"min":/],
  "amount[]=5": ["amount", /name its parts/],
  "amount[min][deep]=5": ["amount", /no part \[deep\]/],
  "amount[min]=lots": ["amount.min", /number/],
  "created_at[to]=2026-03-31T18:09:44+0200": ["created_at.to", /written %2B/],
  "created_at[to]=2026-03-31+18:0902:00": ["created_at.to", /date-time such as/],
  "status[first]=Won": ["status", /no part \[first\]/],
  "status=[Won": ["status", /must be JSON, for example \["/],
  "status={}": ["status", /must be JSON, for example \["/],
  "crm_filters[][property]=forecast&crm_filters[][operator]=is": ["crm_filters", /number its elements/],
}

const UNKNOWN: Readonly<Record<string, string>> = {
  "amount[least]=5": "amount.least",
  "amount[min=5": "amount[min",
  "amount[min]x=5": "amount[min]x",
  "page_size[max]=5": "page_size[max]",
  "nothing[min]=5": "nothing[min]",
  "[min]=5": "[min]",
  "amount[__proto__]=5": "amount.__proto__",
  [`amount${"[a]".repeat(9)}=5`]: `amount${"[a]".repeat(9)}`,
}

layer(layerWeb(engines.at(-1)!.database), { excludeTestServices: true })(
  "arrays and objects in the query string",
  (it) => {
    const setUp = Effect.gen(function* () {
      const web = yield* Web
      const { key } = yield* web.tenant()
      const body = RECORDS.map((record) => JSON.stringify(record)).join("\n")
      const headers = { "content-type": "application/x-ndjson" }
      const report = yield* web.request("/api/v1/import", key, { method: "POST", headers, body })
      assert.strictEqual(report.json.failed, 0, report.text)
      return (path: string) => web.request(`/api/v1${path}`, key)
    })

    it.effect("have the same meaning as JSON, as repeated parameters and in brackets", () =>
      Effect.gen(function* () {
        const get = yield* setUp
        for (const [what, [count, ...forms]] of Object.entries(SAME)) {
          for (const form of forms) {
            const reply = yield* get(`/deals?count=true&${form}`)
            assert.deepStrictEqual(reply.json, { count }, `${what}: ${form}`)
          }
        }
        for (const columns of ["name,amount", '["name","amount"]', "name&columns=amount"]) {
          const reply = yield* get(`/deals?page_size=1&columns=${columns}`)
          assert.deepStrictEqual(Object.keys(reply.json[0]), ["id", "name", "amount"], columns)
        }
      }),
    )

    it.effect("work on the other endpoints that accept them", () =>
      Effect.gen(function* () {
        const get = yield* setUp
        const tags = ["blocker,q1", "blocker&tags=q1", '["blocker","q1"]']
        for (const query of [...tags.map((form) => `tags=${form}`), "tags[]=blocker&tags[]=q1"]) {
          const reply = yield* get(`/product-intelligence?${query}`)
          assert.deepStrictEqual(
            reply.json.data.map(({ id }: { id: string }) => id),
            ["a1"],
            query,
          )
        }
        for (const query of ['tags=["a,b"]', "tags[]=a,b"]) {
          const reply = yield* get(`/product-intelligence?${query}`)
          assert.deepStrictEqual(reply.json.meta.tags, ["a,b"], query)
          assert.strictEqual(reply.json.meta.count, 1, query)
        }
        for (const types of [
          "types=deal,association",
          'types=["deal","association"]',
          "types[]=deal&types[]=association",
        ]) {
          const reply = yield* get(`/changes?${types}`)
          assert.strictEqual(reply.json.data.length, 6, types)
        }
      }),
    )

    it.effect("keep their form in the link to the next page", () =>
      Effect.gen(function* () {
        const get = yield* setUp
        const first = yield* get("/deals?status=Won&status=Lost&amount[min]=0&page_size=2")
        const next = /<[^>]*\/api\/v1([^>]+)>; rel="next"/.exec(first.headers.get("link") ?? "")?.[1]
        assert.isDefined(next)
        const second = yield* get(next!)
        assert.strictEqual(first.json.length + second.json.length, 3)
      }),
    )

    it.effect("are refused in mixed or malformed forms, with the accepted form in the error", () =>
      Effect.gen(function* () {
        const get = yield* setUp
        for (const [query, [field, reason]] of Object.entries(REFUSED)) {
          const { status, json, text } = yield* get(`/deals?count=true&${query}`)
          assert.strictEqual(status, 400, query)
          const found = json.error.details.invalid_fields?.find((each: { field: string }) => each.field === field)
          assert.isDefined(found, `${query}: ${text}`)
          assert.match(found.reason, reason, query)
        }
      }),
    )

    it.effect("are unknown parameters if their brackets name no part", () =>
      Effect.gen(function* () {
        const get = yield* setUp
        for (const [query, unknown] of Object.entries(UNKNOWN)) {
          const { status, json, text } = yield* get(`/deals?count=true&${query}`)
          assert.strictEqual(status, 400, query)
          assert.deepStrictEqual(json.error.details.unknown_fields, [unknown], `${query}: ${text}`)
        }
      }),
    )
  },
)
