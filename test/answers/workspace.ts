import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { ApiKeys } from "../../src/core/keys/ApiKeys.ts"
import type { Role } from "../../src/core/access/permissions.ts"
import { Documents } from "../../src/core/library/Documents.ts"
import { Originals } from "../../src/core/library/Originals.ts"
import { Import } from "../../src/core/import/Import.ts"
import { Organizations } from "../../src/core/catalogue/Organizations.ts"
import { untilEffect } from "../support/until.ts"
import { UNLIMITED } from "../support/unlimited.ts"

const RECORDS = [
  { type: "stage", id: "won", name: "Closed Won", category: "won", position: 2 },
  { type: "stage", id: "lost", name: "Closed Lost", category: "lost", position: 3 },
  { type: "competitor", id: "cmp_zenith", name: "Zenith Cloud", website_url: "https://zenith.example" },
  { type: "competitor", id: "cmp_orbit", name: "Orbit" },
  ...Array.from({ length: 12 }, (_, n) => ({
    type: "deal",
    id: `deal_${n}`,
    name: `Harbor Freight ${n}`,
    amount: 10_000 + n,
    status: n % 3 === 0 ? "lost" : "won",
    region: n % 2 === 0 ? "EMEA" : "AMER",
    competitors: [{ competitor: n % 3 === 0 ? "cmp_zenith" : "cmp_orbit", is_primary: true, is_incumbent: false }],
    drivers: [{ reason: n % 3 === 0 ? "Price" : "Support", positive: n % 3 !== 0, summary: `Reason ${n} was told.` }],
  })),
]

export const BATTLECARD = `# Zenith Cloud battlecard

Zenith Cloud charges $48 per seat and month. Its setup fee is $1,900, paid once.

## Weak points

Zenith Cloud has no offline mode. Its support answers within 26 hours on the Basic plan.`

export const CALL = `Call with Harbor Freight. The buyer said that the rollout must end before 14 October.
They like our audit log. They fear that Zenith Cloud is cheaper.`

/** A document of the library or, with `deal`, of a deal, read before this returns. */
export const addDocument = Effect.fnUntraced(function* (
  org: string,
  name: string,
  text: string,
  place: { readonly deal?: string; readonly competitor?: string } = {},
) {
  const originals = yield* Originals
  const documents = yield* Documents
  const original = yield* originals.keep(org, "text/markdown", Stream.make(new TextEncoder().encode(text)))
  const { document } = yield* documents.receive(
    org,
    {
      type: place.deal === undefined ? "intel" : "asset",
      source: "api",
      file_name: name,
      content_type: "text/markdown",
      competitorId: place.competitor ?? null,
      dealId: place.deal ?? null,
    },
    original,
  )
  const look = Effect.map(documents.get(org, document.id), (found) => /ready|failed/.test(found.status) && found)
  const { status, failure_reason } = yield* untilEffect(`${name} is read`, look)
  if (status === "failed") return yield* Effect.die(failure_reason)
  return document.id
})

/** An organization with twelve deals, two competitors, a battlecard and a call, and keys to it. */
export const makeWorkspace = Effect.fnUntraced(function* () {
  const { id: org } = yield* (yield* Organizations).create({ name: "Seller", plan: UNLIMITED })
  const keys = yield* ApiKeys
  const report = yield* (yield* Import).records(org, Stream.fromIterable(RECORDS))
  if (report.failed > 0) return yield* Effect.die(report.errors)
  const battlecard = yield* addDocument(org, "Zenith battlecard.md", BATTLECARD, { competitor: "cmp_zenith" })
  const call = yield* addDocument(org, "Call.md", CALL, { deal: "deal_3" })
  const key = Effect.fnUntraced(function* (role: Role, more: object = {}) {
    return (yield* keys.create(org, { name: role, role, requestsPerMinute: 300, ...more })).key
  })
  return { org, battlecard, call, key }
})
