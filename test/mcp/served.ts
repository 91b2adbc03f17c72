import { createServer, request, type RequestOptions } from "node:http"
import type { AddressInfo } from "node:net"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { serve } from "../../src/adapters/node.ts"
import { type Runtime, RUNTIMES } from "../adapters/processes.ts"
import { layerDouble } from "../answers/double.ts"
import { makeWorkspace } from "../answers/workspace.ts"
import type { engines } from "../support/engines.ts"
import { layerLibrary } from "../support/web.ts"

type Workspace = Effect.Success<ReturnType<typeof makeWorkspace>>

/** A server that listens, with a workspace behind it. */
export class Served extends Context.Service<
  Served,
  {
    readonly url: string
    readonly mine: Workspace
    readonly other: Workspace
  }
>()("test/Served") {}

export const layerServed = (
  database: (typeof engines)[number]["database"],
  onAnswerEnd?: Parameters<typeof layerDouble>[0],
) =>
  Layer.effect(
    Served,
    Effect.gen(function* () {
      let made: readonly [Workspace, Workspace] | undefined
      const prepare = Effect.gen(function* () {
        made = [yield* makeWorkspace(), yield* makeWorkspace()]
      })
      const { url } = yield* serve({
        database: Layer.orDie(database),
        library: layerLibrary(),
        answerer: layerDouble(onAnswerEnd),
        port: 0,
        prepare,
      })
      return Served.of({ url, mine: made![0], other: made![1] })
    }),
  )

/** A client of the official SDK. */
export const connected = Effect.fnUntraced(function* (url: string, key: string) {
  return yield* Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new Client({ name: "test", version: "1" })
      const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
        requestInit: { headers: { authorization: `Bearer ${key}` } },
      })
      await client.connect(transport as never)
      return client
    }),
    (client) => Effect.promise(() => client.close()),
  )
})

/** A client of the official SDK that starts `sightline mcp` on a runtime. */
export const started = Effect.fnUntraced(function* (runtime: Runtime, url: string, key: string) {
  const [command, ...args] = RUNTIMES[runtime]
  return yield* Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new Client({ name: "test", version: "1" })
      const env = { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "", SIGHTLINE_API_KEY: key }
      await client.connect(new StdioClientTransport({ command, args: [...args, "mcp", "--url", url], env }))
      return client
    }),
    (client) => Effect.promise(() => client.close()),
  )
})

/** The same server to callers without a key: the conformance suite sends none. */
export const withKey = (url: string, key: string) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(async () => {
        const server = createServer((incoming, outgoing) => {
          const { method, headers } = incoming
          const forwarded = request(`${url}${incoming.url}`, {
            method,
            headers: { ...headers, authorization: `Bearer ${key}` },
          } as RequestOptions)
          forwarded.on("response", (reply) => {
            outgoing.writeHead(reply.statusCode ?? 502, reply.headers)
            reply.pipe(outgoing)
          })
          incoming.pipe(forwarded)
        })
        await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
        return server
      }),
      (server) => Effect.sync(() => (server.closeAllConnections(), server.close())),
    ),
    (server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  )
