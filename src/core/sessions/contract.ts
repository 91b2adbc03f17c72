import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { dateTime, described } from "../http/values/described.ts"
import { NotFound } from "../http/errors/errors.ts"
import { Id, Uri } from "../http/values/parameters.ts"
import { Idempotency } from "../replies/Idempotency.ts"
import { ROLE_NAMES } from "../access/permissions.ts"

const Session = Schema.Struct({
  id: Schema.String,
  key_id: described(
    Schema.String,
    "The key that signed in, or the row of a person who did. The session has its permissions and ends with it.",
  ),
  name: described(Schema.String, "The name of the key or person."),
  identity: described(
    Schema.NullOr(Schema.String),
    "The id of the member, or of the identity of an embedding host, that signed in. Null: a key.",
  ),
  role: Schema.Literals(ROLE_NAMES),
  permissions: described(
    Schema.NullOr(Schema.Array(Schema.String)),
    "The key's permissions, if it has fewer than its role. Null: all permissions of the role.",
  ),
  browser: described(Schema.NullOr(Schema.String), "The `User-Agent` at the sign-in."),
  address: described(Schema.NullOr(Schema.String), "The IP address at the sign-in, if the server knows it."),
  current: described(Schema.Boolean, "Whether the request belongs to this session."),
  created_at: dateTime,
  expires_at: dateTime,
  last_used_at: described(Schema.NullOr(dateTime), "The last admitted request, to the minute."),
}).annotate({ identifier: "Session" })
export type Session = typeof Session.Type

export const SessionsGroup = HttpApiGroup.make("sessions")
  .add(
    HttpApiEndpoint.get("list", "/sessions", {
      success: Schema.Struct({ data: Schema.Array(Session) }).annotate({ identifier: "SessionList" }),
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List sessions of the console",
        description: "Lists live sessions, newest first. Without keys.manage, only those of the caller's key.",
      }),
    ),
    HttpApiEndpoint.post("createLink", "/sessions", {
      success: Schema.Struct({
        url: described(Uri, "Opens the console once, signed in as the caller's key."),
        expires_at: dateTime,
      })
        .annotate({ identifier: "SignInLink" })
        .pipe(HttpApiSchema.status(201)),
      error: NotFound.wire,
    })
      .middleware(Idempotency)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Create a one-time link to the console",
          description: "The link works once, within 15 minutes. The session that it opens lasts 12 hours.",
        }),
      ),
    HttpApiEndpoint.delete("end", "/sessions/:id", {
      params: { id: Id },
      success: HttpApiSchema.NoContent,
      error: NotFound.wire,
    }).annotateMerge(
      OpenApi.annotations({
        summary: "End a session of the console",
        description: "Without keys.manage, a session of the caller's key.",
      }),
    ),
  )
  .annotate(OpenApi.Description, "Sessions of the console")
