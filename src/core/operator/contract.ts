import * as Schema from "effect/Schema"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { AuditActor } from "../audit/contract.ts"
import { CreatedApiKey, NewApiKey } from "../keys/contract.ts"
import { dateTime } from "../http/values/described.ts"
import { BadRequest, Conflict, Forbidden, InternalError, NotFound, Unavailable } from "../http/errors/errors.ts"
import { Id } from "../http/values/parameters.ts"
import {
  Erased,
  type ListedOrganization,
  GivenOrganization,
  OrganizationId,
  Organization,
  OrganizationPage,
  OrganizationPatch,
} from "../catalogue/organization.ts"

export const NewOrganization = Schema.Struct({
  ...GivenOrganization.fields,
  id: Schema.optionalKey(OrganizationId),
})
export type NewOrganization = typeof NewOrganization.Type

export type { Erased, ListedOrganization, Organization, OrganizationPage, OrganizationPatch }

export const OperatorAuditAction = Schema.Literals(["organization.erased", "operator.refused", "console.refused"])
export type OperatorAuditAction = typeof OperatorAuditAction.Type

export const OperatorAuditQuery = Schema.Struct({
  /** Only entries of this action. */
  action: Schema.optional(OperatorAuditAction),
  /** Only the erasure of this organization. */
  organization: Schema.optional(OrganizationId),
  /** The `next_cursor` of the page before. */
  cursor: Schema.optional(Id),
})
export type OperatorAuditQuery = typeof OperatorAuditQuery.Type

export const OperatorAuditEntry = Schema.Struct({
  id: Schema.String,
  at: dateTime,
  action: OperatorAuditAction,
  /** The SHA-256 of an erased organization's id, in hexadecimal digits. */
  organization_hash: Schema.NullOr(Schema.String),
  /** Who erased it. Null: unknown, or a refused sign-in. */
  actor: Schema.NullOr(AuditActor),
  /** Present for refused sign-ins: the last reason, and their number in the minute before. */
  details: Schema.NullOr(Schema.Struct({ reason: Schema.String, attempts: Schema.Int })),
  /** The `X-Request-Id` of the request, the last one of several. */
  request_id: Schema.NullOr(Schema.String),
  /** Null: the server does not know it, or the sign-ins are of more addresses than it lists. */
  address: Schema.NullOr(Schema.String),
}).annotate({ identifier: "OperatorAuditEntry" })
export type OperatorAuditEntry = typeof OperatorAuditEntry.Type

/** `next_cursor` is null on the last page. */
export const OperatorAuditPage = Schema.Struct({
  data: Schema.Array(OperatorAuditEntry),
  next_cursor: Schema.NullOr(Schema.String),
})
export type OperatorAuditPage = typeof OperatorAuditPage.Type

/** An application that people may connect to `/mcp`, registered by hand: the consent page vouches for its name. */
export const NewAssistant = Schema.Struct({
  name: Schema.NonEmptyString,
  redirect_uris: Schema.Array(Schema.String),
})
export type NewAssistant = typeof NewAssistant.Type

export const Assistant = Schema.Struct({
  /** The `client_id` of OAuth, which the application sends. */
  id: Schema.String,
  name: Schema.String,
  redirect_uris: Schema.Array(Schema.String),
  created_at: dateTime,
}).annotate({ identifier: "Assistant" })
export type Assistant = typeof Assistant.Type

export const AssistantList = Schema.Struct({ data: Schema.Array(Assistant) })
export type AssistantList = typeof AssistantList.Type

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

const OperatorAudit = HttpApiGroup.make("audit").add(
  HttpApiEndpoint.get("list", "/audit", { query: OperatorAuditQuery.fields, success: OperatorAuditPage, error }),
)

const Assistants = HttpApiGroup.make("assistants").add(
  HttpApiEndpoint.get("list", "/clients", { success: AssistantList, error }),
  HttpApiEndpoint.post("add", "/clients", {
    payload: NewAssistant,
    success: Assistant.pipe(HttpApiSchema.status(201)),
    error,
  }),
  HttpApiEndpoint.delete("remove", "/clients/:client", {
    params: { client: Id },
    success: HttpApiSchema.NoContent,
    error,
  }),
)

/** The operator's own API. It is not part of the tenants' API or its OpenAPI description: see docs/operator.md. */
export class OperatorApi extends HttpApi.make("operator")
  .add(Organizations)
  .add(OperatorAudit)
  .add(Assistants)
  .prefix("/operator")
  .annotate(HttpApi.ParseOptions, { errors: "all", onExcessProperty: "error" })
  .annotate(HttpApi.HeadersParseOptions, {})
  .annotate(HttpApi.SuccessParseOptions, {}) {}
