import * as Effect from "effect/Effect"

/** `admit` and `open_link` reply again as the previous release reads them. No statement: a later number makes a start replace functions. */
export default Effect.void
