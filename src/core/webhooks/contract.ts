import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { Idempotency } from "../replies/Idempotency.ts"
import { BODY_ERRORS, Conflict, Forbidden, NotFound } from "../http/errors/errors.ts"
import { Id, Instant, isPlainAddress, Text, Uri } from "../http/values/parameters.ts"
import { EVENT_TYPES } from "./events.ts"
import { dateTime, described } from "../http/values/described.ts"

export interface EventTypesSchema extends Schema.$Array<Schema.Literals<typeof EVENT_TYPES>> {}
const EventTypes: EventTypesSchema = Schema.Array(Schema.Literals(EVENT_TYPES))

const fields = {
  id: Schema.String,
  url: Uri,
  description: Schema.NullOr(Schema.String),
  event_types: EventTypes,
  status: described(
    Schema.Literals(["enabled", "paused", "disabled"]),
    "Paused: nothing is sent, and changes wait. Disabled: its address replied 410.",
  ),
  notice: described(Schema.NullOr(Schema.String), "Why it is no longer enabled, and what to do."),
  failing_since: described(Schema.NullOr(dateTime), "Every attempt since then failed. Null: the last one succeeded."),
  created_at: dateTime,
  updated_at: dateTime,
  created_by: described(Schema.NullOr(Schema.String), "The key that created it. Null: the operator."),
  expires_at: described(
    Schema.NullOr(dateTime),
    "The webhook stops then, because the key that last changed it expires. Null: it does not expire.",
  ),
}
export interface WebhookSchema extends Schema.Struct<typeof fields> {}
export const Webhook: WebhookSchema = Schema.Struct(fields).annotate({ identifier: "Webhook" })
export type Webhook = typeof Webhook.Type
const secret = described(Schema.String, "Verifies deliveries. It appears only in this reply.")
export interface CreatedWebhookSchema extends Schema.Struct<typeof fields & { readonly secret: typeof secret }> {}
const CreatedWebhook: CreatedWebhookSchema = Schema.Struct({ ...fields, secret }).annotate({
  identifier: "CreatedWebhook",
})
export type CreatedWebhook = typeof CreatedWebhook.Type

const url = described(
  Text.check(isPlainAddress, Schema.isNonEmpty(), Schema.isMaxLength(2000)).annotate({ format: "uri" }),
  "An http or https address on the public internet, port 80 or 443, or a host and port in SIGHTLINE_WEBHOOK_HOSTS. Redirects are not followed.",
)
const eventTypes: EventTypesSchema = EventTypes.check(Schema.isNonEmpty())
const description = Schema.NullOr(Text.check(Schema.isMaxLength(400)))

export const NewWebhook = Schema.Struct({
  url,
  event_types: Schema.optionalKey(described(eventTypes, "By default, all events of things that the key can read.")),
  description: Schema.optionalKey(description),
}).annotate({ identifier: "NewWebhook" })
export type NewWebhook = typeof NewWebhook.Type

export const WebhookPatch = Schema.Struct({
  url: Schema.optionalKey(url),
  event_types: Schema.optionalKey(eventTypes),
  description: Schema.optionalKey(description),
  status: Schema.optionalKey(
    described(Schema.Literals(["enabled", "paused"]), "Enabled: waiting events are sent, beginning at once."),
  ),
}).annotate({ identifier: "WebhookPatch" })
export type WebhookPatch = typeof WebhookPatch.Type

const Rotation = Schema.Struct({
  grace_seconds: Schema.optionalKey(
    described(
      Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2_592_000 })),
      "How long the old secret still signs as well; 86400 by default.",
    ),
  ),
}).annotate({ identifier: "WebhookRotation" })

const DELIVERY_STATES = ["pending", "delivered", "failed"] as const
export const Delivery = Schema.Struct({
  id: described(Schema.String, "The `webhook-id` of every attempt."),
  event_type: Schema.String,
  status: Schema.Literals(DELIVERY_STATES),
  attempts: Schema.Int,
  response_status: described(Schema.NullOr(Schema.Int), "The status of the address's last reply."),
  error: described(Schema.NullOr(Schema.String), "Why the last attempt failed."),
  payload: described(Schema.Unknown, "The body of the delivery."),
  created_at: dateTime,
  next_attempt_at: Schema.NullOr(dateTime),
  ended_at: Schema.NullOr(dateTime),
}).annotate({ identifier: "WebhookDelivery" })
export type Delivery = typeof Delivery.Type

