import { CHANGE_TYPE_NAMES } from "../changes/contract.ts"
import { EVENT_TYPES, PING } from "./events.ts"

const text = { type: "string" }
const STATUSES: Record<string, object> = {
  document: { status: { enum: ["processing", "ready", "failed"] } },
  export: { status: { enum: ["completed", "failed"] } },
  association: { deal_id: text, feature_id: text },
}

const dataOf = (event: string) => {
  const type = CHANGE_TYPE_NAMES.find((name) => event.startsWith(`${name}.`))
  if (type === undefined) return { type: "object", properties: {} }
  const rest = event.endsWith(".deleted") ? {} : (STATUSES[type] ?? {})
  return { type: "object", required: ["id"], properties: { id: text, ...rest } }
}

const header = (name: string, description: string) => ({
  name,
  in: "header",
  required: true,
  description,
  schema: text,
})

const HEADERS = [
  header("webhook-id", "The id of the delivery, the same for every attempt."),
  header("webhook-timestamp", "The time of this attempt, in Unix seconds."),
  header(
    "webhook-signature",
    "`v1,` and the Base64 of HMAC-SHA256 over `{id}.{timestamp}.{body}`. During the grace period of a rotation, one signature by each secret, separated by a space.",
  ),
]

/** The `webhooks` object of the OpenAPI description: the request that each event sends. */
export const WEBHOOK_REQUESTS = Object.fromEntries(
  [...EVENT_TYPES, PING].map((event) => [
    event,
    {
      post: {
        operationId: `webhook.${event}`,
        tags: ["webhooks"],
        summary: event,
        security: [],
        parameters: HEADERS,
        requestBody: {
          required: true,
          content: {
            "application/json": {
              schema: {
                type: "object",
                required: ["type", "timestamp", "data"],
                properties: {
                  type: { const: event },
                  timestamp: { ...text, format: "date-time" },
                  data: dataOf(event),
                },
              },
            },
          },
        },
        responses: {
          "2XX": { description: "Taken." },
          "410": { description: "The address wants no more events: the webhook is disabled." },
        },
      },
    },
  ]),
)
