// npm install sightline effect @effect/sql-pg @electric-sql/pglite @effect/platform-node
// node effect.ts
import { createServer } from "node:http"
import { NodeHttpServer } from "@effect/platform-node"
import { Effect, Layer, Redacted, Stream } from "effect"
import { FetchHttpClient, HttpRouter, HttpServer, HttpServerResponse } from "effect/http"
import { ApiKeys, HttpApp, Import, layerHttp, Organizations } from "sightline"
import { SightlineClient } from "sightline/client/effect"
import { layerLibrary } from "sightline/library"
import { layerPglite } from "sightline/pglite"

const routes = Layer.mergeAll(
  HttpRouter.add("GET", "/hello", HttpServerResponse.text("Hello")),
  HttpRouter.use((router) => Effect.flatMap(HttpApp, (app) => router.add("*", "/*", app))),
)
// Sightline logs its requests itself, without their queries.
const server = HttpRouter.serve(routes, { disableLogger: true }).pipe(
  Layer.provideMerge(NodeHttpServer.layer(createServer, { port: 0 })),
  Layer.provideMerge(layerHttp({ database: layerPglite(), library: layerLibrary() })),
)

const program = Effect.gen(function* () {
  const { id } = yield* Organizations.use(({ create }) => create({ name: "Acme", plan: "growth" }))
  const { key } = yield* ApiKeys.use(({ create }) => create(id, { name: "effect", role: "owner" }))
  yield* Import.use(({ records }) => records(id, Stream.make({ type: "deal", name: "Orvanta", amount: 40 })))

  const baseUrl = yield* HttpServer.addressFormattedWith(Effect.succeed)
  const layerClient = SightlineClient.layer({ baseUrl, key: Redacted.make(key) })
  const list = SightlineClient.use(({ deals }) => deals.list({ query: { columns: ["name", "amount"] } }))
  console.log(yield* list.pipe(Effect.provide(layerClient), Effect.provide(FetchHttpClient.layer)))
})

await Effect.runPromise(Effect.provide(program, server))
