import { once } from "node:events"
import { connect } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { RUNTIMES, type Runtime, startServer } from "../processes.ts"

/** The default limits of the servers are 120 s and more. */
const MAX_MS = 60_000

/** `Deno.serve` has no way to end a connection. */
const ABLE = (Object.keys(RUNTIMES) as ReadonlyArray<Runtime>).filter((runtime) => runtime !== "Deno")

for (const runtime of ABLE) {
  describe(`a refused request on ${runtime}`, () => {
    it.live("whose body does not end is answered, and its socket is closed soon", () =>
      Effect.gen(function* () {
        const { url } = yield* Effect.acquireRelease(
          Effect.promise(() => startServer(runtime, { SIGHTLINE_DATABASE_URL: "memory:" })),
          ({ child }) => Effect.sync(() => child.kill("SIGKILL")),
        )
        yield* Effect.promise(async () => {
          const socket = connect(Number(new URL(url).port), "127.0.0.1").on("error", () => {})
          let reply = ""
          socket.setEncoding("utf8").on("data", (text: string) => (reply += text))
          const closed = once(socket, "close")
          const began = performance.now()
          socket.write("POST /api/v1/responses HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n")
          socket.write('Content-Length: 100000\r\n\r\n{"messages"')
          await closed
          assert.match(reply, /^HTTP\/1.1 401 /)
          assert.isBelow(performance.now() - began, MAX_MS)
        })
      }),
    )
  })
}
