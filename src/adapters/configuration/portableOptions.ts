import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { LanguageModelChoice, ModelChoice } from "./choices.ts"
import type { Configuration } from "./configuration.ts"
import { openIdProvider } from "../identity/openId.ts"
import type { OtlpProtocol } from "./values.ts"

/** The options that are alike on every host: all but the database, the library and the limits. */
export const portableOptions = ({
  model,
  embedding,
  plans,
  jobsPerOrganization,
  publicUrl,
  basePath,
  docs,
  oauth,
  openId,
  corsOrigins,
  trustedProxies,
  operatorKey,
  signingSecret,
  previousSigningSecret,
  linkDays,
  metricsKey,
  otlp,
}: Configuration) => ({
  answerer: model === undefined ? undefined : layerModel(model),
  analyst: model === undefined ? undefined : layerAnalystModel(model),
  embedder: embedding === undefined ? undefined : layerEmbedder(embedding),
  plans,
  jobsPerOrganization,
  publicUrl,
  basePath,
  docs,
  oauth: oauth === false ? (false as const) : {},
  openId: openId && { ...openId, provider: openIdProvider(openId) },
  corsOrigins,
  trustedProxies,
  operatorKey,
  signingSecret,
  previousSigningSecret,
  linkDays,
  metricsKey,
  telemetry: otlp === undefined ? undefined : layerTelemetry(otlp),
})

const layerTelemetry = (protocol: OtlpProtocol) =>
  Layer.unwrap(
    Effect.promise(async () => {
      const [{ layerOtlp }, { layerProcessMetrics }] = await Promise.all([
        import("../telemetry/otlp.ts"),
        import("../telemetry/process.ts"),
      ])
      return Layer.mergeAll(layerOtlp(protocol), layerProcessMetrics)
    }),
  )

const layerModel = (choice: LanguageModelChoice) =>
  Layer.unwrap(
    Effect.map(
      Effect.promise(() => import("../models/openai.ts")),
      ({ answererOf }) => answererOf(choice),
    ),
  )

const layerAnalystModel = (choice: LanguageModelChoice) =>
  Layer.unwrap(
    Effect.map(
      Effect.promise(() => import("../models/openai.ts")),
      ({ analystOf }) => analystOf(choice),
    ),
  )

const layerEmbedder = (choice: ModelChoice) =>
  Layer.unwrap(
    Effect.map(
      Effect.promise(() => import("../embeddings/openai.ts")),
      ({ embedderOf }) => embedderOf(choice),
    ),
  )
