import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { Idempotency } from "../access/Idempotency.ts"
import { Conflict, Forbidden, NotFound, PayloadTooLarge, UnsupportedMediaType } from "../http/errors.ts"
import { Id, Instant, Text, Uri } from "../http/parameters.ts"
import { EVENT_TYPES } from "./events.ts"

const described = <S extends Schema.Top>(schema: S, description: string) => schema.annotate({ description }) as S
const dateTime = Schema.String.annotate({ format: "date-time" })

const fields = {
  id: Schema.String,
  url: Uri,
  description: Schema.NullOr(Schema.String),
  event_types: Schema.Array(Schema.Literals(EVENT_TYPES)),
  status: described(
    Schema.Literals(["enabled", "paused", "disabled"]),
    "paused: nothing is sent, what changes waits; disabled: its address answered 410",
  ),
  notice: described(Schema.NullOr(Schema.String), "why it is no longer enabled, and what to do"),
  failing_since: described(Schema.NullOr(dateTime), "every attempt since then failed; null: the last one did not"),
  created_at: dateTime,
  updated_at: dateTime,
  created_by: described(Schema.NullOr(Schema.String), "the key that made it; null: the operator"),
  expires_at: described(
    Schema.NullOr(dateTime),
    "nothing is sent from then on: the key that last set it expires; null: it does not",
  ),
}
export const Webhook = Schema.Struct(fields).annotate({ identifier: "Webhook" })
export type Webhook = typeof Webhook.Type
const CreatedWebhook = Schema.Struct({
  ...fields,
  secret: described(Schema.String, "verifies what is sent; shown this once"),
}).annotate({ identifier: "CreatedWebhook" })
export type CreatedWebhook = typeof CreatedWebhook.Type

const url = described(
  Text.check(Schema.isNonEmpty(), Schema.isMaxLength(2000)).annotate({ format: "uri" }),
  "an http or https address on the public internet, port 80 or 443, or a host and port that SIGHTLINE_WEBHOOK_HOSTS names; redirects are not followed",
)
const eventTypes = Schema.Array(Schema.Literals(EVENT_TYPES)).check(Schema.isNonEmpty())
const description = Schema.NullOr(Text.check(Schema.isMaxLength(400)))

export const NewWebhook = Schema.Struct({
  url,
  event_types: Schema.optionalKey(described(eventTypes, "left out: all that the key may read of")),
  description: Schema.optionalKey(description),
}).annotate({ identifier: "NewWebhook" })

export const WebhookPatch = Schema.Struct({
  url: Schema.optionalKey(url),
  event_types: Schema.optionalKey(eventTypes),
  description: Schema.optionalKey(description),
  status: Schema.optionalKey(
    described(Schema.Literals(["enabled", "paused"]), "enabled: what waited is sent, beginning at once"),
  ),
}).annotate({ identifier: "WebhookPatch" })

const Rotation = Schema.Struct({
  grace_seconds: Schema.optionalKey(
    described(
      Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2_592_000 })),
      "how long the old secret signs beside the new one; 86400 unless said",
    ),
  ),
}).annotate({ identifier: "WebhookRotation" })

const DELIVERY_STATES = ["pending", "delivered", "failed"] as const
export const Delivery = Schema.Struct({
  id: described(Schema.String, "the `webhook-id` it is sent with, each time"),
  event_type: Schema.String,
  status: Schema.Literals(DELIVERY_STATES),
  attempts: Schema.Int,
  response_status: described(Schema.NullOr(Schema.Int), "what the address answered last"),
  error: described(Schema.NullOr(Schema.String), "why the last attempt failed"),
  payload: described(Schema.Unknown, "the body sent"),
  created_at: dateTime,
  next_attempt_at: Schema.NullOr(dateTime),
  ended_at: Schema.NullOr(dateTime),
}).annotate({ identifier: "WebhookDelivery" })
export type Delivery = typeof Delivery.Type

const Replay = Schema.Struct({
  delivery_id: Schema.optionalKey(described(Id, "this one")),
  from: Schema.optionalKey(described(Instant, "or all that came into being from then on")),
  to: Schema.optionalKey(described(Instant, "… until then; now unless said")),
}).annotate({ identifier: "WebhookReplay" })

const one = { params: { id: Id }, error: NotFound.wire } as const
const BODY_ERRORS = [NotFound.wire, PayloadTooLarge.wire, UnsupportedMediaType.wire] as const

export const WebhooksGroup = HttpApiGroup.make("webhooks")
  .add(
    HttpApiEndpoint.get("list", "/webhooks", {
      success: Schema.Struct({ data: Schema.Array(Webhook) }).annotate({ identifier: "WebhookList" }),
    }).annotate(OpenApi.Summary, "List webhooks"),
    HttpApiEndpoint.post("create", "/webhooks", {
      payload: NewWebhook,
      success: CreatedWebhook.pipe(HttpApiSchema.status(201)),
      error: [Conflict.wire, Forbidden.wire, ...BODY_ERRORS],
    })
      .middleware(Idempotency)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Be told of changes",
          description:
            "Each event is POSTed as JSON, signed as the Standard Webhooks specification says, at least once and for one thing in order; an answer of 2xx within 15 seconds takes it. Otherwise it is sent again, ten times over three days. After a day in which every attempt failed the webhook is paused.",
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
      error: [Forbidden.wire, ...BODY_ERRORS],
    }).annotate(OpenApi.Summary, "Change, pause or enable a webhook"),
    HttpApiEndpoint.delete("delete", "/webhooks/:id", { ...one, success: HttpApiSchema.NoContent }).annotate(
      OpenApi.Summary,
      "Delete a webhook and its deliveries",
    ),
    HttpApiEndpoint.post("rotate", "/webhooks/:id/rotate", {
      params: { id: Id },
      payload: [Rotation, Schema.Null],
      success: CreatedWebhook,
      error: BODY_ERRORS,
    })
      .middleware(Idempotency)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Give a webhook a new secret",
          description:
            "Until the grace ends what is sent is signed with both. There is one old secret at a time: rotated again within the grace, the older one ends at once.",
        }),
      ),
    HttpApiEndpoint.get("deliveries", "/webhooks/:id/deliveries", {
      ...one,
      query: {
        status: Schema.optional(described(Schema.Literals(DELIVERY_STATES), "Only deliveries in this state.")),
        page_size: Schema.optional(
          described(
            Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 })),
            "Deliveries a page; 50 unless said.",
          ),
        ),
        cursor: Schema.optional(described(Text.check(Schema.isMaxLength(2000)), "`next_cursor` of the page before")),
      },
      success: Schema.Struct({
        data: Schema.Array(Delivery),
        next_cursor: Schema.NullOr(Schema.String),
      }).annotate({ identifier: "WebhookDeliveryPage" }),
    }).annotateMerge(
      OpenApi.annotations({ summary: "What was sent, newest first", description: "Kept for 30 days after its end." }),
    ),
    HttpApiEndpoint.post("replay", "/webhooks/:id/replay", {
      params: { id: Id },
      payload: Replay,
      success: Schema.Struct({ replayed: Schema.Int })
        .annotate({ identifier: "WebhookReplayResult" })
        .pipe(HttpApiSchema.status(202)),
      error: [Conflict.wire, ...BODY_ERRORS],
    })
      .middleware(Idempotency)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Send again",
          description:
            "One delivery, or all of a time; with the ids they had. What is being sent at the moment is left out; asked for by itself it answers 409.",
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
  .annotate(OpenApi.Description, "Addresses that are told of changes")
