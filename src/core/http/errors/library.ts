import * as Effect from "effect/Effect"
import { HasLibrary, NO_LIBRARY } from "../../ports/HasLibrary.ts"
import { Forbidden } from "./errors.ts"

/** Makes the check that a service runs before it accepts work that needs a library. */
export const makeLibraryCheck = Effect.map(HasLibrary, (has): Effect.Effect<void, Forbidden> =>
  has ? Effect.void : Effect.fail(new Forbidden({ message: NO_LIBRARY, details: { reason: "no_library" } })),
)
