import { readFileSync } from "node:fs"
import * as Redacted from "effect/Redacted"
import { problemsOfPlans } from "../../core/access/plans.ts"
import { hideUserInfo } from "../../core/common/secret.ts"
import { BASE_PATH_RULE, isBasePath } from "../../core/http/addresses/basePath.ts"
import type { Prices } from "../../core/ports/Analyst.ts"
import type { Plans } from "../../core/storage/plans.ts"
import { IDENTIFIER, IDENTIFIER_RULE } from "../../core/storage/session.ts"
import { isHostPort, type S3Options } from "../libraryOptions.ts"
import type { BlobsChoice, DatabaseChoice } from "./choices.ts"

/** An invalid setting; `reason` says what is accepted. */
export class Invalid {
  readonly reason: string
  constructor(reason: string) {
    this.reason = hideUserInfo(reason)
  }
}

/** The value that Kubernetes gives `SIGHTLINE_PORT` beside a Service named "sightline". */
export const SERVICE_LINK = /^(tcp|udp|sctp):\/\//

export const host = (text: string) =>
  /^[A-Za-z0-9.:-]+$/.test(text)
    ? text
    : new Invalid(`must be an address to listen on, such as 127.0.0.1 or 0.0.0.0, but is '${text}'`)

export const port = (text: string) =>
  /^\d{1,5}$/.test(text) && Number(text) <= 65_535
    ? Number(text)
    : new Invalid(`must be a port from 0 to 65535 (0 uses a free one), but is '${text}'`)

export const database = (text: string): DatabaseChoice | Invalid => {
  if (text === "memory:") return { kind: "memory" }
  const url = postgresUrl(text)
  return url instanceof Invalid
    ? new Invalid("must be postgres://user:password@host:5432/database or memory:, or be unset")
    : { kind: "postgres", url }
}

// The text may contain a password, so no message repeats it.
export const postgresUrl = (text: string): Redacted.Redacted | Invalid => {
  const url = parseUrl(text)
  return url !== undefined && ["postgres:", "postgresql:"].includes(url.protocol) && url.hostname !== ""
    ? Redacted.make(text)
    : new Invalid("must be postgres://user:password@host:5432/database, or be unset")
}

export const flag = (text: string) =>
  ["true", "false"].includes(text) ? text === "true" : new Invalid(`must be true or false, but is '${text}'`)

/** US dollars for a million input and a million output tokens. */
export const prices = (text: string): Prices | Invalid => {
  const [, input, output] = /^\s*(\d+(?:\.\d+)?)\s*,\s*(\d+(?:\.\d+)?)\s*$/.exec(text) ?? []
  return input === undefined || output === undefined
    ? new Invalid(
        `must be the prices of a million input and output tokens in US dollars, such as 0.25,2.00, but is '${text}'`,
      )
    : { input: Number(input), output: Number(output) }
}

/** The plans in a JSON file. */
export const plans = (path: string): Plans | Invalid => {
  try {
    const found = JSON.parse(readFileSync(path, "utf8")) as Plans
    const problems = problemsOfPlans(found)
    return problems.length === 0 ? found : new Invalid(`names the file ${path}, which ${problems.join(", and ")}`)
  } catch (cause) {
    return new Invalid(
      `must name a JSON file of plans, but ${path}: ${cause instanceof Error ? cause.message : String(cause)}`,
    )
  }
}

/** A schema or role. */
export const identifier = (text: string) => (IDENTIFIER.test(text) ? text : new Invalid(IDENTIFIER_RULE))

/** The store of files; for a bucket, without its credentials. */
export type BlobsPlace =
  | Exclude<BlobsChoice, { kind: "s3" }>
  | ({ readonly kind: "s3" } & Omit<S3Options, keyof Credentials>)
type Credentials = Pick<S3Options, "accessKeyId" | "secretAccessKey" | "sessionToken">

export const blobs = (text: string): BlobsPlace | Invalid => {
  if (text === "database:") return { kind: "database" }
  if (text.startsWith("s3:")) return bucket(text)
  const directory = /^file:(?:\/\/(?=\/))?(.+)$/.exec(text)?.[1]
  return directory === undefined || directory.includes("\0")
    ? new Invalid(`must be file:DIRECTORY, s3://bucket/prefix or database:, or be unset, but is '${text}'`)
    : { kind: "files", directory }
}

/** `s3://bucket/prefix?endpoint=http://…&region=…` */
const bucket = (text: string): BlobsPlace | Invalid => {
  const url = parseUrl(text)
  const endpoint = url?.searchParams.get("endpoint") ?? undefined
  const known = [...(url?.searchParams.keys() ?? [])].every((name) => name === "endpoint" || name === "region")
  const prefix = url?.pathname.replaceAll(/^\/+|\/+$/g, "") ?? ""
  const isGood =
    url !== undefined &&
    known &&
    /^[a-z0-9][a-z0-9.-]{1,62}$/.test(url.hostname) &&
    /^[A-Za-z0-9_/.-]{0,200}$/.test(prefix) &&
    url.username === "" &&
    (endpoint === undefined || (URL.canParse(endpoint) && isHttp(new URL(endpoint))))
  return isGood
    ? { kind: "s3", bucket: url.hostname, prefix, endpoint, region: url.searchParams.get("region") ?? "us-east-1" }
    : new Invalid("must be s3://bucket/prefix?endpoint=https://…&region=…; both parameters are optional")
}

