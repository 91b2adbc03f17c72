import type { ErrorCode } from "../../core/http/errors/codes.ts"

/** Failures that the client finds, beside the server's own. */
export type ClientErrorCode =
  /** No reply, or one that was cut off. */
  | "network_error"
  /** No reply in time. */
  | "timeout"
  /** The reply does not come from Sightline, for example from a proxy. */
  | "invalid_reply"
  /** The run, export or document that was waited for failed. */
  | "run_failed"
  | "export_failed"
  | "document_failed"

export type SightlineErrorCode = ErrorCode | ClientErrorCode

export interface InvalidField {
  readonly field: string
  readonly reason: string
}

interface Facts {
  readonly code: SightlineErrorCode
  readonly message: string
  readonly status?: number | undefined
  readonly requestId?: string | undefined
  readonly details?: Readonly<Record<string, unknown>> | undefined
  readonly retryAfterMs?: number | undefined
  readonly cause?: unknown
}

/** Every failure of the client, except the abort of the caller's own signal. */
export class SightlineError extends Error {
  override readonly name = "SightlineError"
  /** The kind of failure, for programs: `not_found`, `rate_limit_exceeded`, `network_error` and so on. */
  readonly code: SightlineErrorCode
  /** The HTTP status. Undefined if there was no reply. */
  readonly status: number | undefined
  /** Identifies the request in the server's logs. */
  readonly requestId: string | undefined
  /** More facts, such as the `scope` of an exhausted limit. */
  readonly details: Readonly<Record<string, unknown>>
  /** How long the server asks to wait before the next attempt. */
  readonly retryAfterMs: number | undefined

  constructor({ message, cause, ...facts }: Facts) {
    super(message, { cause })
    this.code = facts.code
    this.status = facts.status
    this.requestId = facts.requestId
    this.details = facts.details ?? {}
    this.retryAfterMs = facts.retryAfterMs
  }

  /** Fields with an invalid value, each with the reason. */
  get invalidFields(): ReadonlyArray<InvalidField> {
    return listIn<InvalidField>(this.details, "invalid_fields")
  }
  /** Required fields that the request lacks. */
  get missingFields(): ReadonlyArray<string> {
    return listIn<string>(this.details, "missing_fields")
  }
  /** Fields that the server does not know. */
  get unknownFields(): ReadonlyArray<string> {
    return listIn<string>(this.details, "unknown_fields")
  }
}

const listIn = <A>(details: Readonly<Record<string, unknown>>, name: string): ReadonlyArray<A> => {
  const list = details[name]
  return Array.isArray(list) ? list : []
}

/** Reads the error of a reply that is not a success. */
export const readError = async (response: Response): Promise<SightlineError> => {
  const { status, headers } = response
  const facts = { status, requestId: headers.get("x-request-id") ?? undefined, retryAfterMs: retryAfterOf(headers) }
  const text = await response.text()
  const error = envelopeIn(text)
  if (error !== undefined) return new SightlineError({ ...facts, ...error })
  return new SightlineError({
    ...facts,
    code: "invalid_reply",
    message: `the reply with status ${status} is not one of Sightline's; check baseUrl and the proxies before it`,
    details: { body: text.slice(0, 500) },
  })
}

interface Envelope {
  readonly code: ErrorCode
  readonly message: string
  readonly details?: Readonly<Record<string, unknown>>
}

const envelopeIn = (text: string): Envelope | undefined => {
  try {
    const { error } = JSON.parse(text) as { readonly error?: Envelope }
    return typeof error?.code === "string" && typeof error.message === "string" ? error : undefined
  } catch {
    return undefined
  }
}

/** Reads `Retry-After`: seconds, or a date. */
export const retryAfterOf = (headers: Headers): number | undefined => {
  const text = headers.get("retry-after")
  if (text === null) return undefined
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}
