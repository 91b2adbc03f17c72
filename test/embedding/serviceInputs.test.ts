import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { ApiKeys, Deals, Organizations } from "../../src/core/Sightline.ts"
import { Exports, Reports } from "../../src/core/services.ts"
import type { BadRequest } from "../../src/core/http/errors/errors.ts"
import { engines } from "../support/engines.ts"
import { layerWeb, Web } from "../support/web.ts"
import { UNLIMITED } from "../support/unlimited.ts"

interface Detail {
  readonly field: string
  readonly reason: string
  readonly did_you_mean?: string
}

/** The fields of a BadRequest, each with its reason and suggestion. */
const refusal = Effect.fnUntraced(function* <A, E, R>(call: Effect.Effect<A, E, R>) {
  const error = (yield* Effect.flip(call)) as BadRequest
  assert.strictEqual(error._tag, "BadRequest")
  const { invalid_fields = [], missing_fields = [] } = (error.details ?? {}) as {
    readonly invalid_fields?: ReadonlyArray<Detail>
    readonly missing_fields?: ReadonlyArray<string>
  }
  return [
    ...missing_fields.map((field) => `missing ${field}`),
    ...invalid_fields.map(
      ({ field, reason, did_you_mean: meant }) => `${field} ${reason}${meant ? ` -> ${meant}` : ""}`,
    ),
  ].join("; ")
})

const KEYS: ReadonlyArray<readonly [given: object, part: string]> = [
  [{ role: "owner" }, "missing name"],
  [{ name: "k" }, "missing role"],
  [{ name: "", role: "owner" }, "name must have at least one character"],
  [{ name: "n".repeat(5000), role: "owner" }, "name must have at most 200 characters"],
  [{ name: "a\0b", role: "owner" }, "name must not contain a NUL character"],
  [{ name: "k", role: "boss" }, 'role must be one of viewer, member, admin, owner, not "boss"'],
  [{ name: "k", role: "viewer", permissions: ["deals.reed"] }, "-> deals.read"],
  [{ name: "k", role: "viewer", permissions: ["keys.manage"] }, "permissions must be permissions of role 'viewer'"],
  [{ name: "k", role: "viewer", expires_at: "2030-01-01T00:00:00Z" }, "expires_at is not accepted here"],
  [{ name: "k", role: "viewer", expires_at: "2030-01-01T00:00:00Z" }, "-> expiresAt"],
  [{ name: "k", role: "viewer", expiresInDays: 3 }, "expiresInDays is not accepted here"],
  [
    { name: "k", role: "viewer", expiresAt: "01/02/2027" },
    "expiresAt must be a date-time such as 2027-01-31T00:00:00Z",
  ],
  [{ name: "k", role: "viewer", expiresAt: "soon" }, "expiresAt must be a date-time"],
  [{ name: "k", role: "viewer", expiresAt: "2020-01-01T00:00:00Z" }, "expiresAt must be in the future"],
  [{ name: "k", role: "viewer", requestsPerMinute: 1.5 }, "requestsPerMinute must be a whole number"],
  [{ name: "k", role: "viewer", requestsPerMinute: 0 }, "requestsPerMinute must be between 1 and 100000, not 0"],
]

const FILTERS: ReadonlyArray<readonly [filters: object, part: string]> = [
  [{ statuss: ["Won"] }, "statuss is not accepted here -> status"],
  [{ amount: { mim: 5 } }, "amount.mim is not accepted here, only min, max, below -> amount.min"],
  [{ and: [{ statuss: ["Won"] }] }, "and[0].statuss is not accepted here"],
  [{ status: "Won" }, "status must be an array"],
]

const ROWS: ReadonlyArray<readonly [query: object, part: string]> = [
  [
    { colums: ["name"] },
    "colums is not accepted here, only columns, filters, sort, sortOrder, pageSize, cursor -> columns",
  ],
  [{ page_size: 1 }, "-> pageSize"],
  [{ sort: "amounts" }, "sort must be one of"],
  [{ columns: ["nmae"] }, "columns must name columns of a deal; 'nmae' is not one -> name"],
]

describe("a service in the host's process", () => {
  layer(layerWeb(engines[0].database), { excludeTestServices: true })((it) => {
    it.effect("refuses a key that HTTP refuses, with the same error, and stores none", () =>
      Effect.gen(function* () {
        const { org } = yield* (yield* Web).tenant()
        const keys = yield* ApiKeys
        const before = (yield* keys.list(org)).length
        for (const [given, part] of KEYS) assert.include(yield* refusal(keys.create(org, given as never)), part)
        assert.strictEqual((yield* keys.list(org)).length, before)
        const options = { environment: undefined, permissions: undefined, expiresAt: undefined }
        const { id } = yield* keys.create(org, { name: "k", role: "viewer", ...options })
        assert.include(yield* refusal(keys.rotate(org, id, -1)), "graceSeconds must be between 0 and 2592000")
      }),
    )

    it.effect("refuses a misspelt filter in every service that takes filters", () =>
      Effect.gen(function* () {
        const { org } = yield* (yield* Web).tenant()
        const deals = yield* Deals
        const exports = yield* Exports
        const reports = yield* Reports
        for (const [given, part] of FILTERS) {
          const filters = given as never
          for (const call of [
            deals.rows(org, { filters }),
            deals.list(org, { filters, pageSize: 1 }),
            deals.count(org, filters),
            deals.totals(org, filters),
            deals.drivers(org, filters),
            deals.ids(org, filters, 1),
            exports.submit(org, { columns: ["name"], filters } as never),
            reports.run(org, { subject: "deals", filters } as never),
          ])
            assert.include(yield* refusal(call as Effect.Effect<unknown, unknown>), part)
        }
      }),
    )

    it.effect("refuses a misspelt option of rows", () =>
      Effect.gen(function* () {
        const { org } = yield* (yield* Web).tenant()
        const deals = yield* Deals
        for (const [given, part] of ROWS) assert.include(yield* refusal(deals.rows(org, given as never)), part)
        assert.include(yield* refusal(deals.row(org, "d1", { colums: ["name"] } as never)), "-> columns")
        assert.isArray((yield* deals.rows(org, { columns: undefined, filters: undefined, cursor: undefined })).data)
      }),
    )

    it.effect("refuses an organization and settings that HTTP refuses", () =>
      Effect.gen(function* () {
        const { org } = yield* (yield* Web).tenant()
        const organizations = yield* Organizations
        const create = (given: object) => refusal(organizations.create(given as never))
        assert.include(yield* create({ name: "", plan: UNLIMITED }), "name must have at least one character")
        assert.include(
          yield* create({ nmae: "A", plan: UNLIMITED }),
          "nmae is not accepted here, only id, name, plan -> name",
        )
        const change = (patch: object) => refusal(organizations.change(org, patch as never))
        assert.include(yield* change({ curency: "EUR" }), "-> currency")
        assert.include(yield* change({ currency: "Euro" }), "currency must be a currency code of ISO 4217")
        assert.include(yield* refusal(organizations.update(org, { nam: "A" } as never)), "-> name")
      }),
    )
  })
})
