import { timed } from "../telemetry/family.ts"
import { ingestSeconds } from "../telemetry/metrics.ts"
import { span } from "../telemetry/tracing.ts"
import type * as Effect from "effect/Effect"
import type { Format } from "../ports/document.ts"

/** Measures a stage. `read` cuts a document into chunks as well, while it reads; `recognize` draws the pages as well. */
export const inStage =
  (stage: "fetch" | "read" | "transcribe" | "recognize" | "chunk" | "store", format: Format) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    effect.pipe(
      timed(ingestSeconds({ stage, format })),
      span(`ingest.${stage}`, () => ({ attributes: { format } })),
    )
