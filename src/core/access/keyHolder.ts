import * as Effect from "effect/Effect"
import { Forbidden } from "../http/errors/errors.ts"
import { Principal } from "./Access.ts"

/** The caller, whose key is to own `things`. Fails for the operator, who has no key. */
export const keyHolder = (things: string) =>
  Effect.flatMap(Principal, (caller) =>
    caller.isOperator
      ? Effect.fail(new Forbidden({ message: `${things} belong to a key: use a key of the organization` }))
      : Effect.succeed(caller),
  )
