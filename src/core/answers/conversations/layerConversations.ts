import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Caller } from "../../access/permissions.ts"
import { MAX_CONTENT_LENGTH } from "../messages.ts"
import { removeMarks } from "../citations/MarkWriter.ts"
import { makeId } from "../../common/ids.ts"
import { shorten } from "../../common/shorten.ts"
import { NotFound } from "../../http/errors/errors.ts"
import { badRequest } from "../../http/validation/validation.ts"
import { Database } from "../../storage/Database.ts"
import { inOrganization } from "../../storage/inOrganization.ts"
import { utc } from "../../storage/sql.ts"
import { Conversations, NEW } from "./Conversations.ts"
import type { Conversation, ConversationEntry, ConversationTurn } from "./contract.ts"
import { MAX_CONVERSATIONS_PER_KEY, MAX_TURNS } from "./limits.ts"

export const layerConversations = Layer.effect(
  Conversations,
  Effect.gen(function* () {
    const { sql, scoped, transaction } = yield* Database
    const about = sql.literal(
      `c.id, c.title, ${utc("c.created_at")} as created_at, ${utc("c.updated_at")} as updated_at`,
    )

    const readTurns = ({ organizationId }: Caller, id: string) =>
      scoped<ConversationTurn>(
        organizationId,
        sql`select t.question, t.answer, t.style, t.citations::json as citations,
            ${sql.literal(utc("t.asked_at"))} as asked_at
          from conversation_turns t where t.org_id = scope.org and t.conversation_id = ${id} order by t.number`,
      )

    const get = Effect.fn("Conversations.get")(function* (caller: Caller, id: string) {
      const [found] = yield* scoped<Omit<Conversation, "turns">>(
        caller.organizationId,
        sql`select ${about} from conversations c
          where c.org_id = scope.org and c.id = ${id} and c.key_id = ${caller.keyId}`,
      )
      if (found === undefined) return yield* unknown
      return { ...found, turns: yield* readTurns(caller, id) }
    })

    /** Begins a conversation, and deletes those beyond the limit. */
    const begin = Effect.fnUntraced(function* ({ organizationId, keyId }: Caller, question: string) {
      const id = yield* makeId("conv")
      yield* sql`delete from conversations where org_id = ${organizationId} and id in (
        select c.id from conversations c where c.org_id = ${organizationId} and c.key_id = ${keyId}
        order by c.updated_at desc, c.id offset ${MAX_CONVERSATIONS_PER_KEY - 1})`
      yield* sql`insert into conversations (org_id, id, key_id, title)
        values (${organizationId}, ${id}, ${keyId}, ${shorten(question.replaceAll(/\s+/g, " "))})`
      return id
    })

    /** Locks the conversation, so that its turns are numbered one after the other. */
    const goOn = Effect.fnUntraced(function* ({ organizationId, keyId }: Caller, id: string) {
      const [held] = yield* sql`update conversations set updated_at = now()
        where org_id = ${organizationId} and id = ${id} and key_id = ${keyId} returning id`
      return held === undefined ? yield* unknown : id
    })

    return Conversations.of({
      list: ({ organizationId, keyId }) =>
        scoped<ConversationEntry>(
          organizationId,
          sql`select ${about}, count(t.number)::int as turns
            from conversations c left join conversation_turns t on t.org_id = c.org_id and t.conversation_id = c.id
            where c.org_id = scope.org and c.key_id = ${keyId}
            group by c.org_id, c.id, c.title, c.created_at, c.updated_at
            order by c.updated_at desc, c.id limit ${MAX_CONVERSATIONS_PER_KEY}::int`,
        ),
      get,
      remove: Effect.fn("Conversations.remove")(function* ({ organizationId, keyId }, id) {
        const removed = yield* transaction(
          organizationId,
          sql`delete from conversations where org_id = ${organizationId} and key_id = ${keyId}
            and (${id ?? null}::text is null or id = ${id ?? null}) returning id`,
        )
        if (id !== undefined && removed.length === 0) return yield* unknown
      }),
      before: Effect.fn("Conversations.before")(function* (caller, conversation) {
        if (conversation === NEW) return []
        const { turns } = yield* get(caller, conversation)
        if (turns.length >= MAX_TURNS) return yield* full
        return turns.flatMap(({ question, answer, style }) => [
          { role: "user" as const, content: question },
          { role: "assistant" as const, content: shortened(style === "marks" ? removeMarks(answer) : answer) },
        ])
      }),
      keep: Effect.fn("Conversations.keep")(function* (caller, conversation, question, { content, citations }, style) {
        const { organizationId } = caller
        return yield* transaction(
          organizationId,
          Effect.gen(function* () {
            const id = yield* conversation === NEW ? begin(caller, question) : goOn(caller, conversation)
            yield* sql`insert into conversation_turns (org_id, conversation_id, number, question, answer, style, citations)
              select ${organizationId}, ${id}, coalesce(max(t.number), 0) + 1, ${question}, ${content}, ${style},
                ${JSON.stringify(citations)}::jsonb
              from conversation_turns t where t.org_id = ${organizationId} and t.conversation_id = ${id} returning 1`
            return id
          }),
        )
      }),
    })
  }).pipe(inOrganization),
)

/** As long as a message of a question may be. */
const shortened = (answer: string) => answer.slice(0, MAX_CONTENT_LENGTH).toWellFormed()

const unknown = new NotFound({ message: "no conversation of yours has this id" })
const full = badRequest({
  invalid: [
    { field: "conversation", reason: `has ${MAX_TURNS} questions, which is the limit; begin another with "${NEW}"` },
  ],
})
