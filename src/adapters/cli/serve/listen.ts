import type { IncomingHttpHeaders } from "node:http"
import process from "node:process"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { isGenuine } from "../../../core/webhooks/signature.ts"
import { cannotListen } from "../../serving/address.ts"
import { print } from "../terminal/output.ts"
import { signal } from "../terminal/signal.ts"
import { Usage } from "../connection/workspace.ts"

const HOST = "127.0.0.1"
const MAX_BODY_BYTES = 1024 * 1024

/** Receives a webhook's deliveries on this machine, verifies and prints each. Replies 204 to genuine ones and 401 to others. */
export const listen = Effect.fnUntraced(function* (input: {
  readonly secret: Redacted.Redacted
  readonly port: number
  readonly json: boolean
}) {
  const secret = Redacted.value(input.secret)
  if (!/^whsec_[\w+/=-]+$/.test(secret))
    return yield* new Usage({
      message: "--secret must be the whsec_… from the reply that created or rotated the webhook",
    })
  const { createServer } = process.getBuiltinModule("node:http")
  const context = yield* Effect.context<never>()
  const server = createServer((request, response) => {
    let body = ""
    request.setEncoding("utf8").on("data", (text: string) => {
      body += text
      if (body.length > MAX_BODY_BYTES) request.destroy()
    })
    request.on("end", () => {
      const delivery = receive(secret, request.headers, body)
      Effect.runPromiseWith(context)(print(input.json, delivery, linesOf(delivery))).then(() =>
        response.writeHead(delivery.genuine ? 204 : 401).end(),
      )
    })
  })
  yield* Effect.acquireRelease(
    Effect.callback<void, ReturnType<typeof cannotListen>>((resume) => {
      server.once("error", (cause) => resume(Effect.fail(cannotListen(HOST, input.port, cause))))
      server.listen(input.port, HOST, () => resume(Effect.void))
    }),
    () => Effect.sync(() => (server.closeAllConnections(), server.close())),
  )
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : input.port
  yield* print(input.json, { listening: `http://localhost:${port}/`, port }, [
    `Listening for deliveries at http://localhost:${port}/; press Ctrl-C to stop.`,
    `Start the server with SIGHTLINE_WEBHOOK_HOSTS=localhost:${port}.`,
  ])
  yield* signal
}, Effect.scoped)

interface Delivery {
  readonly genuine: boolean
  readonly id: string | undefined
  readonly type: string | undefined
  readonly timestamp: string | undefined
  readonly data: unknown
}

const receive = (secret: string, headers: IncomingHttpHeaders, body: string): Delivery => {
  const [id, timestamp, signature] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) =>
    headers[name]?.toString(),
  )
  const event = parseEvent(body)
  return {
    genuine: isGenuine(
      secret,
      { "webhook-id": id ?? "", "webhook-timestamp": timestamp ?? "", "webhook-signature": signature ?? "" },
      body,
    ),
    id,
    type: event["type"]?.toString(),
    timestamp: event["timestamp"]?.toString(),
    data: event["data"],
  }
}

const parseEvent = (body: string): Record<string, unknown> => {
  try {
    const event: unknown = JSON.parse(body)
    return typeof event === "object" && event !== null ? { ...event } : {}
  } catch {
    return {}
  }
}

const linesOf = ({ genuine, id, type, timestamp, data }: Delivery) =>
  genuine
    ? [`${timestamp}  ${type}  ${JSON.stringify(data)}  ${id}`]
    : [`refused: the signature is not from this secret, or is older than 5 minutes (${id ?? "without webhook-id"})`]
