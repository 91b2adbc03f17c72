type Json = Record<string, any>

export const BEARER = { type: "http", scheme: "bearer", description: "An API key, `sl_live_…` or `sl_test_…`." }

const header = (description: string, schema: Json) => ({ description, schema })
export const HEADERS = {
  RequestId: header("Identifies this request in logs. If the request has one, the reply repeats it.", {
    type: "string",
  }),
  RateLimit: header(
    "The number of requests that the limit closest to exhaustion allows in the current 60-second window.",
    {
      type: "integer",
    },
  ),
  RateLimitRemaining: header("The number of requests left in that window.", { type: "integer" }),
  RateLimitReset: header("The end of that window, in Unix milliseconds.", { type: "integer", format: "int64" }),
  RetryAfter: header("Seconds to wait, rounded up.", { type: "integer" }),
  WwwAuthenticate: header("Always `Bearer`.", { type: "string" }),
}
const headerRef = (name: keyof typeof HEADERS) => ({ $ref: `#/components/headers/${name}` })

export const describeHeaders = (status: string) => ({
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

export const REASONS: Record<string, string> = {
  "400": "A parameter or the body is invalid or missing. `details` lists every problem at once.",
  "401": "The key is missing, unknown, revoked or expired.",
  "403": "The key's role does not allow this. The message names the role and the action.",
  "404": "It does not exist in this organization.",
  "406": "The request does not accept the reply's content type.",
  "409":
    "The Idempotency-Key belongs to another request, or to one in progress; or the change conflicts with what exists.",
  "410": "The cursor has expired. Start over without it.",
  "413": "The body is too large.",
  "415": "This path does not accept the body's content type.",
  "429": "A limit is exhausted. `details.scope` is `key`, `organization`, `monthly` or `export`.",
  "500": "The server failed. Quote `details.request_id` when you report it.",
  "503": "The service is temporarily unavailable. Retry after `Retry-After`.",
}

export const IDEMPOTENCY_KEY = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "1 to 255 printable characters. Within 24 hours the organization's request runs once; a repeated request gets the first reply again, with `Idempotent-Replayed: true`.",
  schema: { type: "string", minLength: 1, maxLength: 255 },
  example: "0b6ad1c2-import-april",
}

export const LAST_EVENT_ID = {
  name: "Last-Event-ID",
  in: "header",
  required: false,
  description:
    "The `id` of the last event that you received. Send it with the `Idempotency-Key` of the request that began the stream to get the following events, from any instance, for 24 hours.",
  schema: { type: "integer", minimum: 0 },
  example: 12,
}

const page = (
  operationId: string,
  summary: string,
  description: string,
  replies: Record<string, readonly [description: string, example: object]>,
) => ({
  get: {
    operationId,
    tags: ["health"],
    summary,
    description,
    security: [],
    responses: Object.fromEntries(
      Object.entries(replies).map(([status, [description, example]]) => [
        status,
        { description, content: { "application/json": { schema: { type: "object" }, example } } },
      ]),
    ),
  },
})
const ONLY_GET = [
  "The method is not GET.",
  { error: { code: "method_not_allowed", message: "this path accepts GET only" } },
] as const
const READY = { status: "ready", database: "reachable", jobs: "keeping up", answers: "extractive" }

export const PAGES = {
  "/health/live": page("health.live", "Check that the process is up", "For a liveness probe. Needs no key.", {
    "200": ["The process is up.", { status: "live" }],
    "405": ONLY_GET,
  }),
  "/health/ready": page(
    "health.ready",
    "Check that requests can be answered",
    "For a readiness probe. Needs no key. `answers` is `extractive` (quoted sentences) or `agent` (a language model). The note `read_only` says that the database's disk is full: reads work, and writes reply 503.",
    {
      "200": ["The database replies and jobs keep up.", READY],
      "405": ONLY_GET,
      "503": [
        "The database is unreachable, or a job has waited for more than a minute while no worker runs a job of its kind.",
        { status: "not ready", database: "unreachable" },
      ],
    },
  ),
}
