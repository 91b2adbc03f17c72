import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { BODY_ERRORS, NotFound } from "../http/errors/errors.ts"
import { Id, Instant, Text } from "../http/values/parameters.ts"
import { Idempotency } from "../replies/Idempotency.ts"
import { PERMISSION_NAMES, ROLE_NAMES } from "../access/permissions.ts"
import { dateTime, described } from "../http/values/described.ts"

const fields = {
  id: Schema.String,
  name: Schema.String,
  role: Schema.Literals(ROLE_NAMES),
  permissions: described(
    Schema.NullOr(Schema.Array(Schema.String)),
    "The key's permissions, if it has fewer than its role. Null: all permissions of the role.",
  ),
  display: described(Schema.String, "The key's first characters, to recognize it."),
  requests_per_minute: described(Schema.NullOr(Schema.Int), "The key's own limit. Null: the limit of its plan."),
  created_at: dateTime,
  created_by: described(Schema.NullOr(Schema.String), "The key that created it. Null: the operator."),
  last_used_at: described(Schema.NullOr(dateTime), "The last admitted request, to the minute. Null: never used."),
  expires_at: Schema.NullOr(dateTime),
  revoked_at: Schema.NullOr(dateTime),
}
export interface ApiKeySchema extends Schema.Struct<typeof fields> {}
export const ApiKey: ApiKeySchema = Schema.Struct(fields).annotate({ identifier: "ApiKey" })
export const ApiKeys = Schema.Struct({ data: Schema.Array(ApiKey) }).annotate({ identifier: "ApiKeyList" })
export const CreatedApiKey = Schema.Struct({
  ...fields,
  key: described(Schema.String, "The secret. It appears only in this reply and is not stored."),
}).annotate({ identifier: "CreatedApiKey" })

export const NewApiKey = Schema.Struct({
  name: described(Text.check(Schema.isNonEmpty(), Schema.isMaxLength(200)), "The purpose of the key."),
  role: Schema.Literals(ROLE_NAMES),
  environment: Schema.optionalKey(described(Schema.Literals(["live", "test"]), "`live` by default.")),
  permissions: Schema.optionalKey(
    described(
      Schema.Array(Schema.Literals(PERMISSION_NAMES)),
      "Fewer permissions than the role has. By default, all of them.",
    ),
  ),
  requests_per_minute: Schema.optionalKey(
    described(
      Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100_000 })),
      "By default a third of the plan's limit, at least 5.",
    ),
  ),
  expires_at: Schema.optionalKey(Instant),
}).annotate({ identifier: "NewApiKey" })

export const Rotation = Schema.Struct({
  grace_seconds: Schema.optionalKey(
    described(
      Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2_592_000 })),
      "How long the old secret still works; 86400 by default.",
    ),
  ),
}).annotate({ identifier: "ApiKeyRotation" })

const Consumption = {
  limit: described(Schema.NullOr(Schema.Int), "Null: no limit."),
  used: Schema.Int,
  remaining: described(Schema.NullOr(Schema.Int), "Null: no limit."),
}
const Window = Schema.Struct({ ...Consumption, resets_at: dateTime })

const Usage = Schema.Struct({
  organization: Schema.Struct({
    id: Schema.String,
    plan: Schema.String,
    requests_per_minute: Window,
    requests_per_month: Window,
    exports_per_month: Window,
    link_views: described(
      Schema.Int,
      "Views of figures that answers cite (`/r/`), with or without a key, this month. They count within a minute, and no limit holds them.",
    ),
  }),
  keys: Schema.Array(
    // Names of keys are private: a key without keys.manage sees only itself.
    Schema.Struct({
      id: Schema.String,
      name: Schema.String,
      display: Schema.String,
      role: Schema.Literals(ROLE_NAMES),
      revoked: Schema.Boolean,
      requests_per_minute: Schema.Struct(Consumption),
      requests_this_month: Schema.Int,
    }),
  ),
  identities: described(
    Schema.Array(
      Schema.Struct({
        id: Schema.String,
        name: Schema.String,
        role: Schema.Literals(ROLE_NAMES),
        requests_per_minute: Schema.Struct(Consumption),
        requests_this_month: Schema.Int,
      }),
    ),
    "The users of an application that embeds the service, if they had requests this month. Their requests do not count among the organization's. Without keys.manage, only the caller.",
  ),
}).annotate({ identifier: "Usage" })

export const AccessGroup = HttpApiGroup.make("access")
  .add(
    HttpApiEndpoint.get("usage", "/usage", { success: Usage }).annotate(OpenApi.Summary, "Read limits and usage"),
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
            "The secret appears only in this reply. The new key cannot have more permissions than the caller's key, cannot expire later (by default it expires at the same time), and cannot have a higher limit if the caller's key has its own limit.",
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
          summary: "Rotate an API key's secret",
          description:
            "A key that expires, or has its own limit, can only rotate keys that it could create. The old secret works until the grace period ends. There is only one old secret: a second rotation within the grace period ends the oldest secret at once.",
        }),
      ),
    HttpApiEndpoint.delete("revokeKey", "/keys/:id", {
      params: { id: Id },
      query: {
        descendants: Schema.optional(
          described(
            Schema.Boolean,
            "Also revokes the keys that this key created, and the keys that those created, and disables the webhooks of all of them.",
          ),
        ),
      },
      success: HttpApiSchema.NoContent,
      error: NotFound.wire,
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Revoke an API key",
        description:
          "Takes effect on every instance within 5 seconds. With `descendants`, the key may already be revoked.",
      }),
    ),
  )
  .annotate(OpenApi.Description, "API keys and their usage")
