import * as Context from "effect/Context"
import * as SchemaAST from "effect/SchemaAST"
import * as HttpApi from "effect/http-api/HttpApi"
import * as OpenApi from "effect/http-api/OpenApi"
import { LastEvent } from "../replies/LastEvent.ts"
import { type Permission, ROLE_NAMES, ROLES } from "../access/permissions.ts"
import { Api, ENDPOINT_PERMISSIONS } from "./api.ts"
import { OLDER_NAMES } from "../deals/filters/filters.ts"
import { WEBHOOK_REQUESTS } from "../webhooks/openapi.ts"
import { NotFound } from "../http/errors/errors.ts"
import type { Example } from "../http/api/Example.ts"
import { findExample } from "./examples.ts"
import { BEARER, HEADERS, describeHeaders, IDEMPOTENCY_KEY, LAST_EVENT_ID, PAGES, REASONS } from "./openapiParts.ts"
import { nativeParameters } from "./queryParameters.ts"

type Json = Record<string, any>

const DESCRIPTION = `Competitive intelligence, win-loss analysis and deal data of one workspace.

Send \`Authorization: Bearer <key>\`. A key belongs to one organization and sees only its data.

**Limits.** By plan (essentials, growth, enterprise), an organization has 10, 60 or 300 requests per minute and 10,000, 30,000 or
100,000 per month. A key has a third of the plan's requests per minute, at least 5, or its own limit. Limits use fixed 60-second windows
aligned to the minute. A request that one limit refuses does not count against the others.

**Errors.** Every error is \`{"error": {"code", "message", "details"?}}\`. Unknown parameters and fields are refused, so a
misspelt filter never widens a result.`

/** The contract with the annotations of its OpenAPI description, for a server at `base`. */
export const publishedAt = (base: string, transform: (spec: Json) => Json = (spec) => spec) =>
  Api.annotateMerge(
    OpenApi.annotations({
      title: "Sightline",
      version: "1.0.0",
      license: { name: "MIT", url: "https://opensource.org/license/mit" },
      description: DESCRIPTION,
      servers: [{ url: base, description: "This server" }],
      transform: (spec) => transform(describeSpec(spec)),
    }),
  )

/**
 * Adds what `OpenApi.fromApi` leaves out, from the definitions that validate and admit requests: typed parameters,
 * permissions, limits, idempotency, and the headers of every reply.
 */
const describeSpec = (spec: Json): Json => {
  const permissions: Readonly<Record<string, Permission | ReadonlyArray<Permission>>> = ENDPOINT_PERMISSIONS
  const components = spec["components"] as Json
  components["headers"] = HEADERS
  components["securitySchemes"] = { bearer: BEARER }
  components["parameters"] = { IdempotencyKey: IDEMPOTENCY_KEY, LastEventId: LAST_EVENT_ID }
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ group, endpoint }) => {
      const path = endpoint.path.replaceAll(/:([^/]+)/g, "{$1}")
      const operation = spec["paths"][path][endpoint.method.toLowerCase()] as Json
      const permission = permissions[`${group.identifier}.${endpoint.identifier}`]
      operation["description"] = [operation["description"], permission && mayCall(permission)]
        .filter(Boolean)
        .join("\n\n")
      if (endpoint.query !== undefined) nativeParameters(operation, endpoint.query, components)
      if (endpoint.method === "POST") {
        operation["parameters"] = [
          ...(operation["parameters"] ?? []),
          { $ref: "#/components/parameters/IdempotencyKey" },
        ]
      }
      const example = findExample(group.identifier, endpoint.identifier)
      showRequest(operation, example)
      if (Context.get(endpoint.annotations, LastEvent) !== undefined) {
        operation["parameters"] = [...operation["parameters"], { $ref: "#/components/parameters/LastEventId" }]
      }
      // Services fail with NotFound for an unknown organization too, which no request names.
      if (![...endpoint.error].some((error) => SchemaAST.resolveIdentifier(error.ast) === NotFound.identifier))
        delete operation["responses"]["404"]
      for (const [status, response] of Object.entries<Json>(operation["responses"])) {
        asEvents(response, components)
        response["headers"] = Object.assign(response["headers"] ?? {}, describeHeaders(status))
        response["description"] = REASONS[status] ?? example.replies
        if (status.startsWith("2")) showContent(response["content"], example.reply)
      }
    },
  })
  for (const name of Object.keys(OLDER_NAMES)) {
    const query = spec["paths"]["/api/v1/deals"]["get"]["parameters"] as ReadonlyArray<Json>
    for (const parameter of query) if (parameter["name"] === name) parameter["deprecated"] = true
    for (const schema of ["DealFilters", "NewExport"])
      components["schemas"][schema]["properties"][name]["deprecated"] = true
  }
  spec["security"] = [{ bearer: [] }]
  spec["paths"] = { ...spec["paths"], ...PAGES }
  spec["webhooks"] = WEBHOOK_REQUESTS
  return simplify(spec)
}

