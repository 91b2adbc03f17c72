import * as Context from "effect/Context"

/** Whether the host configured a library. Without one, uploads and exports are refused at once: no retry would help. */
export const HasLibrary = Context.Reference<boolean>("sightline/ports/HasLibrary", { defaultValue: () => true })

export const NO_LIBRARY =
  "this host stores no documents and exports, and sends no webhooks: the service was opened without a `library`"
