import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import { BadRequest, Conflict, Unavailable } from "../http/errors/errors.ts"
import type { Principal } from "../access/Access.ts"

/** Replays the first reply to a repeated POST with the same `Idempotency-Key`; `layerIdempotency` implements it. */
export class Idempotency extends HttpApiMiddleware.Service<Idempotency, { requires: Principal }>()(
  "sightline/replies/Idempotency",
  { error: [BadRequest.wire, Conflict.wire, Unavailable] },
) {}