const showRequest = (operation: Json, { path, query, request }: Example) => {
  for (const parameter of (operation["parameters"] ?? []) as ReadonlyArray<Json>) {
    const name = String(parameter["name"])
    if (parameter["in"] === "path") {
      parameter["description"] ??= parameter["schema"]["description"] ?? "An id from an earlier reply."
    }
    const value = (parameter["in"] === "path" ? path : parameter["in"] === "query" ? query : undefined)?.[name]
    if (value !== undefined) parameter["example"] = shownAs(parameter["schema"], value)
  }
  showContent(operation["requestBody"]?.["content"], request)
}

const showContent = (content: Json | undefined, examples: Example["reply"]) => {
  for (const [type, value] of Object.entries(examples ?? {})) {
    if (content?.[type] !== undefined) content[type]["example"] = value
  }
}

/** In a query string, a list of objects is a list of their JSON. */
const shownAs = ({ items }: Json, value: unknown) =>
  items?.["contentSchema"] === undefined ? value : (value as ReadonlyArray<unknown>).map((each) => JSON.stringify(each))

/** Describes an event stream by its `data:` lines instead of Effect's own model of events. */
const asEvents = (response: Json, components: Json) => {
  const events = response["content"]?.["text/event-stream"] as Json | undefined
  if (events === undefined) return
  const name = String(events["schema"]["properties"]["data"]["$ref"]).split("/").at(-1)!
  const { $ref } = components["schemas"][name]["contentSchema"] as Json
  delete components["schemas"][name]
  response["content"]["text/event-stream"] = { schema: { description: "The `data` of each event.", $ref } }
}

const mayCall = (taken: Permission | ReadonlyArray<Permission>) => {
  const permissions = [taken].flat()
  if (permissions.length === 0) return `Any valid key can call this: roles ${ROLE_NAMES.join(", ")}.`
  const roles = ROLE_NAMES.filter((role) => permissions.some((permission) => ROLES[role].includes(permission)))
  return `Needs ${permissions.map((permission) => `\`${permission}\``).join(" or ")}: roles ${roles.join(", ")}.`
}

/** Removes repetition: the second null of a field that is optional and nullable, and checks separate from their type. */
const simplify = <A>(spec: A): A =>
  JSON.parse(
    JSON.stringify(spec, (name, value: unknown) => {
      if (name === "anyOf" && Array.isArray(value)) {
        return [...new Map(value.map((member) => [JSON.stringify(member), member])).values()]
      }
      return isChecked(value) ? mergeChecks(value) : value
    }),
  ) as A

type Checked = Json & { readonly allOf: ReadonlyArray<Json> }

const isChecked = (value: unknown): value is Checked =>
  typeof value === "object" && value !== null && "allOf" in value && Array.isArray(value.allOf)

/** Client generators read `{type, allOf: [{maxLength}]}` as a value of unknown type. */
const mergeChecks = ({ allOf, ...schema }: Checked): Json => {
  const apart: Array<Json> = []
  for (const check of allOf) {
    const collides = Object.keys(check).some((key) => key === "$ref" || key === "anyOf" || key in schema)
    if (collides) apart.push(check)
    else Object.assign(schema, check)
  }
  return apart.length === 0 ? schema : { ...schema, allOf: apart }
}
