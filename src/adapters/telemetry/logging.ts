import * as Cause from "effect/Cause"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import type { LogLevel } from "effect/LogLevel"
import * as References from "effect/References"
import * as Tracer from "effect/Tracer"
import * as Context from "effect/Context"
import * as Option from "effect/Option"
import { hideUserInfo } from "../../core/common/secret.ts"
import { CurrentRequest } from "../../core/http/CurrentRequest.ts"
import { CurrentJob } from "../../core/jobs/job.ts"

/**
 * Patterns that no line of the log may hold. Our own messages match none; errors of the database, of libraries and of other
 * servers quote what they were given.
 */
const SECRETS: ReadonlyArray<readonly [pattern: RegExp, replacement: string]> = [
  [/\bsl_(live|test)_\w+/g, "sl_$1_…"],
  [/\bwhsec_[\w+/=-]+/g, "whsec_…"],
  [/\b(bearer|basic) +[\w.~+/=-]+/gi, "$1 …"],
  [/\/(v|r|exports)\/[\w.~-]+/g, "/$1/…"],
  // An address may have a key in its query.
  [/(https?:\/\/[^\s?"'\\]+)\?[^\s"'\\)]*/g, "$1?…"],
  // PostgreSQL quotes values.
  [/(invalid (?:input syntax|byte sequence|input value) for [^:"\\]{1,60}: )(?:\\?".*?\\?"(?=\s|\\n|"|$)|\S+)/g, "$1…"],
  [/(Key \([^)]*\))=\([^)]*\)/g, "$1=(…)"],
  [/(Failing row contains )\(.*?\)(?=\.|\s|\\n|"|$)/g, "$1(…)"],
]

/** Removes secrets and quoted values from a line of the log. */
const redact = (line: string): string =>
  SECRETS.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), hideUserInfo(line))

const LEVELS: Readonly<Record<string, LogLevel>> = {
  trace: "Trace",
  debug: "Debug",
  info: "Info",
  warn: "Warn",
  error: "Error",
  none: "None",
}

/** The fields of a line: the ids of the request or job that it belongs to, and the annotations of the code. */
const eventOf = ({ date, logLevel, message, cause, fiber }: Logger.Options<unknown>): Record<string, unknown> => {
  const request = fiber.getRef(CurrentRequest)
  const job = fiber.getRef(CurrentJob)
  const span = Option.getOrUndefined(Context.getOption(fiber.context, Tracer.ParentSpan))
  const parts = Array.isArray(message) ? message : [message]
  const errors = parts.filter((part) => part instanceof Error || Cause.isCause(part))
  return {
    time: date.toISOString(),
    level: logLevel.toLowerCase(),
    message: parts.filter((part) => typeof part === "string").join(" "),
    ...(request.received && { request_id: request.id }),
    ...((request.organization ?? job?.organization) !== undefined && {
      organization: request.organization ?? job?.organization,
    }),
    ...(job !== undefined && { job_id: job.id, job_kind: job.kind, attempt: job.attempt }),
    ...(span !== undefined && fiber.getRef(Tracer.Tracer) !== Tracer.nativeTracer && { trace_id: span.traceId }),
    ...fiber.getRef(References.CurrentLogAnnotations),
    ...Object.assign({}, ...parts.filter((part) => typeof part === "object" && !errors.includes(part))),
    ...((errors.length > 0 || cause.reasons.length > 0) && {
      error: [...errors.map(describe), ...(cause.reasons.length > 0 ? [Cause.pretty(cause)] : [])].join("\n"),
    }),
  }
}

const describe = (error: unknown) =>
  Cause.isCause(error) ? Cause.pretty(error) : error instanceof Error ? (error.stack ?? error.message) : String(error)

const inJson = (event: Record<string, unknown>) => redact(JSON.stringify(event))

/** For a person at a terminal: the time of day, the level, the message, the rest as `key=value`, and the error below. */
const forTerminal = ({ time, level, message, error, ...rest }: Record<string, unknown>) => {
  const pairs = Object.entries(rest).map(
    ([key, value]) => ` ${key}=${typeof value === "string" ? value : JSON.stringify(value)}`,
  )
  const below = error === undefined ? "" : `\n  ${String(error).replaceAll("\n", "\n  ")}`
  return redact(`${String(time).slice(11, 19)} ${String(level).padEnd(5)} ${String(message)}${pairs.join("")}${below}`)
}

/** Logs to stderr: a JSON object in each line, or lines for a person if stderr is a terminal. The environment may say otherwise. */
export const layerLogging = ({
  format,
  level,
  isTerminal,
}: {
  readonly format: string | undefined
  readonly level: string | undefined
  readonly isTerminal: boolean
}) => {
  const asJson = (format ?? (isTerminal ? "pretty" : "json")) === "json"
  const logger = Logger.make((options) => console.error((asJson ? inJson : forTerminal)(eventOf(options))))
  const minimum = LEVELS[level?.trim().toLowerCase() ?? ""]
  return Layer.merge(
    Logger.layer([logger]),
    minimum === undefined ? Layer.empty : Layer.succeed(References.MinimumLogLevel, minimum),
  )
}
