import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { isRecord } from "../common/isRecord.ts"

/** The supported versions of the protocol that begin with a handshake. The first is the default. */
export const VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] as const

const Params = Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown))

/** A request, or without id a notification. */
const Request = Schema.Struct({
  jsonrpc: Schema.Literal("2.0"),
  id: Schema.optionalKey(Schema.Union([Schema.String, Schema.Finite])),
  method: Schema.String,
  params: Params,
})
export type Request = typeof Request.Type

/** A JSON-RPC message from a client: a request, a notification or a reply (without method). */
export const Message = Schema.Union([
  Request,
  Schema.Struct({ jsonrpc: Schema.Literal("2.0"), id: Schema.Union([Schema.String, Schema.Finite]) }),
])
export type Message = typeof Message.Type

const decodeMessage = Schema.decodeUnknownOption(Message)

/** A request whose parameters are no object would read as a reply, which nobody answers. */
export const readMessage = (given: unknown): Option.Option<Message> =>
  Option.filter(decodeMessage(given), (message) => "method" in message || !isRecord(given) || !("method" in given))

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

/** The id of an arbitrary JSON value, for replying to invalid messages. */
export const idOf = (given: unknown): Id =>
  typeof given === "object" &&
  given !== null &&
  "id" in given &&
  (typeof given.id === "string" || typeof given.id === "number")
    ? given.id
    : null
