import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { ApiKeys } from "../../src/core/keys/ApiKeys.ts"
import { Import } from "../../src/core/import/Import.ts"
import { Organizations } from "../../src/core/catalogue/Organizations.ts"
import { UNLIMITED } from "../support/unlimited.ts"
import { inRow, readDocument } from "../support/readDocument.ts"

/** Markup that runs a script wherever a page takes it for markup. */
export const HOSTILE = `<img src=x onerror="document.title='pwned'"><script>document.title='pwned'</script>`

export const DEALS = 430

const idOf = (n: number) => `d${String(n).padStart(4, "0")}`

/** The id of the newest deal. */
export const LAST = idOf(DEALS - 1)

const stageOf = (n: number) => (n % 3 === 0 ? "won" : n % 3 === 1 ? "lost" : "open")

const RECORDS = [
  { type: "stage", id: "open", name: "Proposal", category: "open" },
  { type: "stage", id: "won", name: "Won", category: "won" },
  { type: "stage", id: "lost", name: `Lost ${HOSTILE}`, category: "lost" },
  { type: "owner", id: "owner", name: `Owner ${HOSTILE}` },
  { type: "competitor", id: "rival", name: `Rival ${HOSTILE}` },
  { type: "reason", id: "price", name: `Price ${HOSTILE}`, category: HOSTILE },
  { type: "client", id: "client", name: `Client ${HOSTILE}`, industry: HOSTILE },
  ...Array.from({ length: DEALS }, (_, n) => ({
    type: "deal",
    id: idOf(n),
    name: n === DEALS - 1 ? `Newest ${HOSTILE}` : `Deal ${n}`,
    amount: 1000 + n,
    status: stageOf(n),
    owner: "owner",
    client: "client",
    region: HOSTILE,
    deal_type: HOSTILE,
    close_date: new Date(Date.now() - (n % 200) * 86_400_000).toISOString().slice(0, 10),
    created_at: new Date(Date.UTC(2025, 0, 1) + n * 3_600_000).toISOString(),
    competitors: [{ competitor: "rival", is_primary: true }],
    drivers: [{ reason: "price", positive: false, summary: `Too dear ${HOSTILE}` }],
    product_labels: [HOSTILE],
    summary: { executive_summary: `Story ${HOSTILE}`, key_quotes: [{ speaker: HOSTILE, quote: HOSTILE }] },
    deal_analyzed: true,
  })),
]

/** A workspace whose every text is hostile, and the keys of an administrator and a viewer. */
export const seed = Effect.gen(function* () {
  const { id: org } = yield* (yield* Organizations).create({ name: `Acme ${HOSTILE}`, plan: UNLIMITED })
  const report = yield* (yield* Import).records(org, Stream.fromIterable(RECORDS))
  if (report.failed > 0) return yield* Effect.die(new Error(JSON.stringify(report.errors)))
  yield* readDocument(org, [inRow("Prices", 1, `Rival asks 40 a month ${HOSTILE}`)], {
    file_name: `Prices ${HOSTILE}.xlsx`,
  })
  const keys = yield* ApiKeys
  const admin = yield* keys.create(org, { name: `Desk ${HOSTILE}`, role: "admin" })
  const viewer = yield* keys.create(org, { name: "viewer", role: "viewer" })
  return { org, admin, viewer }
})
