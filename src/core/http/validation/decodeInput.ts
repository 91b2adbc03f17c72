import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { isRecord } from "../../common/isRecord.ts"
import type { BadRequest } from "../errors/errors.ts"
import { badRequest } from "./validation.ts"

const PARSING = { errors: "all", onExcessProperty: "error", reportInput: true } as const

/**
 * Decodes what a caller passes to a service in this process, as HTTP decodes a request: types do not hold for a host in JavaScript. An
 * option that is undefined is absent. `whole` names the value if a problem has no field.
 */
export const decodeInput = <A, I>(schema: Schema.Codec<A, I>, whole = "options") => {
  const decode = Schema.decodeUnknownEffect(schema, PARSING)
  return (given: unknown): Effect.Effect<A, BadRequest> =>
    Effect.mapError(decode(isRecord(given) ? withoutUndefined(given) : given), ({ issue }) =>
      badRequest({ issue }, whole),
    )
}

const withoutUndefined = (given: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
