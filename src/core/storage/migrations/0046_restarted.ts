import * as Effect from "effect/Effect"

/** The functions that admit requests bound the windows of a clock that was ahead. No statement: their replies keep their columns. */
export default Effect.void
