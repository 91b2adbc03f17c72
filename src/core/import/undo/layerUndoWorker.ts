import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { JobQueue, UNDO_JOB } from "../../jobs/JobQueue.ts"

/** Undoes imports. If a process dies, another continues after the last batch. */
export const layerUndoWorker = Layer.effectDiscard(
  Effect.flatMap(JobQueue, ({ work }) =>
    work(
      UNDO_JOB,
      (job) =>
        Effect.flatMap(
          Effect.promise(() => import("./undoImport.ts")),
          ({ undoImport }) => undoImport(job),
        ),
      () => Effect.void,
    ),
  ),
)
