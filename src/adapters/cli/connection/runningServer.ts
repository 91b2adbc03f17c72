import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { Configuration } from "../../configuration/configuration.ts"
import { findHolder } from "../../directory/directoryLock.ts"
import { readOperatorKey } from "../../directory/dataDirectory.ts"

/** A server holds the data directory, but its operator key is missing. */
export class NoOperatorKey extends Schema.TaggedError<NoOperatorKey>()("NoOperatorKey", { message: Schema.String }) {}

/** How often to poll a holder that does not listen yet: it may be starting. */
const POLL_INTERVAL = "200 millis"
const MAX_POLLS = 25

/** The address of the server that holds the data directory, if any. */
export const addressOfHolder = Effect.fnUntraced(function* ({ database }: Configuration) {
  if (database.kind !== "directory") return undefined
  for (let polls = 0; polls < MAX_POLLS; polls++) {
    const holder = yield* findHolder(database.directory)
    if (holder === undefined) return undefined
    if (holder.url !== undefined) return holder.url
    yield* Effect.sleep(POLL_INTERVAL)
  }
  // Another command holds it: opening the database reports that.
  return undefined
})

/** The address of the server that holds the data directory, and its operator key. */
export const runningServer = Effect.fnUntraced(function* (settings: Configuration) {
  const baseUrl = yield* addressOfHolder(settings)
  if (baseUrl === undefined) return undefined
  const key = settings.operatorKey ?? (yield* readOperatorKey(settings.dataDirectory))
  if (key === undefined) {
    return yield* new NoOperatorKey({
      message: `a server at ${baseUrl} uses the data directory: set SIGHTLINE_OPERATOR_KEY to its operator key`,
    })
  }
  return { baseUrl, key: Redacted.value(key) }
})
