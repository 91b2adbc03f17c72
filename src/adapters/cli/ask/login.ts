import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import { connectWithKey } from "../connection/server.ts"
import { print } from "../terminal/output.ts"

/** Prints a link that opens the console once, signed in with the key. */
export const login = Effect.fnUntraced(function* (input: {
  readonly url: Option.Option<string>
  readonly json: boolean
}) {
  const { call } = yield* connectWithKey(input.url)
  const link = yield* call((client, signal) => client.sessions.createLink(undefined, { signal }))
  yield* print(input.json, link, [link.url, "", "This link opens the console once, within 15 minutes."])
})
