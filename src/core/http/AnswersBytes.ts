import * as Context from "effect/Context"

/** On an endpoint: it answers bytes of their own type rather than JSON, whatever the caller accepts. */
export const AnswersBytes = Context.Reference<boolean>("sightline/http/AnswersBytes", { defaultValue: () => false })
