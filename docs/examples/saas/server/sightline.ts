import { parse } from "hono/utils/cookie"
import { openOnce } from "sightline"
import { common } from "./options.ts"
import { type User, userOf } from "./sessions.ts"

/** A user of this product, as Sightline knows her. */
export const callerOf = ({ id, email, team }: User) =>
  ({ organization: team, role: "member", identity: { id, name: email } }) as const

/** `vite dev` evaluates this module again after an edit: the instance stays, with its new options. */
export const sightline = await openOnce("saas", {
  ...common,
  // Where server/app.ts mounts it: the API, and the pages that links in answers open.
  basePath: "/intel",
  background: false,
  principal: async (request) => {
    const user = await userOf(parse(request.headers.get("cookie") ?? "")["session"] ?? "")
    return user && callerOf(user)
  },
})
