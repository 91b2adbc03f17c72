import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Principal } from "../access/Access.ts"
import { recordReading } from "../audit/recordReading.ts"
import { Database } from "../storage/Database.ts"
import { Api } from "../api.ts"
import { Import } from "../workspace/Import.ts"
import { Intelligence } from "./Intelligence.ts"

export const layerIntelligenceHandlers = HttpApiBuilder.group(
  Api,
  "intelligence",
  Effect.fnUntraced(function* (handlers) {
    const intelligence = yield* Intelligence
    const database = yield* Database
    const imports = yield* Import
    return handlers.handleAll({
      export: Effect.fnUntraced(function* ({ query }) {
        const { organizationId } = yield* Principal
        const body = yield* intelligence.export(organizationId, query)
        yield* recordReading(database, { org: organizationId }, "intelligence.exported", null)
        return HttpServerResponse.stream(Stream.encodeText(body), { contentType: "application/json" })
      }),
      delete: Effect.fnUntraced(function* ({ params }) {
        const { organizationId } = yield* Principal
        yield* imports.remove(organizationId, "association", params.id)
      }),
    })
  }),
)
