import { accessExamples } from "../keys/examples.ts"
import { analysisExamples } from "../analysis/examples.ts"
import { answersExamples } from "../answers/examples.ts"
import type { EndpointName } from "./api.ts"
import { sessionsExamples } from "../sessions/examples.ts"
import { grantsExamples } from "../oauth/examples.ts"
import { membersExamples } from "../members/examples.ts"
import { auditExamples } from "../audit/examples.ts"
import { changesExamples } from "../changes/examples.ts"
import { dealsExamples } from "../deals/examples.ts"
import { exportsExamples } from "../exports/examples.ts"
import { intelligenceExamples } from "../intelligence/examples.ts"
import { libraryExamples } from "../library/examples.ts"
import { reportsExamples } from "../reports/examples.ts"
import { conversationsExamples } from "../answers/conversations/examples.ts"
import { viewsExamples } from "../views/examples.ts"
import { webhooksExamples } from "../webhooks/examples.ts"
import { workspaceExamples } from "../catalogue/examples.ts"
import type { Example } from "../http/api/Example.ts"

const GROUPS = {
  access: accessExamples,
  analysis: analysisExamples,
  answers: answersExamples,
  audit: auditExamples,
  changes: changesExamples,
  deals: dealsExamples,
  exports: exportsExamples,
  grants: grantsExamples,
  members: membersExamples,
  intelligence: intelligenceExamples,
  library: libraryExamples,
  reports: reportsExamples,
  sessions: sessionsExamples,
  views: viewsExamples,
  conversations: conversationsExamples,
  webhooks: webhooksExamples,
  workspace: workspaceExamples,
} as const satisfies { readonly [Group in GroupName]: Readonly<Record<EndpointOf<Group>, Example>> }

type GroupName = EndpointName extends `${infer Group}.${string}` ? Group : never
type EndpointOf<Group extends string> =
  Extract<EndpointName, `${Group}.${string}`> extends `${string}.${infer Name}` ? Name : never

/** The example of an endpoint. A missing one is a compile error. */
export const findExample = (group: string, endpoint: string): Example =>
  (GROUPS as Readonly<Record<string, Readonly<Record<string, Example>>>>)[group]![endpoint]!
