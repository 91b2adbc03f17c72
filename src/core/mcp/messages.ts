import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { isRecord } from "../common/isRecord.ts"
import { shown } from "../common/options.ts"

/** The supported versions of the protocol that begin with a handshake. The first is the default. */
export const VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] as const

const Params = Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown))

/** A whole number beyond 2^53 would come back as another one, so its client would wait for ever. */
const IdSchema = Schema.Union([
  Schema.String,
  Schema.Finite.check(Schema.makeFilter((id) => !Number.isInteger(id) || Number.isSafeInteger(id))),
])

/** A request, or without id a notification. */
const Request = Schema.Struct({
  jsonrpc: Schema.Literal("2.0"),
  id: Schema.optionalKey(IdSchema),
  method: Schema.String,
  params: Params,
})
export type Request = typeof Request.Type

/** A JSON-RPC message from a client: a request, a notification or a reply (without method). */
export const Message = Schema.Union([Request, Schema.Struct({ jsonrpc: Schema.Literal("2.0"), id: IdSchema })])
export type Message = typeof Message.Type

const decodeMessage = Schema.decodeUnknownOption(Message)

/** A request whose parameters are no object would read as a reply, which nobody answers. */
export const readMessage = (given: unknown): Option.Option<Message> =>
  Option.filter(decodeMessage(given), (message) => "method" in message || !isRecord(given) || !("method" in given))

/** Says what is wrong with a JSON value that `readMessage` does not take. */
export const explainInvalid = (given: unknown): string => {
  // Rate limits count requests.
  if (Array.isArray(given)) return "send one JSON-RPC 2.0 message; batches are not supported"
  if (!isRecord(given)) return `send one JSON-RPC 2.0 message, not ${shown(given)}`
  const { jsonrpc, id, method, params } = given
  if (jsonrpc !== "2.0") return `jsonrpc must be "2.0", not ${shown(jsonrpc)}`
  if ("id" in given && !isId(id))
    return `id must be a string or a number up to ${Number.MAX_SAFE_INTEGER}, not ${shown(id)}`
  if (typeof method !== "string") return `method must be a string, not ${shown(method)}`
  return `params must be an object, not ${shown(params)}`
}

export type Id = string | number | null

export const CODES = {
  parse: -32700,
  request: -32600,
  method: -32601,
  params: -32602,
  internal: -32603,
  resource: -32002,
  header: -32020,
  version: -32022,
} as const

/** A failure with an error code of JSON-RPC or MCP. */
export class RpcError extends Schema.TaggedError<RpcError>()("RpcError", {
  code: Schema.Literals(Object.values(CODES)),
  message: Schema.String,
  data: Schema.optional(Schema.Unknown),
}) {}

export const resultReply = (id: Id, result: unknown) => ({ jsonrpc: "2.0", id, result }) as const

export const errorReply = (id: Id, { code, message, data }: Pick<RpcError, "code" | "message" | "data">) =>
  ({ jsonrpc: "2.0", id, error: { code, message, ...(data !== undefined && { data }) } }) as const

export type Reply = ReturnType<typeof resultReply> | ReturnType<typeof errorReply>

const isId = Schema.is(IdSchema)

/** The id of an arbitrary JSON value, for replying to invalid messages. */
export const idOf = (given: unknown): Id => (isRecord(given) && isId(given["id"]) ? given["id"] : null)
