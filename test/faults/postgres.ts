import * as Effect from "effect/Effect"
import { startServer } from "../support/postgres.ts"

/** A PostgreSQL of the test's own, that keeps its data while it is stopped. */
export const restartable = (directory: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const { url, server } = await startServer(directory, true)
      return { url, stop: () => server.stop(), start: () => server.start() }
    }),
    ({ stop }) => Effect.promise(() => stop().catch(() => {})),
  )
