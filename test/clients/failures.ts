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

/** The code of the error of a call, or "no error". */
export const codeOf = async (call: Promise<unknown>): Promise<string> => {
  const error = await call.then(
    () => "no error",
    (error: unknown) => error,
  )
  return error instanceof SightlineError ? error.code : String(error)
}
