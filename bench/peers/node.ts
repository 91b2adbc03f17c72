import { createServer } from "node:http"
import { DUTIES, organizationOf, port } from "./deals.ts"
import { makeDuties } from "./duties.ts"
import { makePool } from "./pool.ts"
import { makeAnswer } from "./postgresJs.ts"

/** node:http + postgres.js, and nothing else; with `--duties`, keys and limits before each answer. */
const answer = makeAnswer()
const duties = DUTIES ? await makeDuties(makePool()) : undefined

createServer((request, response) => {
  const url = new URL(request.url!, "http://localhost")
  const respond = async () => {
    let org: string | undefined
    let headers: Record<string, string> = {}
    if (duties !== undefined) {
      const decision = await duties(request.headers.authorization)
      if (decision.status !== 200) {
        const refusal = JSON.stringify({ error: { code: decision.status } })
        response.writeHead(decision.status, { ...decision.headers, "content-length": refusal.length }).end(refusal)
        return
      }
      ;({ org, headers } = decision)
    }
    const body = await answer(org ?? organizationOf(request.headers), url.searchParams)
    response
      .writeHead(200, { ...headers, "content-type": "application/json", "content-length": Buffer.byteLength(body) })
      .end(body)
  }
  respond().catch((error: unknown) => {
    console.error(error)
    response.writeHead(500).end()
  })
}).listen(port, "127.0.0.1")
