import { UnreadableError } from "../../../src/ingest/UnreadableError.ts"

/** Returns the typed error of a read. Anything else fails the test. */
export const codeOf = async (reading: PromiseLike<unknown> | (() => unknown)): Promise<UnreadableError> => {
  try {
    await (typeof reading === "function" ? reading() : reading)
  } catch (cause) {
    if (cause instanceof UnreadableError) return cause
    throw cause
  }
  throw new Error("it was read")
}
