import * as Context from "effect/Context"

/** Annotates an endpoint that replies with bytes of their own type rather than JSON, so that `Accept` does not apply. */
export const AnswersBytes = Context.Reference<boolean>("sightline/http/AnswersBytes", { defaultValue: () => false })
