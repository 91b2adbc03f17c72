import * as Effect from "effect/Effect"
import { forgetFingerprint } from "../../core/signing/fingerprint.ts"
import { Database } from "../../core/storage/Database.ts"
import { print } from "./output.ts"
import { inWorkspace } from "./workspace.ts"

/** Lets the next start use another signing secret, when the one used until now is lost. */
export const replace = (input: { readonly json: boolean }) =>
  Effect.andThen(
    inWorkspace(Effect.flatMap(Database, forgetFingerprint)),
    print(input.json, { replaced: true }, [
      "The next start takes its own signing secret. Links made until now stop; each webhook waits until its secret is rotated.",
    ]),
  )
