import * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { Brackets } from "./Brackets.ts"

/**
 * Makes an API of groups: the prefix, how requests decode, and brackets in queries. Handlers of a capability use it with
 * their own group alone, so that they need not import the whole API.
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
