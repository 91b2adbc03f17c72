import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { Conversation } from "../../../src/adapters/ask/Conversation.ts"
import { type Client, createClient } from "../../../src/adapters/client/client.ts"
import { failureOf } from "../failures.ts"
import { startServer, type TestServer } from "../server.ts"
import { collect } from "../collect.ts"

describe("asking a server", () => {
  let server: TestServer
  let client: Client
  beforeAll(async () => {
    server = await startServer()
    client = createClient({ baseUrl: server.url, key: async () => server.key })
  })
  afterAll(() => server.close())

  it("gets marks for links on request: each is the number of a citation", async () => {
    const asked = { messages: [{ role: "user", content: "Win rate by competitor, and list the lost deals" }] } as const
    const links = await client.answers.create(asked)
    const { message } = await client.answers.create({ ...asked, citations: "marks" })
    const events = await collect(client.answers.stream({ ...asked, citations: "marks" }))
    assert.strictEqual(message.citations.length, links.message.citations.length)
    const marks = [...message.content.matchAll(/\[(\d+)\]/g)].map(([, number]) => Number(number))
    assert.deepStrictEqual(
      [...new Set(marks)],
      message.citations.map((_, index) => index + 1),
    )
    assert.isNotEmpty(marks)
    assert.notMatch(message.content, /\]\(|https?:|show as table/)
    assert.strictEqual(
      events.map((event) => (event.type === "content_delta" ? event.content : "")).join(""),
      message.content,
    )
    const key = { idempotencyKey: "same" }
    await client.answers.create({ ...asked, citations: "marks" }, key)
    assert.strictEqual((await failureOf(client.answers.create(asked, key))).code, "conflict")
    const wrong = client.answers.create({ ...asked, citations: "footnotes" as "marks" })
    assert.strictEqual((await failureOf(wrong)).invalidFields[0]?.field, "citations")
  })

  it("shows an answer with its marks, a follow-up, and what the server recorded of a stopped one", async () => {
    const conversation = new Conversation(() => ({ client }))
    await conversation.ask("How many deals did we win?")
    await conversation.ask("and by competitor?")
    const [first, second] = conversation.getState().turns
    assert.match(first!.text, /^\*\*4 won deals\*\*.*\[1\]/s)
    assert.match(second!.text, /\| Orvanta \[1\] \|/)
    const stopped = new Conversation(() => ({ client, initialTurns: [{ ...second!, status: "stopped", text: "" }] }))
    const before = conversation.getState().turns.slice(0, 1)
    const resumed = new Conversation(() => ({ client, initialTurns: [...before, ...stopped.getState().turns] }))
    await resumed.resume()
    assert.deepStrictEqual(resumed.getState().turns, conversation.getState().turns)
  })
})
