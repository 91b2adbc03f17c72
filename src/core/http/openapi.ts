import * as Context from "effect/Context"
import * as Schema from "effect/Schema"
import * as HttpApi from "effect/http-api/HttpApi"
import * as OpenApi from "effect/http-api/OpenApi"
import { LastEvent } from "../access/LastEvent.ts"
import { type Permission, ROLE_NAMES, ROLES } from "../access/permissions.ts"
import { Api, ENDPOINT_PERMISSIONS } from "../api.ts"
import { SENT } from "../webhooks/openapi.ts"

type Json = Record<string, any>

const DESCRIPTION = `Competitive intelligence, win-loss analysis and deal data of one workspace.

Send \`Authorization: Bearer <key>\`. A key belongs to one organization and sees only its data.

**Limits.** An organization has 10, 60 or 300 requests a minute and 10,000, 30,000 or 100,000 a month by plan (essentials,
growth, enterprise); a key has a third of the plan's minute, at least 5, unless it has its own. Windows are fixed, 60 seconds,
aligned to the minute. A request that one limit refuses consumes none of the others.

**Errors.** Every error is \`{"error": {"code", "message", "details"?}}\`. Unknown parameters and fields are refused, so that a
misspelt filter never widens a result.`

/** The contract with all that its description says beside the schemas, for a server at this address. */
export const publishedAt = (base: string | undefined) =>
  Api.annotateMerge(
    OpenApi.annotations({
      title: "Sightline",
      version: "1.0.0",
      license: { name: "MIT", url: "https://opensource.org/license/mit" },
      description: DESCRIPTION,
      servers: [{ url: base ?? "/", description: "This server" }],
      transform: (spec) => described(spec),
    }),
  )

/**
 * What `OpenApi.fromApi` leaves out, from the same definitions that validate and admit requests: parameters as the values
 * they stand for, who may call, what limits and idempotency mean, the headers of every reply.
 */
const described = (spec: Json): Json => {
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
      if (Context.get(endpoint.annotations, LastEvent) !== undefined) {
        operation["parameters"] = [...operation["parameters"], { $ref: "#/components/parameters/LastEventId" }]
      }
      for (const [status, response] of Object.entries<Json>(operation["responses"])) {
        asEvents(response, components)
        response["headers"] = Object.assign(response["headers"] ?? {}, headersOf(status))
        response["description"] = REASONS[status] ?? response["description"]
      }
    },
  })
  spec["security"] = [{ bearer: [] }]
  spec["paths"] = { ...spec["paths"], ...PAGES }
  spec["webhooks"] = SENT
  return withoutRepeats(spec)
}

/** An event stream is described by what its `data:` lines hold; how Effect reads one is no caller's business. */
const asEvents = (response: Json, components: Json) => {
  const events = response["content"]?.["text/event-stream"] as Json | undefined
  if (events === undefined) return
  const name = String(events["schema"]["properties"]["data"]["$ref"]).split("/").at(-1)!
  const { $ref } = components["schemas"][name]["contentSchema"] as Json
  delete components["schemas"][name]
  response["content"]["text/event-stream"] = { schema: { description: "the `data` of each event", $ref } }
}

