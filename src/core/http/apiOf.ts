import * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { Brackets } from "./Brackets.ts"

/**
 * Makes an API from groups, with the prefix, the decoding options and brackets in queries. A capability's handlers pass only
 * their own group, so that they do not import the whole API.
 */
export const apiOf = <const Groups extends readonly [HttpApiGroup.Constraint, ...Array<HttpApiGroup.Constraint>]>(
  ...groups: Groups
) =>
  HttpApi.make("sightline")
    .add(...groups)
    .prefix("/api/v1")
    .middleware(Brackets)
    .annotate(HttpApi.ParseOptions, { errors: "all", onExcessProperty: "error", reportInput: true })
    .annotate(HttpApi.HeadersParseOptions, {})
    .annotate(HttpApi.SuccessParseOptions, {})
