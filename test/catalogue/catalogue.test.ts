import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { KINDS } from "../../src/core/catalogue/kinds.ts"
import { engines } from "../support/engines.ts"
import { layerWeb, Web } from "../support/web.ts"
import { filled, get, send } from "./catalogue.ts"

for (const engine of engines) {
  describe(`the workspace on ${engine.name}`, () => {
    layer(layerWeb(engine.database), { excludeTestServices: true })((it) => {
      it.effect("lists every kind with its entries and their deals", () =>
        Effect.gen(function* () {
          const { key } = yield* filled()
          const { settings, duplicates, ...kinds } = yield* get("/workspace", key)
          assert.deepStrictEqual(duplicates, [])
          assert.sameMembers(Object.keys(kinds), [...KINDS])
          assert.deepStrictEqual(settings, {
            name: "Tenant",
            currency: null,
            fiscal_start: 1,
            timezone: "UTC",
            our_names: [],
            our_domains: [],
            analysis_budget: null,
            analysis: "manual",
            links: "figures",
            renewal_types: ["Renewal"],
            no_decision: null,
            rubrics: {},
          })
          assert.deepStrictEqual(Object.fromEntries(KINDS.map((kind) => [kind, kinds[kind].data])), {
            stages: [
              { id: "new", name: "New", category: "open", position: 1, probability: null, deals: 1 },
              { id: "won", name: "Won", category: "won", position: 2, probability: null, deals: 2 },
            ],
            owners: [{ id: "ada", name: "Ada Byron", deals: 3 }],
            competitors: [
              { id: "nimbrel", name: "Nimbrel", website_url: null, aliases: [], deals: 0 },
              { id: "orvanta", name: "Orvanta", website_url: "https://orvanta.example", aliases: [], deals: 3 },
            ],
            reasons: [{ id: "price", name: "Price", category: "Commercial", aliases: [], deals: 2 }],
            features: [
              {
                id: "sso",
                name: "Single sign-on",
                description: null,
                product: "Flow",
                product_area: "Governance",
                aliases: [],
                deals: 1,
              },
            ],
            segments: [{ id: "emea", name: "EMEA wins", filters: { region: ["EMEA"], status: ["won"] }, deals: 1 }],
            regions: [
              { id: null, name: "APAC", deals: 1 },
              { id: null, name: "EMEA", deals: 2 },
            ],
            industries: [{ id: null, name: "Energy", deals: 3 }],
            deal_types: [{ id: null, name: "Renewal", deals: 3 }],
            product_labels: [{ id: null, name: "Flow", deals: 3 }],
            tags: [{ id: null, name: "blocker", deals: 1 }],
            metrics: [{ id: "champion", name: "Champion strength", question: null, filters: {}, deals: 2 }],
            answers: [{ id: "why", name: "Why now", question: null, form: null, options: [], filters: {}, deals: 1 }],
            crm_properties: [
              { id: "forecast", name: "Forecast", crm: "crm_one", object: "deal", data_type: "text", deals: 1 },
              { id: "tier", name: "tier", crm: "crm_two", object: "account", data_type: "text", deals: 3 },
            ],
          })
          for (const kind of KINDS) {
            assert.isFalse(kinds[kind].has_more, kind)
            const page = yield* get(`/workspace/${kind}`, key)
            assert.deepStrictEqual(page, { data: kinds[kind].data, has_more: false, next_cursor: null }, kind)
          }
        }),
      )

      it.effect("is empty for a new organization, and another tenant's rows never appear", () =>
        Effect.gen(function* () {
          const { key } = yield* (yield* Web).tenant()
          const before = yield* get("/workspace", key)
          yield* filled()
          assert.deepStrictEqual(yield* get("/workspace", key), before)
          for (const kind of KINDS) assert.deepStrictEqual(before[kind], { data: [], has_more: false }, kind)
        }),
      )

      it.effect("pages through a kind, each entry once, with a cursor valid for this list and organization only", () =>
        Effect.gen(function* () {
          const names = Array.from({ length: 230 }, (_, n) => `Rival ${String(n).padStart(3, "0")}`)
          const deals = names.map((name, n) => ({
            type: "deal",
            id: `d${n}`,
            name: `Deal ${n}`,
            region: name.toUpperCase(),
            competitors: [name],
          }))
          const { key } = yield* filled(deals)
          const overview = yield* get("/workspace", key)
          assert.deepStrictEqual([overview.competitors.data.length, overview.competitors.has_more], [100, true])
          for (const [kind, expected] of [
            ["competitors", names],
            ["regions", names.map((name) => name.toUpperCase())],
          ] as const) {
            const found: Array<string> = []
            let cursor: string | null = ""
            let first = ""
            while (cursor !== null) {
              const page: any = yield* get(`/workspace/${kind}${cursor === "" ? "" : `?cursor=${cursor}`}`, key)
              found.push(...page.data.map(({ name, deals }: { name: string; deals: number }) => `${name} ${deals}`))
              assert.strictEqual(page.has_more, page.next_cursor !== null)
              first ||= page.next_cursor
              cursor = page.next_cursor
            }
            assert.deepStrictEqual(
              found,
              expected.map((name) => `${name} 1`),
            )
            const other = yield* (yield* Web).tenant()
            for (const [path, asker] of [
              [`/workspace/${kind}?cursor=${first}`, other.key],
              [`/workspace/${kind}?searchQuery=r&cursor=${first}`, key],
              [`/workspace/stages?cursor=${first}`, key],
              [`/workspace/${kind}?cursor=x`, key],
            ] as const) {
              const reply = yield* send("GET", path, asker)
              assert.deepStrictEqual(
                [reply.status, reply.json.error.details.invalid_fields[0].field],
                [400, "cursor"],
                path,
              )
            }
          }
          const searched = yield* get("/workspace/competitors?searchQuery=RIVAL%2012", key)
          assert.deepStrictEqual(
            searched.data.map(({ name }: { name: string }) => name),
            names.filter((name) => name.includes("Rival 12")),
          )
          assert.deepStrictEqual(
            (yield* get("/workspace/competitors?searchQuery=%25", key)).data,
            [],
            "a percent sign is no wildcard",
          )
        }),
      )

      it.effect("finds a misspelt name, and a CRM property by its id", () =>
        Effect.gen(function* () {
          const { key } = yield* filled()
          const ids = (path: string) =>
            Effect.map(get(path, key), ({ data }) => data.map(({ id }: { id: string }) => id))
          assert.deepStrictEqual(yield* ids("/workspace/competitors?searchQuery=Orvana"), ["orvanta"])
          assert.deepStrictEqual(yield* ids("/workspace/crm_properties?searchQuery=FORECAS"), ["forecast"])
          assert.deepStrictEqual(yield* ids("/workspace/competitors?searchQuery=zzz"), [])
        }),
      )

      it.effect(
        "answers 404 for an unknown kind with the list of kinds, and for a read-only kind with how to change it",
        () =>
          Effect.gen(function* () {
            const { key } = yield* filled()
            const unknown = yield* send("GET", "/workspace/stagez", key)
            assert.strictEqual(unknown.status, 404)
            assert.include(unknown.json.error.message, "'stagez'")
            assert.deepStrictEqual(unknown.json.error.details, { kinds: [...KINDS], did_you_mean: "stages" })
            for (const kind of KINDS) assert.include(unknown.json.error.message, kind)
            for (const [method, body] of [
              ["PUT", { name: "x" }],
              ["DELETE", undefined],
            ] as const) {
              const reply = yield* send(method, "/workspace/owners/ada", key, body)
              assert.strictEqual(reply.status, 404)
              assert.include(reply.json.error.message, "POST /import")
              assert.strictEqual((yield* send(method, "/workspace/stagez/x", key, body)).status, 404)
            }
          }),
      )

      it.effect("changes the given settings and keeps the others", () =>
        Effect.gen(function* () {
          const { key } = yield* (yield* Web).tenant()
          const changed = yield* send("PUT", "/workspace", key, {
            currency: "eur",
            our_names: ["Acme", " acme ", "Acme GmbH"],
            our_domains: ["Acme.example"],
          })
          assert.strictEqual(changed.status, 200, changed.text)
          assert.deepStrictEqual(changed.json, {
            name: "Tenant",
            currency: "EUR",
            fiscal_start: 1,
            timezone: "UTC",
            our_names: ["acme", "Acme GmbH"],
            our_domains: ["acme.example"],
            analysis_budget: null,
            analysis: "manual",
            links: "figures",
            renewal_types: ["Renewal"],
            no_decision: null,
            rubrics: {},
          })
          const again = yield* send("PUT", "/workspace", key, { name: " Acme ", fiscal_start: 4, our_names: [] })
          assert.deepStrictEqual(again.json, { ...changed.json, name: "Acme", fiscal_start: 4, our_names: [] })
          assert.deepStrictEqual((yield* send("PUT", "/workspace", key, {})).json, again.json)
          assert.deepStrictEqual((yield* get("/workspace", key)).settings, again.json)
          assert.isNull((yield* send("PUT", "/workspace", key, { currency: null })).json.currency)
        }),
      )

      it.effect("refuses invalid settings, all in one reply", () =>
        Effect.gen(function* () {
          const { key } = yield* (yield* Web).tenant()
          const reply = yield* send("PUT", "/workspace", key, {
            name: " ",
            currency: "EURO",
            fiscal_start: 13,
            our_names: [""],
            our_domains: ["https://acme.example", "acme", "me@acme.example", "acme.example", "10.0.0.1"],
            colour: "red",
          })
          assert.strictEqual(reply.status, 400)
          const { invalid_fields, unknown_fields } = reply.json.error.details
          assert.deepStrictEqual(unknown_fields, ["colour"])
          assert.deepStrictEqual(
            invalid_fields.map(({ field }: { field: string }) => field),
            [
              "colour",
              "name",
              "currency",
              "fiscal_start",
              "our_names[0]",
              "our_domains[0]",
              "our_domains[1]",
              "our_domains[2]",
              "our_domains[4]",
            ],
          )
          assert.include(reply.json.error.message, "ISO 4217")
          for (const fiscal_start of [0, 1.5, "4"]) {
            assert.strictEqual((yield* send("PUT", "/workspace", key, { fiscal_start })).status, 400)
          }
        }),
      )

      it.effect("a member can read it but not change it", () =>
        Effect.gen(function* () {
          const { key } = yield* (yield* Web).tenant({ role: "member" })
          yield* get("/workspace", key)
          yield* get("/workspace/stages", key)
          for (const [method, path] of [
            ["PUT", "/workspace"],
            ["PUT", "/workspace/stages/won"],
            ["DELETE", "/workspace/stages/won"],
          ] as const) {
            const reply = yield* send(method, path, key, method === "PUT" ? {} : undefined)
            assert.deepStrictEqual(
              [reply.status, reply.json.error.message],
              [403, "role 'member' cannot change the workspace"],
            )
          }
        }),
      )

      it.effect("a key with any single permission can read the workspace", () =>
        Effect.gen(function* () {
          const { key } = yield* filled()
          const made = yield* send("POST", "/keys", key, {
            name: "usage",
            role: "viewer",
            permissions: ["usage.read"],
          })
          assert.strictEqual((yield* get("/workspace", made.json.key)).stages.data.length, 2)
        }),
      )
    })
  })
}
