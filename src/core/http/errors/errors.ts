import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { DatabaseUnavailable } from "../../ports/DatabaseUnavailable.ts"
import { type ErrorCode, STATUS } from "./codes.ts"

type Tag = keyof typeof STATUS
export type Details = { readonly [key: string]: unknown }
type Fields = { readonly message: string; readonly details?: Details | undefined }

const fields = {
  message: Schema.String,
  details: Schema.optional(Schema.Record(Schema.String, Schema.Unknown)),
}

const wireFields = {
  message: Schema.String.annotate({ description: "What is wrong, and what to do." }),
  details: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown)),
}

/** `not_found` as `NotFoundError`. */
const componentName = (code: string) =>
  `${code.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())}Error`.replace(
    /ErrorError$/,
    "Error",
  )

const makeEnvelope = (code: ErrorCode) =>
  Schema.Struct({ error: Schema.Struct({ code: Schema.Literal(code), ...wireFields }) })

// Declarations repeat the type of an error in every endpoint, unless an interface names it.
export interface WireError<E> extends Schema.decodeTo<
  Schema.toType<Schema.Schema<E> & (new (props: Fields) => E)>,
  ReturnType<typeof makeEnvelope>
> {}

/** The encoding of an error: `{"error": {"code", "message", "details"?}}` with its status. */
const wire = <E extends Fields>(tag: Tag, self: Schema.Schema<E> & (new (props: Fields) => E)): WireError<E> => {
  const [status, code] = STATUS[tag]
  return makeEnvelope(code)
    .annotate({ identifier: componentName(code) })
    .pipe(
      Schema.decodeTo(
        Schema.toType(self),
        SchemaTransformation.transform<
          E,
          { readonly error: { readonly code: ErrorCode; readonly message: string; readonly details?: Details } }
        >({
          decode: ({ error: { code: _, ...props } }) => new self(props),
          encode: ({ message, details }) => ({ error: { code, message, ...(details && { details }) } }),
        }),
      ),
      HttpApiSchema.status(status),
    )
}

/** `details` may list `missing_fields`, `unknown_fields` and `invalid_fields` (each `{field, reason}`). */
export class BadRequest extends Schema.TaggedError<BadRequest>()("BadRequest", fields) {
  static readonly wire = wire("BadRequest", BadRequest)
}
export class Unauthorized extends Schema.TaggedError<Unauthorized>()("Unauthorized", fields) {
  static readonly wire = wire("Unauthorized", Unauthorized)
}
/** The caller lacks a permission, or this host has no library. */
export class Forbidden extends Schema.TaggedError<Forbidden>()("Forbidden", fields) {
  static readonly wire = wire("Forbidden", Forbidden)
}
/** The organization, or the thing in it, does not exist. */
export class NotFound extends Schema.TaggedError<NotFound>()("NotFound", fields) {
  static readonly wire = wire("NotFound", NotFound)
}
export class MethodNotAllowed extends Schema.TaggedError<MethodNotAllowed>()("MethodNotAllowed", fields) {}
export class NotAcceptable extends Schema.TaggedError<NotAcceptable>()("NotAcceptable", fields) {
  static readonly wire = wire("NotAcceptable", NotAcceptable)
}
/** It exists already, is in use, or is in a state that forbids the change. */
export class Conflict extends Schema.TaggedError<Conflict>()("Conflict", fields) {
  static readonly wire = wire("Conflict", Conflict)
}
/** It existed and expired. */
export class Gone extends Schema.TaggedError<Gone>()("Gone", fields) {
  static readonly wire = wire("Gone", Gone)
}
/** The bytes are more than the limit. */
export class PayloadTooLarge extends Schema.TaggedError<PayloadTooLarge>()("PayloadTooLarge", fields) {
  static readonly wire = wire("PayloadTooLarge", PayloadTooLarge)
}
/** The content type is unknown, or the bytes are of another one. */
export class UnsupportedMediaType extends Schema.TaggedError<UnsupportedMediaType>()("UnsupportedMediaType", fields) {
  static readonly wire = wire("UnsupportedMediaType", UnsupportedMediaType)
}
/** `details.scope` names the limit: `key`, `organization`, `monthly`, `export` or `concurrency`. */
export class RateLimitExceeded extends Schema.TaggedError<RateLimitExceeded>()("RateLimitExceeded", fields) {
  static readonly wire = wire("RateLimitExceeded", RateLimitExceeded)
}
/** `details.request_id` identifies the failure in the logs. */
export class InternalError extends Schema.TaggedError<InternalError>()("InternalError", fields) {
  static readonly wire = wire("InternalError", InternalError)
}
/** The database, or another service behind this one, is unreachable. `Retry-After` says when to retry. */
export const Unavailable = wire("DatabaseUnavailable", DatabaseUnavailable)

/** The errors of every endpoint that takes a body. */
export const BODY_ERRORS = [PayloadTooLarge.wire, UnsupportedMediaType.wire] as const

type ApiError = Fields & { readonly _tag: Tag }

export const isApiError = (error: unknown): error is ApiError =>
  Predicate.hasProperty(error, "_tag") && typeof error._tag === "string" && error._tag in STATUS && "message" in error

/** Converts an error to its response and adds `headers`. */
export const toResponse = (error: ApiError, headers?: Readonly<Record<string, string>>) => {
  const isBusy = error instanceof DatabaseUnavailable && error.reason === "concurrency"
  const [status, code] = STATUS[isBusy ? "RateLimitExceeded" : error._tag]
  const { message, details } = error
  return HttpServerResponse.text(JSON.stringify({ error: { code, message, ...(details && { details }) } }), {
    status,
    contentType: "application/json",
    headers,
  })
}
