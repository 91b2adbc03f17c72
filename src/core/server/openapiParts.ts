type Json = Record<string, any>

export const BEARER = { type: "http", scheme: "bearer", description: "an API key, `sl_live_…` or `sl_test_…`" }

const header = (description: string, schema: Json) => ({ description, schema })
export const HEADERS = {
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

export const headersOf = (status: string) => ({
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
  "400": "A parameter or the body is invalid or missing; `details` lists every problem at once.",
  "401": "No key, or one that is unknown, revoked or expired.",
  "403": "The key's role may not do this; the message names the role and the action.",
  "404": "No such thing in this organization.",
  "406": "The reply is JSON, which the request does not accept.",
  "409": "The Idempotency-Key belongs to another request, or to one still in progress.",
  "410": "The cursor is older than what is kept: read everything anew.",
  "413": "The body is too large.",
  "415": "The body is of a type this path does not take.",
  "429": "A limit is used up: `details.scope` is `key`, `organization`, `monthly` or `export`.",
  "500": "A fault of ours; quote `details.request_id`.",
  "503": "The database is out of reach; try again after `Retry-After`.",
}

export const IDEMPOTENCY_KEY = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "1 to 255 printable characters. The request is carried out once in 24 hours for the organization; repeated, it answers as the first time, with `Idempotent-Replayed: true`.",
  schema: { type: "string", minLength: 1, maxLength: 255 },
  example: "0b6ad1c2-import-april",
}

export const LAST_EVENT_ID = {
  name: "Last-Event-ID",
  in: "header",
  required: false,
  description:
    "The `id` of the last event that arrived, with the `Idempotency-Key` of the request that began the stream: what follows it is sent, on any instance, for 24 hours.",
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
  "Another method than GET.",
  { error: { code: "method_not_allowed", message: "this path answers GET" } },
] as const
const READY = { status: "ready", database: "reachable", jobs: "keeping up", answers: "extractive" }

export const PAGES = {
  "/health/live": page("health.live", "Check that the process is up", "For a liveness probe. Needs no key.", {
    "200": ["The process answers.", { status: "live" }],
    "405": ONLY_GET,
  }),
  "/health/ready": page(
    "health.ready",
    "Check that requests can be answered",
    "For a readiness probe. Needs no key. `answers` names what answers questions.",
    {
      "200": ["The database answers and jobs keep up.", READY],
      "405": ONLY_GET,
      "503": [
        "The database is out of reach, or a job has waited for more than a minute while none of its kind is worked on.",
        { status: "not ready", database: "unreachable" },
      ],
    },
  ),
}
