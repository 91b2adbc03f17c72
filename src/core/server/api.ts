import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { Access } from "../access/Access.ts"
import { AccessGroup } from "../keys/contract.ts"
import type { Permission } from "../access/permissions.ts"
import { AnalysisGroup } from "../analysis/contract.ts"
import { SessionsGroup } from "../sessions/contract.ts"
import { GrantsGroup } from "../oauth/contract.ts"
import { MembersGroup } from "../members/contract.ts"
import { AuditGroup } from "../audit/contract.ts"
import { AnswersGroup } from "../answers/contract.ts"
import { ChangesGroup } from "../changes/contract.ts"
import { DealsGroup } from "../deals/contract.ts"
import { ExportsGroup } from "../exports/contract.ts"
import { LibraryGroup } from "../library/contract.ts"
import { type ApiOf, makeApi } from "../http/api/makeApi.ts"
import { IntelligenceGroup } from "../intelligence/contract.ts"
import { ReportsGroup } from "../reports/contract.ts"
import { ConversationsGroup } from "../answers/conversations/contract.ts"
import { ViewsGroup } from "../views/contract.ts"
import { WebhooksGroup } from "../webhooks/contract.ts"
import { WorkspaceGroup } from "../catalogue/contract.ts"

interface Contract extends ApiOf<
  HttpApiGroup.AddMiddleware<
    | typeof DealsGroup
    | typeof ExportsGroup
    | typeof IntelligenceGroup
    | typeof ReportsGroup
    | typeof AnswersGroup
    | typeof LibraryGroup
    | typeof AccessGroup
    | typeof WorkspaceGroup
    | typeof ChangesGroup
    | typeof WebhooksGroup
    | typeof AuditGroup
    | typeof AnalysisGroup
    | typeof SessionsGroup
    | typeof GrantsGroup
    | typeof MembersGroup
    | typeof ViewsGroup
    | typeof ConversationsGroup,
    Access
  >
> {}

const contract: Contract = makeApi(
  DealsGroup.middleware(Access),
  ExportsGroup.middleware(Access),
  IntelligenceGroup.middleware(Access),
  ReportsGroup.middleware(Access),
  AnswersGroup.middleware(Access),
  LibraryGroup.middleware(Access),
  AccessGroup.middleware(Access),
  WorkspaceGroup.middleware(Access),
  ChangesGroup.middleware(Access),
  WebhooksGroup.middleware(Access),
  AuditGroup.middleware(Access),
  AnalysisGroup.middleware(Access),
  SessionsGroup.middleware(Access),
  GrantsGroup.middleware(Access),
  MembersGroup.middleware(Access),
  ViewsGroup.middleware(Access),
  ConversationsGroup.middleware(Access),
)

/** The whole contract. It has only schemas, so a client can be derived from it. */
export class Api extends contract {}

type Groups = (typeof Api)["groups"]
/** Every endpoint as `group.endpoint`. */
export type EndpointName = {
  [G in keyof Groups]: `${G & string}.${HttpApiGroup.Endpoints<Groups[G]>["identifier"]}`
}[keyof Groups]

/** The permission that each endpoint needs: any one of a list; for an empty list, any valid key. A missing one is a compile error. */
export const ENDPOINT_PERMISSIONS = {
  "deals.list": "deals.read",
  "deals.get": "deals.read",
  "deals.update": "import.write",
  "deals.delete": "import.write",
  "deals.stages": "deals.read",
  "exports.create": "deals.export",
  "exports.get": "deals.export",
  "exports.delete": "deals.export",
  "intelligence.export": "intelligence.read",
  "intelligence.delete": "import.write",
  "reports.deals": "deals.read",
  "reports.associations": "intelligence.read",
  "answers.create": "answers.create",
  "library.uploadToLibrary": "library.write",
  "library.uploadToDeal": "deals.documents.write",
  "library.list": "documents.read",
  "library.get": "documents.read",
  "library.original": "documents.read",
  "library.delete": "library.write",
  "library.reprocess": "library.write",
  "library.run": "documents.read",
  "access.usage": "usage.read",
  "access.listKeys": "keys.manage",
  "access.createKey": "keys.manage",
  "access.rotateKey": "keys.manage",
  "access.revokeKey": "keys.manage",
  "workspace.import": "import.write",
  "workspace.getImport": "import.write",
  "workspace.undoImport": "import.write",
  "workspace.get": [],
  "workspace.update": "workspace.manage",
  "workspace.list": [],
  "workspace.put": "workspace.manage",
  "workspace.delete": "workspace.manage",
  "webhooks.list": "webhooks.manage",
  "webhooks.create": "webhooks.manage",
  "webhooks.get": "webhooks.manage",
  "webhooks.update": "webhooks.manage",
  "webhooks.delete": "webhooks.manage",
  "webhooks.rotate": "webhooks.manage",
  "webhooks.deliveries": "webhooks.manage",
  "webhooks.replay": "webhooks.manage",
  "webhooks.test": "webhooks.manage",
  "analysis.run": "analysis.run",
  "analysis.runMany": "analysis.run",
  "analysis.get": "deals.read",
  "analysis.judge": "analysis.run",
  "analysis.verify": "analysis.verify",
  "analysis.queue": "deals.read",
  "analysis.estimate": "analysis.run",
  "analysis.progress": "deals.read",
  "analysis.spending": "deals.read",
  "analysis.quality": "deals.read",
  "analysis.labels": "deals.read",
  "audit.list": "audit.read",
  "sessions.list": [],
  "sessions.createLink": [],
  "sessions.end": [],
  "members.list": [],
  "members.put": "keys.manage",
  "members.remove": "keys.manage",
  "grants.list": [],
  "grants.end": [],
  "conversations.list": "answers.create",
  "conversations.get": "answers.create",
  "conversations.delete": "answers.create",
  "conversations.deleteAll": "answers.create",
  "views.list": "deals.read",
  "views.create": "deals.read",
  "views.update": "deals.read",
  "views.delete": "deals.read",
  "views.listBoards": "deals.read",
  "views.createBoard": "deals.read",
  "views.deleteBoard": "deals.read",
  "changes.list": ["deals.read", "documents.read", "intelligence.read", "deals.export"],
} as const satisfies Record<EndpointName, Permission | ReadonlyArray<Permission>>
