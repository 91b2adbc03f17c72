import * as Effect from "effect/Effect"
import { startServer } from "../support/postgres.ts"

/** A PostgreSQL for one test, which keeps its data while it is stopped. */
export const restartable = (directory: string) =>
  Effect.acquireRelease(
    Effect.promise(() => startServer(directory, true)),
    ({ close }) => Effect.promise(close),
  )
