/** The status and code of every error that a caller may see. */
export const STATUS = {
  BadRequest: [400, "bad_request"],
  Unauthorized: [401, "unauthorized"],
  Forbidden: [403, "forbidden"],
  NotFound: [404, "not_found"],
  MethodNotAllowed: [405, "method_not_allowed"],
  NotAcceptable: [406, "not_acceptable"],
  Conflict: [409, "conflict"],
  Gone: [410, "gone"],
  PayloadTooLarge: [413, "payload_too_large"],
  UnsupportedMediaType: [415, "unsupported_media_type"],
  RateLimitExceeded: [429, "rate_limit_exceeded"],
  InternalError: [500, "internal_error"],
  DatabaseUnavailable: [503, "service_unavailable"],
} as const

/** Every `error.code` of a reply. */
export type ErrorCode = (typeof STATUS)[keyof typeof STATUS][1]
