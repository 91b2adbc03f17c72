import * as Effect from "effect/Effect"
import { BasePath } from "./basePath.ts"
import { NotFound } from "./errors.ts"

/** Fails as for each path without a route. */
export const noSuchPath = Effect.flatMap(BasePath, (basePath) =>
  Effect.fail(new NotFound({ message: `this path does not exist; ${basePath}/openapi.json lists the paths` })),
)
