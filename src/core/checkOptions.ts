import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { InvalidOptions } from "./common/InvalidOptions.ts"
import { layerOf } from "./common/layerOf.ts"
import { callable, type Check, check, type Checks, flag, integer, problemsOfOptions, shown } from "./common/options.ts"
import { reveal, type Secret } from "./common/secret.ts"
import { BASE_PATH_MISSING, BASE_PATH_RULE, endsWithBasePath, isBasePath } from "./http/addresses/basePath.ts"
import { isOrigin, parseHttpUrl } from "./http/addresses/origin.ts"
import { isRecord } from "./common/isRecord.ts"
import { isLimit, LIMIT_RULE, problemsOfPlans } from "./access/plans.ts"
import { problemsOfBackground } from "./jobs/kinds.ts"
import type { Options } from "./layers.ts"

const MIN_SECRET_LENGTH = 32

const textOf = (value: unknown) => (Redacted.isRedacted(value) ? reveal(value as Secret) : value)

const secret = (value: unknown) => {
  const text = textOf(value)
  if (typeof text !== "string") return "must be a text"
  // The message does not repeat the secret.
  return text.length < MIN_SECRET_LENGTH
    ? `must be ${MIN_SECRET_LENGTH} characters or more, but has ${text.length}`
    : undefined
}

/** A secret that callers send as a bearer token, which ends at white space. */
const bearer: Check = (value) =>
  secret(value) ??
  (/\s/.test(String(textOf(value))) ? "must have no white space, because a bearer token cannot have it" : undefined)

const publicUrl: Check = (value) => {
  const url = parseHttpUrl(value)
  if (url !== undefined && url.username !== "") return "must have no user and password"
  if (url === undefined || url.search !== "" || url.hash !== "")
    return `must be the address that callers use, such as https://api.example.com, not ${shown(value)}`
  return /\/api\/v1\/*$/.test(url.pathname)
    ? `must be the part of the address before /api/v1, not ${shown(value)}`
    : undefined
}

const corsOrigins: Check = (value) => {
  const rule = 'must be a list of origins, such as ["https://app.example.com"], or ["*"] alone'
  if (!Array.isArray(value)) return `${rule}, not ${shown(value)}`
  if (value.length === 1 && value[0] === "*") return undefined
  return value
    .filter((origin) => !isOrigin(origin))
    .map((origin) => {
      const meant = parseHttpUrl(origin)?.origin
      return `${rule}, but has ${shown(origin)}${meant === undefined ? "" : `; write ${shown(meant)}`}`
    })
}

const problemsOfSigningIn: Check = (value) => {
  if (value === false) return undefined
  if (!isRecord(value))
    return `must be false, or an object such as { loginUrl: (returnTo) => url }, not ${shown(value)}`
  return problemsOfOptions(SIGNING_IN, value).map(({ option, reason }) => `has '${option}', which ${reason}`)
}

const SIGNING_IN = {
  loginUrl: callable("a function from the address to return to, to the address of the login"),
  keySignIn: flag,
}

const CHECKS: Checks<Options<never>> = {
  database: layerOf("a database", "layerPglite() of sightline/pglite or layerPostgres({ url }) of sightline/postgres"),
  plans: problemsOfPlans,
  identityRequestsPerMinute: check(isLimit, `must be ${LIMIT_RULE}`),
  limits: layerOf("a store of limits", "layerRedis({ url }) of sightline/redis"),
  library: layerOf("stores and readers", "layerLibrary() of sightline/library"),
  answerer: layerOf("an answerer", "answererOf(model) of sightline/ai-sdk"),
  analyst: layerOf("an analyst", "analystOf(model) of sightline/ai-sdk"),
  embedder: layerOf("an embedder", "embedderOf({ url, model, key }) of sightline/embeddings"),
  publicUrl,
  basePath: check(isBasePath, BASE_PATH_RULE),
  principal: callable("a function from a request to a principal"),
  console: callable("a function that loads the console's files"),
  oauth: problemsOfSigningIn,
  openId: check(isRecord, "must be an object with a provider"),
  signingSecret: secret,
  previousSigningSecret: secret,
  operatorKey: bearer,
  metricsKey: bearer,
  telemetry: layerOf("a tracer or exporters", "Otlp.layer({ baseUrl }) of effect/observability"),
  parent: callable("a function from a request to the context of a span"),
  linkDays: integer(1, 366),
  docs: flag,
  corsOrigins,
  trustedProxies: integer(0, 100),
  background: problemsOfBackground,
  jobsPerOrganization: integer(1, 9999),
  compressor: check(
    (value) => isRecord(value) && typeof value["brotli"] === "function" && typeof value["whole"] === "function",
    "must be an object of two functions: brotli(), which makes a transform stream, and whole(body, algorithm)",
  ),
}

/** Fails with every problem of a host's options: types do not hold for a host in JavaScript. */
export const checkOptions = (options: unknown): Effect.Effect<void, InvalidOptions> => {
  const problems = [...problemsOfOptions(CHECKS, options, ["database"])]
  const { publicUrl, basePath } = isRecord(options) ? options : {}
  if (isBasePath(basePath) && typeof publicUrl === "string" && !endsWithBasePath(publicUrl, basePath))
    problems.push({ option: "publicUrl", reason: BASE_PATH_MISSING(basePath) })
  return problems.length === 0 ? Effect.void : Effect.fail(InvalidOptions.of(problems))
}
