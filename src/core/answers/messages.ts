import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { suggestion } from "../common/nearest.ts"
import { refusedBecause } from "../http/validation/expectation.ts"
import { Text } from "../http/values/parameters.ts"
import type { Message } from "./Answerer.ts"
import { NamedCitation } from "./events.ts"

const MAX_MESSAGES = 100
/** In UTF-16 units. */
export const MAX_CONTENT_LENGTH = 32_000

const DESCRIPTION =
  "The conversation, oldest first. The last message is the user's question. The `message` of a reply may be sent as it is."

const Role = Schema.Literals(["user", "assistant", "system"]).annotate({
  description: "A `system` message asks for a style of answer. It never overrides this service's own instructions.",
})

const TextPart = Schema.Struct({ type: Schema.Literal("text"), text: Text })
const Content = Schema.Union([Text, Schema.Array(TextPart).check(Schema.isMaxLength(MAX_MESSAGES))])

/** Fields that are accepted and not read: replies come back as they were sent, and other services' messages have names. */
const ignored = {
  name: Schema.optionalKey(Schema.NullOr(Text)),
  citations: Schema.optionalKey(Schema.Array(NamedCitation)),
  withheld: Schema.optionalKey(Schema.Int),
}

/** A conversation as the description of the API shows it. */
const Documented = Schema.Array(
  Schema.Struct({
    role: Role,
    content: Schema.NullOr(Content).annotate({
      description: `1 to ${MAX_CONTENT_LENGTH.toLocaleString("en-US")} characters, as text or parts of text. Only that of an assistant may be null or empty.`,
    }),
    ...ignored,
  }).annotate({ identifier: "Message" }),
)
  .check(Schema.isMinLength(1), Schema.isMaxLength(MAX_MESSAGES))
  .annotate({ description: DESCRIPTION })

const OTHER_ROLES: ReadonlySet<string> = new Set(["developer", "tool"])

const Given = Schema.Struct({
  ...ignored,
  role: Schema.String.check(
    Schema.makeFilter(
      (role: string) =>
        Role.literals.some((known) => known === role) ||
        OTHER_ROLES.has(role) ||
        refusedBecause({
          reason: `must be one of ${Role.literals.join(", ")}, unlike '${role.slice(0, 40)}'`,
          ...suggestion(role, Role.literals),
        }),
    ),
  ),
  content: Schema.optionalKey(Schema.NullOr(Content)),
  tool_calls: Schema.optionalKey(Schema.NullOr(Schema.Array(Schema.Unknown))),
  tool_call_id: Schema.optionalKey(Schema.String),
}).check(
  Schema.makeFilter(({ role, content }) => {
    if (role === "tool") return true
    const { length } = textOf(content)
    if (length > MAX_CONTENT_LENGTH)
      return { path: ["content"], issue: `must have at most ${MAX_CONTENT_LENGTH.toLocaleString("en-US")} characters` }
    return length > 0 || role === "assistant" || { path: ["content"], issue: "must not be empty" }
  }),
)

const textOf = (content: typeof Given.Type.content): string =>
  typeof content === "string" ? content : (content ?? []).map(({ text }) => text).join("\n")

/** Drops calls of the caller's tools and their results, which mean nothing here. */
const read = (messages: ReadonlyArray<typeof Given.Type>): ReadonlyArray<Message> =>
  messages.flatMap(({ role, content }) => {
    const text = textOf(content)
    if (role === "tool" || text === "") return []
    return [{ role: role === "developer" ? "system" : (role as Message["role"]), content: text }]
  })

const Conversation = Schema.Array(Given).check(
  Schema.isMinLength(1),
  Schema.isMaxLength(MAX_MESSAGES),
  Schema.makeFilter((messages: ReadonlyArray<typeof Given.Type>) => {
    const last = read(messages).at(-1)
    if (messages.length > 0 && last === undefined) return "must have a message of role user"
    return messages.length === 0 || last?.role === "user" || "must end with a message of role user"
  }),
)

const Message = Schema.Struct({ role: Role, content: Schema.String }).annotate({ identifier: "Message" })

/**
 * The conversation of a question. Accepts more than it describes, because clients of other services send it: the role `developer`,
 * which reads as `system`, and calls of tools with their results, which are dropped.
 */
export const Messages = Schema.Any.check(
  Schema.makeFilter(() => true, {
    representation: { id: "sightline/Messages", payload: null, schemas: [Documented.ast] },
    toJsonSchema: ({ schemas: [documented = {}] }) => documented,
  }),
).pipe(
  Schema.decodeTo(Conversation),
  Schema.decodeTo(
    Schema.Array(Message).annotate({ description: DESCRIPTION }),
    SchemaTransformation.transform<ReadonlyArray<Message>, ReadonlyArray<typeof Given.Type>>({
      decode: read,
      encode: (messages) => messages,
    }),
  ),
) as unknown as Schema.Codec<ReadonlyArray<Message>>
