import * as Effect from "effect/Effect"
import { BasePath } from "./basePath.ts"
import { NotFound } from "../errors/errors.ts"

/** Fails as for each path without a route. `meant` asks whether the caller meant another path. */
export const noSuchPath = (meant = "") =>
  Effect.flatMap(BasePath, (basePath) => {
    const list = `${basePath}/openapi.json lists the paths`
    const message = meant === "" ? `this path does not exist; ${list}` : `this path does not exist. ${meant} ${list}`
    return Effect.fail(new NotFound({ message }))
  })
