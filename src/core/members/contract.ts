import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { ROLE_NAMES } from "../access/permissions.ts"
import { dateTime, described } from "../http/values/described.ts"
import { BODY_ERRORS, Conflict, NotFound } from "../http/errors/errors.ts"
import { Id, Text } from "../http/values/parameters.ts"
import { Idempotency } from "../replies/Idempotency.ts"

const MemberSchema = Schema.Struct({
  id: Schema.String,
  email: described(
    Schema.NullOr(Schema.String),
    "Null: the provider gave none that it has verified when the person joined.",
  ),
  name: described(Schema.NullOr(Schema.String), "The name at the provider. Null: the person has not signed in yet."),
  role: Schema.Literals(ROLE_NAMES),
  origin: described(
    Schema.Literals(["added", "provider"]),
    "`added`: by an administrator. `provider`: the person joined by a rule of the server, and each sign-in sets the role anew.",
  ),
  created_at: dateTime,
  last_sign_in_at: described(Schema.NullOr(dateTime), "Null: the person has not signed in yet."),
}).annotate({ identifier: "Member" })
export type Member = typeof MemberSchema.Type

/** At most 254 characters, as in RFC 5321, one `@` that separates two parts, and no white space. */
const Email = Text.check(
  Schema.isMaxLength(254),
  Schema.makeFilter(
    (text: string) =>
      /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+\.[^\s@\p{Cc}]+$/u.test(text) ||
      "must be an e-mail address, such as ada@example.com",
  ),
)

const NewMember = Schema.Struct({
  email: described(Email, "The address that the provider verifies. Its case does not matter."),
  role: described(Schema.Literals(ROLE_NAMES), "At most the caller's role."),
}).annotate({ identifier: "NewMember" })
export type NewMember = typeof NewMember.Type

export const MembersGroup = HttpApiGroup.make("members")
  .add(
    HttpApiEndpoint.get("list", "/members", {
      success: Schema.Struct({ data: Schema.Array(MemberSchema) }).annotate({ identifier: "MemberList" }),
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List members",
        description:
          "Lists the people who may sign in through the OpenID provider of the server, by address. Without keys.manage, only the caller.",
      }),
    ),
    HttpApiEndpoint.post("put", "/members", {
      payload: NewMember,
      success: MemberSchema,
      error: [Conflict.wire, ...BODY_ERRORS],
    })
      .middleware(Idempotency)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Add a member, or change a member's role",
          description:
            "The first person who signs in with this verified address becomes the member. The role of a member with this address is replaced, for open sessions too. An organization has at most 5,000 members.",
        }),
      ),
    HttpApiEndpoint.delete("remove", "/members/:id", {
      params: { id: Id },
      success: HttpApiSchema.NoContent,
      error: NotFound.wire,
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Remove a member",
        description:
          "Ends the member's sessions, connected assistants, links, keys with their lineage, and webhooks. A person who joined by a rule of the server joins again at the next sign-in.",
      }),
    ),
  )
  .annotate(OpenApi.Description, "People who sign in through the OpenID provider of the server")
