import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Access, Principal } from "../access/Access.ts"
import { Audit } from "../audit/Audit.ts"
import { makeApi } from "../http/api/makeApi.ts"
import { RecordEdits } from "../deals/edits/RecordEdits.ts"
import { Intelligence } from "./Intelligence.ts"
import { IntelligenceGroup } from "./contract.ts"

export const layerIntelligenceHandlers = HttpApiBuilder.group(
  makeApi(IntelligenceGroup.middleware(Access)),
  "intelligence",
  Effect.fnUntraced(function* (handlers) {
    const intelligence = yield* Intelligence
    const audit = yield* Audit
    const edits = yield* RecordEdits
    return handlers.handleAll({
      export: Effect.fnUntraced(function* ({ query }) {
        const { organizationId } = yield* Principal
        const body = yield* intelligence.export(organizationId, query)
        yield* audit.recordReading({ org: organizationId }, "intelligence.exported", null)
        return HttpServerResponse.stream(Stream.encodeText(body), { contentType: "application/json" })
      }),
      delete: Effect.fnUntraced(function* ({ params }) {
        const { organizationId } = yield* Principal
        yield* edits.remove(organizationId, "association", params.id)
      }),
    })
  }),
)
