import {
  BadRequest,
  Conflict,
  Forbidden,
  Gone,
  InternalError,
  NotFound,
  PayloadTooLarge,
  UnsupportedMediaType,
} from "../http/errors.ts"
import type { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"

/** Errors of the operator's acts, by their code in a reply. `DatabaseUnavailable` has the code of its cause. */
export const OPERATOR_ERRORS = {
  bad_request: BadRequest,
  forbidden: Forbidden,
  not_found: NotFound,
  conflict: Conflict,
  gone: Gone,
  payload_too_large: PayloadTooLarge,
  unsupported_media_type: UnsupportedMediaType,
  internal_error: InternalError,
} as const

/** A failure as the API reports it. */
export type Refused = InstanceType<(typeof OPERATOR_ERRORS)[keyof typeof OPERATOR_ERRORS]> | DatabaseUnavailable
