import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { NotFound, PayloadTooLarge, UnsupportedMediaType } from "../http/errors.ts"
import { Id, Instant, Text } from "../http/parameters.ts"
import { Idempotency } from "./Idempotency.ts"
import { PERMISSION_NAMES, ROLE_NAMES } from "./permissions.ts"

const dateTime = Schema.String.annotate({ format: "date-time" })
const described = <S extends Schema.Top>(schema: S, description: string) => schema.annotate({ description }) as S

const fields = {
  id: Schema.String,
  name: Schema.String,
  role: Schema.Literals(ROLE_NAMES),
  permissions: described(
    Schema.NullOr(Schema.Array(Schema.String)),
    "the key's own narrower list; null: all its role's",
  ),
  display: described(Schema.String, "the key's first characters, to tell it by"),
  requests_per_minute: described(Schema.NullOr(Schema.Int), "the key's own limit; null: its plan's"),
  created_at: dateTime,
  created_by: described(Schema.NullOr(Schema.String), "the key that made it; null: the operator"),
  last_used_at: described(Schema.NullOr(dateTime), "when it was last admitted, to the minute; null: never"),
  expires_at: Schema.NullOr(dateTime),
  revoked_at: Schema.NullOr(dateTime),
}
export const ApiKey = Schema.Struct(fields).annotate({ identifier: "ApiKey" })
export const ApiKeys = Schema.Struct({ data: Schema.Array(ApiKey) }).annotate({ identifier: "ApiKeyList" })
export const CreatedApiKey = Schema.Struct({
  ...fields,
  key: described(Schema.String, "the secret: shown this once, stored nowhere"),
}).annotate({ identifier: "CreatedApiKey" })

export const NewApiKey = Schema.Struct({
  name: described(Text.check(Schema.isNonEmpty(), Schema.isMaxLength(200)), "what it is for"),
  role: Schema.Literals(ROLE_NAMES),
  environment: Schema.optionalKey(described(Schema.Literals(["live", "test"]), "`live` unless said")),
  permissions: Schema.optionalKey(
    described(Schema.Array(Schema.Literals(PERMISSION_NAMES)), "narrower than the role's; left out: all of them"),
  ),
  requests_per_minute: Schema.optionalKey(
    described(
      Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100_000 })),
      "left out: a third of the plan's, at least 5",
    ),
  ),
  expires_at: Schema.optionalKey(Instant),
}).annotate({ identifier: "NewApiKey" })

export const Rotation = Schema.Struct({
  grace_seconds: Schema.optionalKey(
    described(
      Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2_592_000 })),
      "how long the old secret works beside the new one; 86400 unless said",
    ),
  ),
}).annotate({ identifier: "ApiKeyRotation" })

const Spent = { limit: Schema.Int, used: Schema.Int, remaining: Schema.Int }
const Window = Schema.Struct({ ...Spent, resets_at: dateTime })

const Usage = Schema.Struct({
  organization: Schema.Struct({
    id: Schema.String,
    plan: Schema.String,
    requests_per_minute: Window,
    requests_per_month: Window,
    exports_per_month: Window,
  }),
  keys: Schema.Array(
    // A list of others' keys tells their names: only a key with keys.manage gets it.
    Schema.Struct({
      id: Schema.String,
      name: Schema.String,
      display: Schema.String,
      role: Schema.Literals(ROLE_NAMES),
      revoked: Schema.Boolean,
      requests_per_minute: Schema.Struct(Spent),
      requests_this_month: Schema.Int,
    }),
  ),
}).annotate({ identifier: "Usage" })

const BODY_ERRORS = [PayloadTooLarge.wire, UnsupportedMediaType.wire] as const

export const AccessGroup = HttpApiGroup.make("access")
  .add(
    HttpApiEndpoint.get("usage", "/usage", { success: Usage }).annotate(
      OpenApi.Summary,
      "What the limits are, and what is spent of them",
    ),
    HttpApiEndpoint.get("listKeys", "/keys", { success: ApiKeys }).annotate(OpenApi.Summary, "List API keys"),
    HttpApiEndpoint.post("createKey", "/keys", {
      payload: NewApiKey,
      success: CreatedApiKey.pipe(HttpApiSchema.status(201)),
      error: BODY_ERRORS,
    })
      .middleware(Idempotency)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Create an API key",
          description:
            "The secret is in this reply and nowhere else. The new key may do no more than the caller's key, expires no later (left out: when the caller's does), and has no higher limit if the caller's key has its own.",
        }),
      ),
    HttpApiEndpoint.post("rotateKey", "/keys/:id/rotate", {
      params: { id: Id },
      payload: [Rotation, Schema.Null],
      success: CreatedApiKey,
      error: [NotFound.wire, ...BODY_ERRORS],
    })
      .middleware(Idempotency)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Give an API key a new secret",
          description:
            "A key that expires, or has its own limit, rotates only keys that it could make. The old one lives until the grace ends. There is one old secret at a time: rotated again within the grace, the older one ends at once.",
        }),
      ),
    HttpApiEndpoint.delete("revokeKey", "/keys/:id", {
      params: { id: Id },
      query: {
        descendants: Schema.optional(
          described(
            Schema.Boolean,
            "also revokes the keys that it made, and those that they made; disables the webhooks of all of them",
          ),
        ),
      },
      success: HttpApiSchema.NoContent,
      error: NotFound.wire,
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Revoke an API key",
        description:
          "Takes effect on every instance within 5 seconds. With `descendants`, the key may have been revoked before.",
      }),
    ),
  )
  .annotate(OpenApi.Description, "API keys, and what they have spent")
