import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { serve } from "../../src/adapters/node.ts"
import { ApiKeys } from "../../src/core/keys/ApiKeys.ts"
import type { Answerer } from "../../src/core/answers/Answerer.ts"
import { Import } from "../../src/core/import/Import.ts"
import type { ImportRecord } from "../../src/core/records/record.ts"
import { Organizations } from "../../src/core/catalogue/Organizations.ts"
import { engines } from "../support/engines.ts"
import { layerLibrary } from "../support/web.ts"
import { UNLIMITED } from "../support/unlimited.ts"

export const RECORDS: ReadonlyArray<ImportRecord> = [
  { type: "stage", id: "won", name: "Won", category: "won" },
  { type: "stage", id: "lost", name: "Lost", category: "lost" },
  { type: "competitor", id: "orvanta", name: "Orvanta" },
  {
    type: "feature",
    id: "sso",
    name: "Single sign-on",
    description: "Signs in once",
    product: "Core",
    product_area: "Security",
  },
  { type: "metric", id: "fit", name: "fit" },
  { type: "answer", id: "why", name: "why_us" },
  { type: "crm_property", crm: "crm_one", object: "deal", id: "forecast", label: "Forecast", data_type: "text" },
  ...Array.from({ length: 7 }, (_, n): ImportRecord => ({
    type: "deal",
    id: `d${n}`,
    name: `Deal ${n}`,
    status: n % 2 === 0 ? "won" : "lost",
    amount: n * 100,
    deal_analyzed: true,
    competitors: [{ competitor: "orvanta", is_primary: true }],
    crm_properties: { forecast: "commit" },
    custom_metrics: { fit: { score: 4, explanation: "Fits" } },
    custom_answers: { why_us: "Speed" },
  })),
  { type: "association", id: "a1", deal: "d1", feature: "sso", sentiment: true, tags: ["blocker"] },
]

export interface TestServer {
  readonly url: string
  readonly key: string
  readonly close: () => Promise<void>
}

/** A server on a loopback socket with one organization, whose owner has `key`. */
export const startServer = async ({
  answerer,
  corsOrigins = [],
}: {
  readonly answerer?: Layer.Layer<Answerer>
  readonly corsOrigins?: ReadonlyArray<string>
} = {}): Promise<TestServer> => {
  const scope = Effect.runSync(Scope.make())
  let key = ""
  const { url } = await Effect.runPromise(
    serve({
      database: engines.at(-1)!.database,
      library: layerLibrary(),
      answerer,
      corsOrigins,
      port: 0,
      prepare: Effect.gen(function* () {
        const { id } = yield* (yield* Organizations).create({ name: "Acme", plan: UNLIMITED })
        key = (yield* (yield* ApiKeys).create(id, { name: "client", role: "owner", requestsPerMinute: 100_000 })).key
        yield* (yield* Import).records(id, Stream.fromIterable(RECORDS))
      }),
    }).pipe(Scope.provide(scope)),
  )
  return { url, key, close: () => Effect.runPromise(Scope.close(scope, Exit.void)) }
}
