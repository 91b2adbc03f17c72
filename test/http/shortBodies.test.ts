import { once } from "node:events"
import { connect } from "node:net"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { layerServed, Served } from "../mcp/served.ts"
import { engines } from "../support/engines.ts"

const BYTES = 70_000

layer(layerServed(engines[0].database), { excludeTestServices: true })((it) => {
  it.effect("refuses a long body of a caller without a key before the body ends", () =>
    Effect.gen(function* () {
      const { url } = yield* Served
      const { port, host } = new URL(url)
      for (const path of ["/oauth/token", "/oauth/revoke", "/oauth/register", "/oauth/authorize", "/console/session"])
        yield* Effect.promise(async () => {
          const socket = connect(Number(port), "127.0.0.1").on("error", () => {})
          const heads = ["Content-Type: application/x-www-form-urlencoded", "X-Sightline-Console: 1"]
          socket.write(`POST ${path} HTTP/1.1\r\nHost: ${host}\r\n${heads.join("\r\n")}\r\n`)
          socket.write(`Transfer-Encoding: chunked\r\n\r\n${BYTES.toString(16)}\r\n${"a".repeat(BYTES)}\r\n`)
          const [reply] = await once(socket, "data")
          socket.destroy()
          assert.match(String(reply), /^HTTP\/1.1 400 /, path)
        })
    }),
  )
})
