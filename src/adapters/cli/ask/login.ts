import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { connect, Refused } from "../connection/client.ts"
import { chooseServer } from "../connection/server.ts"
import { print } from "../terminal/output.ts"

/** Prints a link that opens the console once, signed in with the key. */
export const login = Effect.fnUntraced(function* (input: {
  readonly url: Option.Option<string>
  readonly json: boolean
}) {
  const server = yield* chooseServer({ organization: Option.none(), url: input.url })
  if (server.key === undefined) return yield* new Refused({ message: "sign in with the key of a workspace" })
  const link = yield* connect(server).call((client, signal) => client.sessions.createLink(undefined, { signal }))
  yield* print(input.json, link, [link.url, "", "This link opens the console once, within 15 minutes."])
})
