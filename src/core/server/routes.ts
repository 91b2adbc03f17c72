import * as Layer from "effect/Layer"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { layerAccessHandlers } from "../keys/handlers.ts"
import { layerIdempotency } from "../replies/layerIdempotency.ts"
import { layerIntelligenceHandlers } from "../intelligence/handlers.ts"
import { layerAnalysisHandlers } from "../analysis/handlers.ts"
import { layerAuditHandlers } from "../audit/handlers.ts"
import { layerSessionsHandlers } from "../sessions/handlers.ts"
import { layerGrantsHandlers } from "../oauth/handlers.ts"
import { layerMembersHandlers } from "../members/handlers.ts"
import { oauth } from "../oauth/routes.ts"
import { Authentication } from "../access/Authentication.ts"
import { layerAccess } from "../access/layerAccess.ts"
import { figures } from "../answers/figures/routes.ts"
import { layerAnswersHandlers } from "../answers/handlers.ts"
import { Api, ENDPOINT_PERMISSIONS } from "./api.ts"
import { layerChangesHandlers } from "../changes/handlers.ts"
import { layerDealsHandlers } from "../deals/handlers.ts"
import { console_ } from "../console/routes.ts"
import { downloads } from "../exports/downloads.ts"
import { layerExportsHandlers } from "../exports/handlers.ts"
import { layerReportsHandlers } from "../reports/handlers.ts"
import { layerConversationsHandlers } from "../answers/conversations/handlers.ts"
import { layerViewsHandlers } from "../views/handlers.ts"
import { layerWebhooksHandlers } from "../webhooks/handlers.ts"
import { layerWorkspaceHandlers } from "../catalogue/handlers.ts"
import { Brackets } from "../http/query/Brackets.ts"
import { documentation } from "./documentation.ts"
import { layerLibraryHandlers } from "../library/handlers.ts"
import { viewer } from "../library/viewer/routes.ts"
import { refuseFirst } from "./refuseFirst.ts"
import { mcp } from "../mcp/routes.ts"
import { health } from "./health.ts"

const handlers = Layer.mergeAll(
  layerDealsHandlers,
  layerExportsHandlers,
  layerIntelligenceHandlers,
  layerReportsHandlers,
  layerAccessHandlers,
  layerAnswersHandlers,
  layerLibraryHandlers,
  layerWorkspaceHandlers,
  layerChangesHandlers,
  layerWebhooksHandlers,
  layerAuditHandlers,
  layerAnalysisHandlers,
  layerSessionsHandlers,
  layerGrantsHandlers,
  layerMembersHandlers,
  layerViewsHandlers,
  layerConversationsHandlers,
).pipe(Layer.provide([layerAccess(ENDPOINT_PERMISSIONS), layerIdempotency, Brackets.layer]))

/** The routes of every capability. */
export const layerRoutes = Layer.mergeAll(
  HttpApiBuilder.layer(Api).pipe(Layer.provide([handlers, refuseFirst])),
  documentation,
  health,
  downloads,
  viewer,
  figures,
  mcp,
  oauth,
  console_,
).pipe(Layer.provide(Authentication.layer))
