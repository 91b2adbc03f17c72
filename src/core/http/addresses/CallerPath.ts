import * as Context from "effect/Context"

/** The path below which the caller of the current request reaches the API: that of an organization, for the operator. */
export const CallerPath = Context.Reference<string>("sightline/http/CallerPath", { defaultValue: () => "" })
