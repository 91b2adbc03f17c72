import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { InvalidOptions } from "./common/InvalidOptions.ts"
import { reveal, type Secret } from "./common/secret.ts"
import { BASE_PATH_MISSING, BASE_PATH_RULE, endsWithBasePath, isBasePath } from "./http/basePath.ts"
import { isOrigin, parseHttpUrl } from "./http/origin.ts"
import { isRecord } from "./common/isRecord.ts"
import { isLimit, LIMIT_RULE, problemOfPlans } from "./access/plans.ts"
import { nearest } from "./common/nearest.ts"
import { problemOfBackground } from "./jobs/kinds.ts"
import type { Options } from "./layers.ts"

/** Says what an option must be, or nothing if it is good. */
type Check = (value: unknown) => string | undefined

const check =
  (isGood: (value: unknown) => boolean, reason: string): Check =>
  (value) =>
    isGood(value) ? undefined : reason

const layerOf = (what: string, example: string) =>
  check(Layer.isLayer, `must be a layer of ${what}, such as ${example}`)

const integer = (min: number, max: number) =>
  check(
    (value) => Number.isInteger(value) && Number(value) >= min && Number(value) <= max,
    `must be a whole number from ${min} to ${max}`,
  )

const MIN_SECRET_LENGTH = 32

const textOf = (value: unknown) => (Redacted.isRedacted(value) ? reveal(value as Secret) : value)

const secret: Check = (value) => {
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
  if (url === undefined || url.search !== "" || url.hash !== "" || url.username !== "")
    return "must be the address that callers use, such as https://api.example.com"
  return /\/api\/v1\/*$/.test(url.pathname) ? "must be the part of the address before /api/v1" : undefined
}

const corsOrigins = check(
  (value) => Array.isArray(value) && (value.every(isOrigin) || (value.length === 1 && value[0] === "*")),
  'must be a list of origins, such as ["https://app.example.com"], or ["*"] alone',
)

const problemOfSigningIn: Check = (value) => {
  if (value === false) return undefined
  if (!isRecord(value)) return "must be false, or an object such as { loginUrl: (returnTo) => url }"
  const { loginUrl, keySignIn, ...others } = value
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) return `has '${unknown}', which is no option of it: it has loginUrl and keySignIn`
  if (loginUrl !== undefined && typeof loginUrl !== "function")
    return "must have a function as loginUrl: from the address to return to, to the address of the login"
  return keySignIn === undefined || typeof keySignIn === "boolean" ? undefined : "must have true or false as keySignIn"
}

const DATABASE = layerOf(
  "a database",
  "layerPglite() of sightline/pglite or layerPostgres({ url }) of sightline/postgres",
)

const CHECKS: Record<keyof Options<never>, Check> = {
  database: DATABASE,
  plans: problemOfPlans,
  identityRequestsPerMinute: check(isLimit, `must be ${LIMIT_RULE}`),
  limits: layerOf("a store of limits", "layerRedis({ url }) of sightline/redis"),
  library: layerOf("stores and readers", "layerLibrary() of sightline/library"),
  answerer: layerOf("an answerer", "answererOf(model) of sightline/ai-sdk"),
  analyst: layerOf("an analyst", "analystOf(model) of sightline/ai-sdk"),
  embedder: layerOf("an embedder", "embedderOf({ url, model, key }) of sightline/embeddings"),
  publicUrl,
  basePath: check(isBasePath, BASE_PATH_RULE),
  principal: check((value) => typeof value === "function", "must be a function from a request to a principal"),
  console: check((value) => typeof value === "function", "must be a function that loads the console's files"),
  oauth: problemOfSigningIn,
  openId: check(isRecord, "must be an object with a provider"),
  signingSecret: secret,
  previousSigningSecret: secret,
  operatorKey: bearer,
  metricsKey: bearer,
  telemetry: layerOf("a tracer or exporters", "Otlp.layer({ baseUrl }) of effect/observability"),
  parent: check((value) => typeof value === "function", "must be a function from a request to the context of a span"),
  linkDays: integer(1, 366),
  docs: check((value) => typeof value === "boolean", "must be true or false"),
  corsOrigins,
  trustedProxies: integer(0, 100),
  background: problemOfBackground,
  jobsPerOrganization: integer(1, 9999),
  compressor: check((value) => typeof value === "object" && value !== null, "must be a compressor"),
}

const NAMES = Object.keys(CHECKS)

const isKnown = (name: string): name is keyof typeof CHECKS => Object.hasOwn(CHECKS, name)

/** Fails with every problem of a host's options: types do not hold for a host in JavaScript. */
export const checkOptions = (options: unknown): Effect.Effect<void, InvalidOptions> => {
  const given = typeof options === "object" && options !== null ? Object.entries(options) : []
  const problems = given
    .filter(([, value]) => value !== undefined)
    .map(([option, value]) => ({ option, reason: isKnown(option) ? CHECKS[option](value) : explainUnknown(option) }))
  const { publicUrl, basePath } = Object.fromEntries(given)
  if (isBasePath(basePath) && typeof publicUrl === "string" && !endsWithBasePath(publicUrl, basePath))
    problems.push({ option: "publicUrl", reason: BASE_PATH_MISSING(basePath) })
  if (!given.some(([name, value]) => name === "database" && value !== undefined))
    problems.push({ option: "database", reason: DATABASE(undefined) })
  const found = problems.flatMap(({ option, reason }) => (reason === undefined ? [] : [{ option, reason }]))
  if (found.length === 0) return Effect.void
  return Effect.fail(InvalidOptions.of(found))
}

const explainUnknown = (option: string) => {
  const [best] = nearest(option, NAMES)
  return best === undefined
    ? `is no option; the options are ${NAMES.join(", ")}`
    : `is no option. Did you mean \`${best}\`?`
}