const Replay = Schema.Struct({
  delivery_id: Schema.optionalKey(described(Id, "this one")),
  from: Schema.optionalKey(described(Instant, "or all that came into being from then on")),
  to: Schema.optionalKey(described(Instant, "Until then; now by default.")),
}).annotate({ identifier: "WebhookReplay" })

const one = { params: { id: Id }, error: NotFound.wire } as const
const CHANGE_ERRORS = [NotFound.wire, ...BODY_ERRORS] as const

export const WebhooksGroup = HttpApiGroup.make("webhooks")
  .add(
    HttpApiEndpoint.get("list", "/webhooks", {
      success: Schema.Struct({ data: Schema.Array(Webhook) }).annotate({ identifier: "WebhookList" }),
    }).annotate(OpenApi.Summary, "List webhooks"),
    HttpApiEndpoint.post("create", "/webhooks", {
      payload: NewWebhook,
      success: CreatedWebhook.pipe(HttpApiSchema.status(201)),
      error: [Conflict.wire, Forbidden.wire, ...CHANGE_ERRORS],
    })
      .middleware(Idempotency)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Create a webhook",
          description:
            "Sends each event as a JSON POST, signed according to the Standard Webhooks specification, at least once, and in order for each thing. A 2xx reply within 15 seconds accepts it; otherwise it is retried, ten attempts over three days. After a day in which every attempt failed, the webhook is paused.",
        }),
      ),
    HttpApiEndpoint.get("get", "/webhooks/:id", { ...one, success: Webhook }).annotate(
      OpenApi.Summary,
      "Read a webhook",
    ),
    HttpApiEndpoint.patch("update", "/webhooks/:id", {
      params: { id: Id },
      payload: WebhookPatch,
      success: Webhook,
      error: [Forbidden.wire, ...CHANGE_ERRORS],
    }).annotate(OpenApi.Summary, "Change, pause or enable a webhook"),
    HttpApiEndpoint.delete("delete", "/webhooks/:id", { ...one, success: HttpApiSchema.NoContent }).annotate(
      OpenApi.Summary,
      "Delete a webhook and its deliveries",
    ),
    HttpApiEndpoint.post("rotate", "/webhooks/:id/rotate", {
      params: { id: Id },
      payload: [Rotation, Schema.Null],
      success: CreatedWebhook,
      error: CHANGE_ERRORS,
    })
      .middleware(Idempotency)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Rotate a webhook's secret",
          description:
            "Until the grace period ends, deliveries carry signatures by both secrets. There is only one old secret: a second rotation within the grace period ends the oldest secret at once.",
        }),
      ),
    HttpApiEndpoint.get("deliveries", "/webhooks/:id/deliveries", {
      ...one,
      query: {
        status: Schema.optional(described(Schema.Literals(DELIVERY_STATES), "Only deliveries with this status.")),
        page_size: Schema.optional(
          described(
            Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 })),
            "Deliveries per page; 50 by default.",
          ),
        ),
        cursor: Schema.optional(
          described(Text.check(Schema.isMaxLength(2000)), "The `next_cursor` of the previous page."),
        ),
      },
      success: Schema.Struct({
        data: Schema.Array(Delivery),
        next_cursor: Schema.NullOr(Schema.String),
      }).annotate({ identifier: "WebhookDeliveryPage" }),
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List deliveries, newest first",
        description: "Deliveries are kept for 30 days after they end.",
      }),
    ),
    HttpApiEndpoint.post("replay", "/webhooks/:id/replay", {
      params: { id: Id },
      payload: Replay,
      success: Schema.Struct({ replayed: Schema.Int })
        .annotate({ identifier: "WebhookReplayResult" })
        .pipe(HttpApiSchema.status(202)),
      error: [Conflict.wire, ...CHANGE_ERRORS],
    })
      .middleware(Idempotency)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Send again",
          description:
            "Sends one delivery again, or all of a period, with their original ids. Skips deliveries that are being sent now; if you name one of those, the reply is 409.",
        }),
      ),
    HttpApiEndpoint.post("test", "/webhooks/:id/test", {
      params: { id: Id },
      success: Delivery.pipe(HttpApiSchema.status(202)),
      error: [NotFound.wire, Conflict.wire],
    })
      .middleware(Idempotency)
      .annotate(OpenApi.Summary, "Send a `ping`"),
  )
  .annotate(OpenApi.Description, "Addresses that receive changes")
