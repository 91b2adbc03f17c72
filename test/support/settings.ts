import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { DEFAULT_LINK_DAYS, Settings } from "../../src/core/http/Settings.ts"

/** The settings of a service that a test builds from layers, without an adapter. */
export const layerSettings = (given: Partial<Settings["Service"]> = {}) =>
  Layer.succeed(Settings, {
    publicUrl: undefined,
    basePath: "",
    signingSecret: Redacted.make("a signing secret for tests, 40 letters."),
    previousSigningSecret: undefined,
    linkDays: DEFAULT_LINK_DAYS,
    docs: true,
    corsOrigins: [],
    trustedProxies: 0,
    compressor: undefined,
    ...given,
  })
