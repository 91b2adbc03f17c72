import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { Configuration } from "../../configuration/configuration.ts"
import { holderOf } from "../../directory/directoryLock.ts"
import { readOperatorKey } from "../../directory/dataDirectory.ts"

/** A server runs on the data directory, and its operator key is not at hand. */
export class NoOperatorKey extends Schema.TaggedError<NoOperatorKey>()("NoOperatorKey", { message: Schema.String }) {}

/** How often a holder that does not listen yet is looked at, and for how long: a server may be starting. */
const LOOK = "200 millis"
const LOOKS = 25

/** The address of the server that holds the data directory, if one does. Of no other server is anything assumed. */
export const addressOfHolder = Effect.fnUntraced(function* ({ database }: Configuration) {
  if (database.kind !== "directory") return undefined
  for (let looks = 0; looks < LOOKS; looks++) {
    const holder = yield* holderOf(database.directory)
    if (holder === undefined) return undefined
    if (holder.url !== undefined) return holder.url
    yield* Effect.sleep(LOOK)
  }
  // Another command holds it: opening the database tells so.
  return undefined
})

/** The server that holds the data directory, with the key that opens its `/operator`. */
export const runningServer = Effect.fnUntraced(function* (settings: Configuration) {
  const url = yield* addressOfHolder(settings)
  if (url === undefined) return undefined
  const key = settings.operatorKey ?? (yield* readOperatorKey(settings.dataDirectory))
  if (key === undefined) {
    return yield* new NoOperatorKey({
      message: `a server at ${url} uses the data directory: set SIGHTLINE_OPERATOR_KEY to its operator key`,
    })
  }
  return { url, key: Redacted.value(key) }
})
