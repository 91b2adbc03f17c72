import * as Schema from "effect/Schema"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { ApiKey, ApiKeys, CreatedApiKey, NewApiKey, Rotation } from "../access/contract.ts"
import { Export, NewExport } from "../exports/contract.ts"
import { Unavailable } from "../http/errors.ts"
import { Id, Text } from "../http/parameters.ts"
import { Document, DOCUMENT_TYPES } from "../library/contract.ts"
import { importPayload, importQuery, ImportReport } from "../workspace/contract.ts"
import { PLANS } from "../access/plans.ts"
import { OPERATOR_ERRORS } from "./errors.ts"

const Name = Text.check(Schema.isTrimmed(), Schema.isNonEmpty(), Schema.isMaxLength(200))
const Plan = Schema.Literals(PLANS)
const Organization = Schema.Struct({ id: Schema.String, name: Schema.String, plan: Plan })

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

/** A document and the progress of its last run. */
const DocumentProgress = Schema.Struct({
  document: Document,
  run: Schema.NullOr(Schema.Struct({ stage: Schema.String, progress: Schema.Finite })),
})
export type DocumentProgress = typeof DocumentProgress.Type

const organization = { organization: Id }
const one = { organization: Id, id: Id }

const ORGANIZATION = "/organizations/:organization"

const error = [...Object.values(OPERATOR_ERRORS).map(({ wire }) => wire), Unavailable]

const Organizations = HttpApiGroup.make("organizations").add(
  HttpApiEndpoint.get("list", "/organizations", {
    query: { cursor: Schema.optional(Id) },
    success: OrganizationPage,
    error,
  }),
  HttpApiEndpoint.post("create", "/organizations", {
    payload: Schema.Struct({ name: Name, plan: Plan }),
    success: Organization.pipe(HttpApiSchema.status(201)),
    error,
  }),
  HttpApiEndpoint.get("find", ORGANIZATION, { params: organization, success: Organization, error }),
  HttpApiEndpoint.patch("change", ORGANIZATION, {
    params: organization,
    payload: Schema.Struct({ name: Schema.optionalKey(Name), plan: Schema.optionalKey(Plan) }),
    success: Organization,
    error,
  }),
  HttpApiEndpoint.delete("erase", ORGANIZATION, {
    params: organization,
    success: Erased,
    error,
  }),
)

const Keys = HttpApiGroup.make("keys").add(
  HttpApiEndpoint.get("list", `${ORGANIZATION}/keys`, { params: organization, success: ApiKeys, error }),
  HttpApiEndpoint.post("create", `${ORGANIZATION}/keys`, {
    params: organization,
    payload: NewApiKey,
    success: CreatedApiKey.pipe(HttpApiSchema.status(201)),
    error,
  }),
  HttpApiEndpoint.post("rotate", `${ORGANIZATION}/keys/:id/rotate`, {
    params: one,
    payload: [Rotation, Schema.Null],
    success: CreatedApiKey,
    error,
  }),
  HttpApiEndpoint.delete("revoke", `${ORGANIZATION}/keys/:id`, { params: one, success: ApiKey, error }),
)

const Content = HttpApiGroup.make("content").add(
  HttpApiEndpoint.post("import", `${ORGANIZATION}/import`, {
    params: organization,
    query: importQuery,
    payload: importPayload,
    success: ImportReport,
    error,
  }),
  // The body is the file itself. Exactly one of `competitor`, `deal_id`, `crm_one_id` and `crm_two_id` is given.
  HttpApiEndpoint.post("upload", `${ORGANIZATION}/documents`, {
    params: organization,
    query: {
      file_name: Name,
      content_type: Name,
      type: Schema.optional(Schema.Literals(DOCUMENT_TYPES)),
      competitor: Schema.optional(Name),
      deal_id: Schema.optional(Id),
      crm_one_id: Schema.optional(Id),
      crm_two_id: Schema.optional(Id),
      // Makes the file a new version of the latest document of its name and target.
      replaces_same_name: Schema.optional(Schema.Literal("true")),
    },
    success: Schema.Struct({
      document: Document,
      run_id: Schema.String,
      duplicate: Schema.optionalKey(Schema.Literal(true)),
    }),
    error,
  }),
  HttpApiEndpoint.get("document", `${ORGANIZATION}/documents/:id`, {
    params: one,
    success: DocumentProgress,
    error,
  }),
  // Streams events, as `POST /api/v1/responses` does with `"stream": true`.
  HttpApiEndpoint.post("ask", `${ORGANIZATION}/responses`, {
    params: organization,
    payload: Schema.Struct({ question: Text.check(Schema.isNonEmpty(), Schema.isMaxLength(32_000)) }),
    success: Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/event-stream" })),
    error,
  }),
  HttpApiEndpoint.post("startExport", `${ORGANIZATION}/exports`, {
    params: organization,
    payload: NewExport,
    success: Schema.Struct({ export_id: Schema.String }).pipe(HttpApiSchema.status(202)),
    error,
  }),
  HttpApiEndpoint.get("findExport", `${ORGANIZATION}/exports/:id`, { params: one, success: Export, error }),
  HttpApiEndpoint.get("exportFile", `${ORGANIZATION}/exports/:id/file`, {
    params: one,
    success: Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/csv" })),
    error,
  }),
)

/** The API below `/operator`. It is not part of the tenants' API or its OpenAPI description: see docs/operator.md. */
export class OperatorApi extends HttpApi.make("operator")
  .add(Organizations)
  .add(Keys)
  .add(Content)
  .prefix("/operator")
  .annotate(HttpApi.ParseOptions, { errors: "all", onExcessProperty: "error" })
  .annotate(HttpApi.HeadersParseOptions, {})
  .annotate(HttpApi.SuccessParseOptions, {}) {}