export const positive = (text: string) =>
  /^[1-9]\d{0,3}$/.test(text) ? Number(text) : new Invalid(`must be a number from 1 to 9999, but is '${text}'`)

export const days = (text: string) =>
  /^[1-9]\d{0,2}$/.test(text) && Number(text) <= 366
    ? Number(text)
    : new Invalid(`must be a number of days from 1 to 366, but is '${text}'`)

export const hostPorts = (text: string): ReadonlyArray<string> | Invalid => {
  const pairs = text
    .split(",")
    .map((pair) => pair.trim().toLowerCase())
    .filter((pair) => pair !== "")
  const wrong = pairs.find((pair) => !isHostPort(pair))
  return wrong === undefined
    ? pairs
    : new Invalid(`must be host:port pairs separated by commas, such as localhost:9290, but has '${wrong}'`)
}

export const endpoint = (text: string) =>
  text === "off"
    ? text
    : (address(text) ??
      new Invalid("must be an address such as https://api.openai.com/v1, or off, or be unset for the local engine"))

/** `eng+deu`, as tesseract names them. */
export const languages = (text: string) =>
  /^[A-Za-z_]{3,20}(?:\+[A-Za-z_]{3,20}){0,9}$/.test(text)
    ? text.split("+")
    : new Invalid(`must be tesseract's names of languages, such as eng+deu, but is '${text}'`)

export const modelUrl = (text: string) =>
  address(text) ?? new Invalid("must be an address such as https://api.openai.com/v1, or be unset")

/** An endpoint's URL without a trailing slash. Messages do not repeat it: it may contain a password. */
const address = (text: string) => {
  const url = parseUrl(text)
  return url !== undefined && isHttp(url) && url.search === "" && url.hash === "" && url.username === ""
    ? text.replace(/\/+$/, "")
    : undefined
}

// The text may contain a password, so no message repeats it.
export const otlpUrl = (text: string) => {
  const url = parseUrl(text)
  return url !== undefined && isHttp(url)
    ? text
    : new Invalid("must be the address of an OpenTelemetry collector, such as http://localhost:4318, or be unset")
}

const oneOf =
  <const Choice extends string>(...choices: ReadonlyArray<Choice>) =>
  (text: string) =>
    choices.find((choice) => choice === text.toLowerCase()) ??
    new Invalid(`must be one of ${choices.join(", ")}, but is '${text}'`)

export const otlpProtocol = oneOf("http/protobuf", "http/json")
export type OtlpProtocol = Exclude<ReturnType<typeof otlpProtocol>, Invalid>

export const logLevel = oneOf("trace", "debug", "info", "warn", "error", "none")
export const logFormat = oneOf("json", "pretty")

export const bytes = (text: string) =>
  /^\d{1,12}$/.test(text) && Number(text) >= 65_536
    ? Number(text)
    : new Invalid(`must be a number of bytes, 65536 or more, but is '${text}'`)

export const redis = (text: string) => {
  const url = parseUrl(text)
  return url !== undefined && ["redis:", "rediss:"].includes(url.protocol) && url.hostname !== ""
    ? Redacted.make(text)
    : new Invalid("must be redis://host:6379 or rediss://user:password@host:6379, or be unset")
}

export const publicUrl = (text: string) => {
  const url = parseUrl(text)
  if (/\/api\/v1\/*$/.test(url?.pathname ?? "")) {
    return new Invalid(`must be the part before /api/v1 of the address that callers use, but is '${text}'`)
  }
  return url !== undefined && isHttp(url) && url.search === "" && url.hash === "" && url.username === ""
    ? text.replace(/\/+$/, "")
    : new Invalid(`must be the address that callers use, such as https://api.example.com, but is '${text}'`)
}

export const basePath = (text: string) => (isBasePath(text) ? text : new Invalid(`${BASE_PATH_RULE}, but is '${text}'`))

export const origins = (text: string): ReadonlyArray<string> | Invalid => {
  const list = text
    .split(",")
    .map((origin) => origin.trim())
    .filter((origin) => origin !== "")
  if (list.includes("*")) {
    return list.length === 1
      ? list
      : new Invalid("must be * alone or a list of origins, but has both: * already means every origin")
  }
  const wrong = list.find((origin) => !isOrigin(origin))
  return wrong === undefined
    ? list
    : new Invalid(`must be origins separated by commas, such as https://app.example.com, but has '${wrong}'`)
}

export const secret = (text: string) =>
  text.length >= 32 ? Redacted.make(text) : new Invalid(`must be 32 characters or more, but has ${text.length}`)

/** A secret that callers send as a bearer token. */
export const bearer = (text: string) =>
  /\s/.test(text) ? new Invalid("must have no white space, because a bearer token cannot have it") : secret(text)

const isHttp = (url: URL) => url.protocol === "http:" || url.protocol === "https:"

const isOrigin = (text: string) => {
  const url = parseUrl(text)
  return url !== undefined && isHttp(url) && url.origin === text
}

const parseUrl = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined)
