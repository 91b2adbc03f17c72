import * as Context from "effect/Context"

/** The built files of the console by name; `index.html` is its page. */
export type ConsoleFiles = Readonly<Record<string, string>>

/** Loads the console's files on their first use; undefined if they are not built. By default, a service has no console. */
export const LoadConsole = Context.Reference<() => Promise<ConsoleFiles | undefined>>("sightline/ports/LoadConsole", {
  defaultValue: () => async () => undefined,
})
