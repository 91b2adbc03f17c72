import * as Schema from "effect/Schema"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { CreatedApiKey, NewApiKey } from "../access/contract.ts"
import { BadRequest, Conflict, Forbidden, InternalError, NotFound, Unavailable } from "../http/errors.ts"
import { Id } from "../http/parameters.ts"
import {
  Erased,
  type ListedOrganization,
  GivenOrganization,
  OrganizationId,
  Organization,
  OrganizationPage,
  OrganizationPatch,
} from "../workspace/organization.ts"

export const NewOrganization = Schema.Struct({
  ...GivenOrganization.fields,
  id: Schema.optionalKey(OrganizationId),
})
export type NewOrganization = typeof NewOrganization.Type

export type { Erased, ListedOrganization, Organization, OrganizationPage, OrganizationPatch }

const params = { organization: Id }
const ORGANIZATION = "/organizations/:organization"

const error = [BadRequest.wire, Forbidden.wire, NotFound.wire, Conflict.wire, InternalError.wire, Unavailable] as const

const Organizations = HttpApiGroup.make("organizations").add(
  HttpApiEndpoint.get("list", "/organizations", {
    query: { cursor: Schema.optional(Id) },
    success: OrganizationPage,
    error,
  }),
  HttpApiEndpoint.post("create", "/organizations", {
    payload: NewOrganization,
    success: Organization.pipe(HttpApiSchema.status(201)),
    error,
  }),
  HttpApiEndpoint.get("find", ORGANIZATION, { params, success: Organization, error }),
  HttpApiEndpoint.patch("change", ORGANIZATION, { params, payload: OrganizationPatch, success: Organization, error }),
  HttpApiEndpoint.delete("erase", ORGANIZATION, { params, success: Erased, error }),
  // An organization's first key. Its others are below its API.
  HttpApiEndpoint.post("createKey", `${ORGANIZATION}/keys`, {
    params,
    payload: NewApiKey,
    success: CreatedApiKey.pipe(HttpApiSchema.status(201)),
    error,
  }),
)

/** The operator's own API. It is not part of the tenants' API or its OpenAPI description: see docs/operator.md. */
export class OperatorApi extends HttpApi.make("operator")
  .add(Organizations)
  .prefix("/operator")
  .annotate(HttpApi.ParseOptions, { errors: "all", onExcessProperty: "error" })
  .annotate(HttpApi.HeadersParseOptions, {})
  .annotate(HttpApi.SuccessParseOptions, {}) {}
