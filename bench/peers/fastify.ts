import Fastify from "fastify"
import { bodyOf, DUTIES, organizationOf, port, statementFor } from "./deals.ts"
import { makeDuties } from "./duties.ts"
import { makePool } from "./pool.ts"

/** Fastify + node-postgres; with `--duties`, keys and limits before each answer. */
const pool = makePool()
const app = Fastify()
const names = new Map<string, string>()

if (DUTIES) {
  const duties = await makeDuties(pool)
  app.addHook("onRequest", async (request, reply) => {
    const decision = await duties(request.headers.authorization)
    reply.headers(decision.headers)
    if (decision.status !== 200) return reply.code(decision.status).send({ error: { code: decision.status } })
    request.headers["x-organization"] = decision.org
  })
}

app.get("/api/v1/deals", async (request, reply) => {
  const url = request.url
  const at = url.indexOf("?")
  const statement = statementFor(organizationOf(request.headers), new URLSearchParams(at < 0 ? "" : url.slice(at + 1)))
  // PostgreSQL parses a named statement once per connection.
  let name = names.get(statement.text)
  if (name === undefined) names.set(statement.text, (name = `deals${names.size}`))
  const { rows } = await pool.query({ name, text: statement.text, values: statement.values })
  return reply.type("application/json").send(bodyOf(rows, statement))
})

await app.listen({ port, host: "127.0.0.1" })
