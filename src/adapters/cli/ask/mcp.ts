import process from "node:process"
import * as NodeStream from "@effect/platform-node/NodeStream"
import * as Sse from "effect/encoding/Sse"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { CODES, errorReply, type Id } from "../../../core/mcp/messages.ts"
import { headersFor, isStateless } from "../../../core/mcp/stateless.ts"
import { configuration } from "../../configuration/configuration.ts"
import { readDemo } from "../connection/demoKey.ts"
import { findAddress } from "../connection/server.ts"
import { Usage } from "../connection/workspace.ts"

/** The server sent no message: it refused the request or is unreachable. */
const UNANSWERED = -32_000

/** Concurrent messages. */
const MAX_CONCURRENT = 16

class StdinFailed extends Schema.TaggedError<StdinFailed>()("StdinFailed", { message: Schema.String }) {}

/**
 * Serves the Model Context Protocol over stdin and stdout: passes each line, a message, to `/mcp` of a running server.
 * Keys, permissions and limits are therefore the server's. Ends with stdin.
 */
export const mcp = Effect.fnUntraced(function* (input: { readonly url: Option.Option<string> }) {
  const settings = yield* configuration
  const address = yield* findAddress(settings, input.url)
  const kept = (yield* readDemo(settings))?.key
  const key = settings.apiKey === undefined ? kept : Redacted.value(settings.apiKey)
  if (key === undefined)
    return yield* new Usage({ message: "set SIGHTLINE_API_KEY to a key of the workspace to serve" })
  const url = `${address.replace(/\/+$/, "").replace(/\/(?:api\/v1|mcp)$/, "")}/mcp`
  const underWay = new Map<unknown, Fiber.Fiber<unknown>>()
  let version: string | undefined

  const passOn = Effect.fnUntraced(function* (line: string) {
    const message = Option.getOrUndefined(decode(line))
    if (message === undefined)
      return yield* write(errorReply(null, { code: CODES.parse, message: "the line is not JSON" }))
    const { id, method, params } = message
    const cancelled = method === "notifications/cancelled" ? underWay.get(params?.["requestId"]) : undefined
    if (cancelled !== undefined) return yield* Fiber.interrupt(cancelled)
    const request = { jsonrpc: "2.0", method: method ?? "", ...(params !== undefined && { params }) } as const
    const stated = isStateless(request)
      ? headersFor(request)
      : { ...(version !== undefined && { "mcp-protocol-version": version }) }
    const fiber = yield* Effect.forkChild(post(url, key, stated, line))
    if (id !== undefined) underWay.set(id, fiber)
    const reply = yield* Effect.ensuring(
      Fiber.await(fiber),
      Effect.sync(() => underWay.delete(id)),
    )
    if (id === undefined || reply._tag === "Failure") return
    const answer = replyOf(id, reply.value)
    if (method === "initialize") version = versionOf(answer)
    yield* write(answer)
  })

  const stdin = NodeStream.fromReadable<Uint8Array, StdinFailed>({
    evaluate: () => process.stdin,
    onError: (cause) => new StdinFailed({ message: String(cause) }),
  })
  yield* stdin.pipe(
    Stream.decodeText(),
    Stream.splitLines,
    Stream.filter((line) => line.trim() !== ""),
    Stream.mapEffect(passOn, { concurrency: MAX_CONCURRENT, unordered: true }),
    Stream.runDrain,
  )
})

const Params = Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown))
const Line = Schema.Struct({
  id: Schema.optionalKey(Schema.Union([Schema.String, Schema.Finite])),
  method: Schema.optionalKey(Schema.String),
  params: Params,
})
const decode = Schema.decodeUnknownOption(Schema.fromJsonString(Line))

interface Posted {
  readonly status: number
  readonly text: string
}

const post = (
  url: string,
  key: string,
  stated: Readonly<Record<string, string>>,
  body: string,
): Effect.Effect<Posted> =>
  Effect.tryPromise(async (signal) => {
    const headers = {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...stated,
    }
    const reply = await fetch(url, { method: "POST", headers, body, signal })
    const events = reply.headers.get("content-type")?.startsWith("text/event-stream") === true
    return { status: reply.status, text: events ? await relayReply(reply) : await reply.text() }
  }).pipe(Effect.orElseSucceed(() => ({ status: 0, text: "" })))

/** Passes leading notifications on; returns the reply, which comes last. */
const relayReply = async (reply: Response) => {
  let last = ""
  const parser = Sse.makeParser((event) => {
    if (event._tag !== "Event") return
    if (last !== "") process.stdout.write(`${last}\n`)
    last = event.data
  })
  for await (const text of reply.body?.pipeThrough(new TextDecoderStream()) ?? []) parser.feed(text)
  return last
}

const Reply = Schema.fromJsonString(Schema.Struct({ jsonrpc: Schema.Literal("2.0"), result: Params, error: Params }))
const decodeReply = Schema.decodeUnknownOption(Reply)
const decodeRefusal = Schema.decodeUnknownOption(
  Schema.fromJsonString(Schema.Struct({ error: Schema.Struct({ code: Schema.String, message: Schema.String }) })),
)

/** The server's reply, or its failure, as a message. */
const replyOf = (id: Id, { status, text }: Posted) => {
  const reply = Option.getOrUndefined(decodeReply(text))
  if (reply !== undefined) return { ...reply, id }
  const refusal = Option.getOrUndefined(decodeRefusal(text))?.error
  const message = status === 0 ? "the server is unreachable" : (refusal?.message ?? `the server replied with ${status}`)
  return { jsonrpc: "2.0", id, error: { code: UNANSWERED, message, data: { status, code: refusal?.code } } }
}

const versionOf = (answer: object): string | undefined => {
  const version =
    "result" in answer ? (answer.result as { readonly protocolVersion?: unknown })?.protocolVersion : undefined
  return typeof version === "string" ? version : undefined
}

const write = (message: object) => Effect.sync(() => void process.stdout.write(`${JSON.stringify(message)}\n`))
