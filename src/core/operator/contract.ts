import * as Schema from "effect/Schema"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { CreatedApiKey, NewApiKey } from "../access/contract.ts"
import { BadRequest, Conflict, Forbidden, InternalError, NotFound, Unavailable } from "../http/errors.ts"
import { Id, Text } from "../http/parameters.ts"

const Name = Text.check(Schema.isTrimmed(), Schema.isNonEmpty(), Schema.isMaxLength(200))
/** The name of a plan in the table `plans`. */
const Plan = Text.check(Schema.isNonEmpty(), Schema.isMaxLength(40))
const Organization = Schema.Struct({ id: Schema.String, name: Schema.String, plan: Plan })
export type Organization = typeof Organization.Type

const NewOrganization = Schema.Struct({ name: Name, plan: Plan })
export type NewOrganization = typeof NewOrganization.Type

const OrganizationPatch = Schema.Struct({ name: Schema.optionalKey(Name), plan: Schema.optionalKey(Plan) })
export type OrganizationPatch = typeof OrganizationPatch.Type

const ListedOrganization = Schema.Struct({
  ...Organization.fields,
  created_at: Schema.String.annotate({ format: "date-time" }),
})
export type ListedOrganization = typeof ListedOrganization.Type

const OrganizationPage = Schema.Struct({
  data: Schema.Array(ListedOrganization),
  next_cursor: Schema.NullOr(Schema.String),
})
export type OrganizationPage = typeof OrganizationPage.Type

/** `pending`: the blob store is unreachable; the files are deleted once it answers. */
const Erased = Schema.Struct({ id: Schema.String, files: Schema.Literals(["removed", "pending"]) })
export type Erased = typeof Erased.Type

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
