import * as Layer from "effect/Layer"
import { lazily } from "../common/lazily.ts"
import { ApiKeys } from "../keys/ApiKeys.ts"
import { Sessions } from "../sessions/Sessions.ts"
import { Members } from "./Members.ts"
import { type MembershipRules, MembershipRulesOf } from "./rules.ts"

/** Members by the rules of the server. Most processes sign nobody in, so the code loads with the first use. */
export const membersBy = (rules: MembershipRules) =>
  lazily(Members, async () => (await import("./layerMembers.ts")).layerMembers).pipe(
    Layer.provide([ApiKeys.layer, Sessions.layer, Layer.succeed(MembershipRulesOf, rules)]),
  )
