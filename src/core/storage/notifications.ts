import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"

/** How processes on one database tell each other that work is due. The adapter that opens the database sets it. */
export interface Notifications {
  /** The channel of this installation: several can share a database. */
  readonly channel: string
  /** Names this process. It ignores its own notifications, because it wakes its workers without them. */
  readonly sender: string
  /** Listens on a connection of its own until that ends, and then fails. Undefined behind a pooler, which lends sessions to transactions. */
  readonly listen: ((listener: Listener) => Effect.Effect<never, SqlError>) | undefined
}

export interface Listener {
  /** Runs once the server listens. Notifications from before are lost. */
  readonly onListening: Effect.Effect<void>
  readonly onNotice: (payload: string) => void
}

/** Undefined where no other process works on the database (PGlite), or all processes poll (Citus). */
export const Notifications = Context.Reference<Notifications | undefined>("sightline/storage/Notifications", {
  defaultValue: () => undefined,
})

/** The content of a notification: work of these kinds is due in an organization. */
export interface Notice {
  readonly sender: string
  readonly org: string
  readonly kinds: ReadonlyArray<string>
}

/** The payload is `sender org kind kind …`. A host's own ids may have spaces, so the organization's is encoded. */
export const writeNotice = ({ sender, org, kinds }: Notice): string =>
  [sender, encodeURIComponent(org), ...kinds].join(" ")

/**
 * Reads the notice of another process. Undefined for one of this process, `own`, which has woken its work itself, and for any other
 * payload: every session of the database may send one.
 */
export const readNotice = (payload: string, own: string | undefined): Notice | undefined => {
  const [sender = "", encoded = "", ...kinds] = payload.split(" ")
  const org = decode(encoded)
  return sender === "" || sender === own || org === undefined || kinds.length === 0 ? undefined : { sender, org, kinds }
}

const decode = (encoded: string) => {
  try {
    return encoded === "" ? undefined : decodeURIComponent(encoded)
  } catch {
    return undefined
  }
}
