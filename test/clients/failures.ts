import { assert } from "vitest"
import { SightlineError } from "../../src/adapters/client/client.ts"

/** The error of a call that must fail. */
export const failureOf = async (call: Promise<unknown>): Promise<SightlineError> => {
  const error = await call.then(
    () => undefined,
    (error: unknown) => error,
  )
  assert.instanceOf(error, SightlineError)
  return error as SightlineError
}