const mayCall = (taken: Permission | ReadonlyArray<Permission>) => {
  const permissions = [taken].flat()
  if (permissions.length === 0) return `Any valid key may call it: roles ${ROLE_NAMES.join(", ")}.`
  const roles = ROLE_NAMES.filter((role) => permissions.some((permission) => ROLES[role].includes(permission)))
  return `Needs ${permissions.map((permission) => `\`${permission}\``).join(" or ")}: roles ${roles.join(", ")}.`
}

/** Arrays and objects are described in the form that generated clients send; `queryValue` reads the others too. */
const nativeParameters = (operation: Json, query: Schema.Top, components: Json) => {
  const native = Schema.toJsonSchemaDocument(Schema.toType(query))
  Object.assign(components["schemas"], rewritten(native.definitions))
  const properties = rewritten((native.schema as Json)["properties"] ?? {}) as Json
  for (const parameter of operation["parameters"] as Array<Json>) {
    const declared = properties[parameter["name"]] as Json | undefined
    if (parameter["in"] !== "query" || declared === undefined) continue
    const { description, deprecated, ...schema } = present(declared)
    Object.assign(parameter, { description, ...(deprecated && { deprecated }), ...formOf(schema) })
  }
}

const formOf = (schema: Json): Json => {
  const list = [schema, ...((schema["anyOf"] as ReadonlyArray<Json>) ?? [])].find(({ type }) => type === "array")
  if (list !== undefined) return { schema: { ...list, items: inText(list["items"]) }, style: "form", explode: true }
  return schema["type"] === "object" ? { schema, style: "deepObject", explode: true } : { schema }
}

/** An element of a repeated parameter is text: an object is its JSON. */
const inText = (item: Json): Json =>
  "$ref" in item ? { type: "string", contentMediaType: "application/json", contentSchema: item } : item

/** An optional field is described as one that may be null; in a query string it is only left out. */
const present = (schema: Json): Json => {
  const members = (schema["anyOf"] as ReadonlyArray<Json> | undefined)?.filter((member) => member["type"] !== "null")
  return members?.length === 1 && members[0] !== undefined ? members[0] : schema
}

/** A field that may be left out and may be null says null twice. */
const withoutRepeats = <A>(spec: A): A =>
  JSON.parse(
    JSON.stringify(spec, (name, value: unknown) =>
      name === "anyOf" && Array.isArray(value)
        ? [...new Map(value.map((member) => [JSON.stringify(member), member])).values()]
        : value,
    ),
  ) as A

const rewritten = <A>(schema: A): A =>
  JSON.parse(
    JSON.stringify(schema)
      .replaceAll('"#/$defs/', '"#/components/schemas/')
      .replaceAll('"additionalProperties":true', '"additionalProperties":false'),
  ) as A

const BEARER = { type: "http", scheme: "bearer", description: "an API key, `sl_live_…` or `sl_test_…`" }

const header = (description: string, schema: Json) => ({ description, schema })
const HEADERS = {
  RequestId: header("names this request in logs; the caller's own is kept", { type: "string" }),
  RateLimit: header("requests allowed in the current 60-second window, of the limit with the fewest left", {
    type: "integer",
  }),
  RateLimitRemaining: header("requests left in that window", { type: "integer" }),
  RateLimitReset: header("when that window ends, Unix milliseconds", { type: "integer", format: "int64" }),
  RetryAfter: header("seconds to wait, rounded up", { type: "integer" }),
  WwwAuthenticate: header("always `Bearer`", { type: "string" }),
}
const headerRef = (name: keyof typeof HEADERS) => ({ $ref: `#/components/headers/${name}` })

const headersOf = (status: string) => ({
  "X-Request-Id": headerRef("RequestId"),
  ...(status === "401"
    ? { "WWW-Authenticate": headerRef("WwwAuthenticate") }
    : {
        "X-RateLimit-Limit": headerRef("RateLimit"),
        "X-RateLimit-Remaining": headerRef("RateLimitRemaining"),
        "X-RateLimit-Reset": headerRef("RateLimitReset"),
      }),
  ...((status === "429" || status === "503") && { "Retry-After": headerRef("RetryAfter") }),
})

const REASONS: Record<string, string> = {
  "200": "As asked.",
  "201": "Made.",
  "204": "Done; there is nothing to say.",
  "400": "A parameter or the body is invalid or missing; `details` lists every problem at once.",
  "401": "No key, or one that is unknown, revoked or expired.",
  "403": "The key's role may not do this; the message names the role and the action.",
  "404": "No such thing in this organization.",
  "406": "The reply is JSON, which the request does not accept.",
  "409": "The Idempotency-Key belongs to another request, or to one still in progress.",
  "413": "The body is too large.",
  "415": "The body is of a type this path does not take.",
  "429": "A limit is used up: `details.scope` is `key`, `organization`, `monthly` or `export`.",
  "500": "A fault of ours; quote `details.request_id`.",
  "503": "The database is out of reach; try again after `Retry-After`.",
}

const IDEMPOTENCY_KEY = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "1 to 255 printable characters. The request is carried out once in 24 hours for the organization; repeated, it answers as the first time, with `Idempotent-Replayed: true`.",
  schema: { type: "string", minLength: 1, maxLength: 255 },
}

const LAST_EVENT_ID = {
  name: "Last-Event-ID",
  in: "header",
  required: false,
  description:
    "The `id` of the last event that arrived, with the `Idempotency-Key` of the request that began the stream: what follows it is sent, on any instance, for 24 hours.",
  schema: { type: "integer", minimum: 0 },
}

const page = (operationId: string, summary: string, statuses: Record<string, string>) => ({
  get: {
    operationId,
    tags: ["health"],
    summary,
    security: [],
    responses: Object.fromEntries(
      Object.entries(statuses).map(([status, description]) => [
        status,
        { description, content: { "application/json": { schema: { type: "object" } } } },
      ]),
    ),
  },
})
const PAGES = {
  "/health/live": page("health.live", "Is the process up?", { "200": "It is.", "405": "Only GET." }),
  "/health/ready": page("health.ready", "Can it answer?", {
    "200": "It can.",
    "405": "Only GET.",
    "503":
      "The database is out of reach, or a job has waited for more than a minute while none of its kind is worked on.",
  }),
}
