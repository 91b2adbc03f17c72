import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import * as Effect from "effect/Effect"
import { late, until } from "../support/until.ts"

/** The request that the model receives. */
export interface ChatRequest {
  readonly model: string
  readonly stream: boolean
  readonly tools?: ReadonlyArray<{ readonly function: { readonly name: string; readonly parameters: object } }>
  readonly tool_choice?: string
  readonly messages: ReadonlyArray<{
    readonly role: string
    readonly content: string | null
    readonly tool_calls?: ReadonlyArray<{
      readonly id: string
      readonly function: { readonly name: string; readonly arguments: string }
    }>
  }>
}

/** The server's replies to requests, in order. Text is sent in pieces of seven characters. */
export type Act =
  | { readonly text: string }
  | { readonly call: string; readonly args: unknown; readonly id?: string }
  | { readonly status: number; readonly headers?: Record<string, string> }
  | { readonly raw: string }
  /** Not streamed: a reply in one. */
  | { readonly json: object }
  | { readonly hang: true }
  | { readonly cut: true }
  /** The reply ends here, without the end that the protocol has. */
  | { readonly end: true }
  | { readonly wait: number }
  /** Goes on when this holds. */
  | { readonly until: () => boolean }

export type Script = (request: ChatRequest, nth: number) => ReadonlyArray<Act>

/** A server on this machine that speaks OpenAI's chat completions, and does what a script says. */
export const modelServer = (script: Script) =>
  Effect.gen(function* () {
    const requests: Array<ChatRequest & { readonly authorization: string | undefined; readonly at: number }> = []
    let aborted: () => void = () => {}
    const abort = new Promise<void>((resolve) => (aborted = resolve))
    const server = yield* Effect.acquireRelease(
      Effect.promise(async () => {
        const server = createServer(async (incoming, outgoing) => {
          const body = JSON.parse(await text(incoming)) as ChatRequest
          requests.push({ ...body, authorization: incoming.headers.authorization, at: performance.now() })
          outgoing.on("close", () => outgoing.writableFinished || aborted())
          await perform(script(body, requests.length - 1), outgoing)
        })
        await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
        return server
      }),
      (server) => Effect.sync(() => (server.closeAllConnections(), server.close())),
    )
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, requests, abort }
  })

const text = async (incoming: IncomingMessage) => {
  let all = ""
  for await (const piece of incoming) all += String(piece)
  return all
}

const perform = async (acts: ReadonlyArray<Act>, outgoing: ServerResponse) => {
  const send = (data: object | string) =>
    outgoing.write(`data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`)
  const delta = (delta: object) => send({ choices: [{ index: 0, delta, finish_reason: null }] })
  const begin = () => {
    if (!outgoing.headersSent) outgoing.writeHead(200, { "content-type": "text/event-stream" })
  }
  let calls = 0
  for (const act of acts) {
    if (outgoing.destroyed) return
    if ("status" in act)
      return void outgoing.writeHead(act.status, act.headers).end('{"error":{"message":"secret of theirs"}}')
    if ("json" in act) {
      const choice = { index: 0, message: { role: "assistant", ...act.json }, finish_reason: "stop" }
      outgoing.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ choices: [choice] }))
      return
    }
    begin()
    if ("hang" in act) return void outgoing.flushHeaders()
    if ("end" in act) return void outgoing.end()
    if ("cut" in act) return void outgoing.destroy()
    if ("raw" in act) outgoing.write(act.raw)
    else if ("wait" in act) await late(act.wait)
    else if ("until" in act) await until("the script goes on", act.until)
    else if ("text" in act) for (const piece of act.text.match(/.{1,7}/gs) ?? []) delta({ content: piece })
    else {
      const index = calls++
      const args = typeof act.args === "string" ? act.args : JSON.stringify(act.args)
      delta({
        tool_calls: [
          { index, id: act.id ?? `c${index}`, type: "function", function: { name: act.call, arguments: "" } },
        ],
      })
      for (const piece of args.match(/.{1,5}/gs) ?? [])
        delta({ tool_calls: [{ index, function: { arguments: piece } }] })
    }
  }
  begin()
  send({ choices: [{ index: 0, delta: {}, finish_reason: calls > 0 ? "tool_calls" : "stop" }] })
  send({ choices: [], usage: { prompt_tokens: 100, completion_tokens: 10 } })
  send("[DONE]")
  outgoing.end()
}

/** The results of tools so far, the newest last. */
export const results = ({ messages }: ChatRequest): ReadonlyArray<any> =>
  messages.flatMap(({ role, content }) => (role === "tool" ? [JSON.parse(content ?? "null")] : []))

/** The ref of the first passage that holds these words. */
export const refOf = (request: ChatRequest, words: string): string =>
  results(request)
    .flatMap((result) => [...(result.passages ?? []), ...(result.deals ?? []), ...(result.assets ?? [])])
    .find((item) => JSON.stringify(item).includes(words))?.ref ?? "none"
