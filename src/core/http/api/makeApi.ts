import * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { Brackets } from "../query/Brackets.ts"

const PREFIX = "/api/v1"

/**
 * An API of these groups. An interface that extends it keeps its name in declarations; TypeScript writes an inferred API
 * with the types of all its endpoints, a quarter of a megabyte.
 */
export type ApiOf<Groups> = HttpApi.HttpApi<
  "sightline",
  HttpApiGroup.AddMiddleware<HttpApiGroup.AddPrefix<Groups, typeof PREFIX>, Brackets>
>

/**
 * Makes an API from groups, with the prefix, the decoding options and brackets in queries. A capability's handlers pass only
 * their own group, so that they do not import the whole API.
 */
export const makeApi = <const Groups extends readonly [HttpApiGroup.Constraint, ...Array<HttpApiGroup.Constraint>]>(
  ...groups: Groups
): ApiOf<Groups[number]> =>
  HttpApi.make("sightline")
    .add(...groups)
    .prefix(PREFIX)
    .middleware(Brackets)
    .annotate(HttpApi.ParseOptions, { errors: "all", onExcessProperty: "error", reportInput: true })
    .annotate(HttpApi.HeadersParseOptions, {})
    .annotate(HttpApi.SuccessParseOptions, {})
