import * as Effect from "effect/Effect"
import { forgetFingerprint } from "../../../core/signing/fingerprint.ts"
import { print } from "../terminal/output.ts"
import { inWorkspace } from "../connection/workspace.ts"

/** Lets the next start accept another signing secret, after the current one is lost. */
export const replaceSigningSecret = (input: { readonly json: boolean }) =>
  Effect.andThen(
    inWorkspace(forgetFingerprint),
    print(input.json, { replaced: true }, [
      "The next start can use a new signing secret. Existing links stop; each webhook waits until its secret is rotated.",
    ]),
  )
