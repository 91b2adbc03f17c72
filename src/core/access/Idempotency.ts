import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import { BadRequest, Conflict, Unavailable } from "../http/errors.ts"
import type { Principal } from "./Access.ts"

/** On endpoints that POST: `Idempotency-Key` makes a repeated request answer as the first did; see `layerIdempotency`. */
export class Idempotency extends HttpApiMiddleware.Service<Idempotency, { requires: Principal }>()(
  "sightline/access/Idempotency",
  { error: [BadRequest.wire, Conflict.wire, Unavailable] },
) {}
