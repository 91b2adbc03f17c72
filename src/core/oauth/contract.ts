import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { dateTime, described } from "../http/values/described.ts"
import { NotFound } from "../http/errors/errors.ts"
import { Id } from "../http/values/parameters.ts"

const GrantedAccess = Schema.Struct({
  id: Schema.String,
  client_id: described(Schema.String, "The application's id: the address of its description, or a registered id."),
  client_name: described(Schema.String, "The name that the application gave itself when the person connected it."),
  key_id: described(Schema.String, "The key or identity that the application acts as. The grant ends with it."),
  identity: described(Schema.NullOr(Schema.String), "The id of an identity of the embedding host. Null: a key."),
  name: described(Schema.String, "The name of the key or identity."),
  scopes: described(Schema.Array(Schema.String), "The scopes that the person granted."),
  permissions: described(Schema.Array(Schema.String), "The permissions of these scopes that the person had."),
  created_at: dateTime,
  expires_at: described(dateTime, "When the person is asked again: 30 days after the consent."),
  last_used_on: described(Schema.NullOr(Schema.String), "The last day with a request, in UTC. Null: none yet."),
}).annotate({ identifier: "Grant" })
export type GrantedAccess = typeof GrantedAccess.Type

export const GrantsGroup = HttpApiGroup.make("grants")
  .add(
    HttpApiEndpoint.get("list", "/grants", {
      success: Schema.Struct({ data: Schema.Array(GrantedAccess) }).annotate({ identifier: "GrantList" }),
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List connected assistants",
        description:
          "Lists the applications that people connected to `/mcp` by signing in, newest first. Without keys.manage, only those of the caller's key or identity.",
      }),
    ),
    HttpApiEndpoint.delete("end", "/grants/:id", {
      params: { id: Id },
      success: HttpApiSchema.NoContent,
      error: NotFound.wire,
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Disconnect an assistant",
        description: "Its tokens stop at once. Without keys.manage, a grant of the caller's key or identity.",
      }),
    ),
  )
  .annotate(OpenApi.Description, "Assistants that people connected by signing in")
