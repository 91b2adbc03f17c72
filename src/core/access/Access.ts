import * as Context from "effect/Context"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as HttpApiSecurity from "effect/http-api/HttpApiSecurity"
import {
  BadRequest,
  Forbidden,
  InternalError,
  NotAcceptable,
  NotFound,
  RateLimitExceeded,
  Unauthorized,
  Unavailable,
} from "../http/errors/errors.ts"
import type { Caller } from "./permissions.ts"

/** The caller of the current request. */
export class Principal extends Context.Service<Principal, Caller>()("sightline/access/Principal") {}

/**
 * The middleware of every endpoint that needs a key; `layerAccess` implements it. NotFound is for the types of services alone, which
 * fail with it for an unknown organization (`storage/inOrganization.ts`): no request names one.
 */
export class Access extends HttpApiMiddleware.Service<Access, { provides: Principal }>()("sightline/access/Access", {
  security: { bearer: HttpApiSecurity.bearer },
  requiredForClient: true,
  error: [
    BadRequest.wire,
    Unauthorized.wire,
    Forbidden.wire,
    NotFound.wire,
    NotAcceptable.wire,
    RateLimitExceeded.wire,
    InternalError.wire,
    Unavailable,
  ],
}) {}
