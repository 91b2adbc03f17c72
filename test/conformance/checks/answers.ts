import assert from "node:assert/strict"
import { section } from "../Check.ts"
import { type Client, invalidFields, type Options, refusal } from "../Client.ts"
import { DEAL_IDS } from "../dataset.ts"
import { settled, taken, toLibrary } from "../upload.ts"

const RESPONSES = "/responses"
const COUNTED = "How many deals are there?"
const TOOLS: ReadonlySet<string> = new Set([
  "search_knowledge_base",
  "search_deal_documents",
  "search_deals",
  "select_deal",
  "search_across_deals",
  "search_competitors",
  "get_assets",
  "count_deals",
  "report_deals",
  "report_features",
  "describe_workspace",
  "read_document",
])
const CITATION = ["deal_id", "deal_name", "document_id", "document_name", "excerpt", "url"]

const user = (content: string) => ({ role: "user", content })
const ask = (api: Client, content: string, more: object = {}, options: Options = {}) =>
  api.post(RESPONSES, { messages: [user(content)], ...more }, options)

interface Answer {
  readonly message: {
    readonly role: string
    readonly content: string
    readonly citations: ReadonlyArray<Readonly<Record<string, string | null>>>
  }
  readonly tool_calls: ReadonlyArray<string>
}

const answer = async (api: Client, content: string): Promise<Answer> => {
  const { status, json, text } = await ask(api, content)
  assert.equal(status, 200, text)
  return json
}

const events = (body: string) =>
  body
    .split("\n\n")
    .filter((block) => block !== "" && !block.startsWith(":"))
    .map((block) => {
      const lines = block.split("\n")
      assert.deepEqual(
        lines.map((line) => line.split(": ", 1)[0]),
        ["id", "data"],
        block,
      )
      return { id: lines[0]!.slice(4), data: JSON.parse(lines[1]!.slice(6)) }
    })

const streamed = async (api: Client, content: string, more: object = {}, options: Options = {}) => {
  const reply = await ask(api, content, { stream: true, ...more }, options)
  assert.equal(reply.status, 200, reply.text)
  assert.match(reply.headers.get("content-type") ?? "", /^text\/event-stream/)
  return { reply, events: events(reply.text) }
}

const refused = async (api: Client, body: unknown, field: string) => {
  const error = refusal(await api.post(RESPONSES, body, { key: api.spare }), 400, "bad_request")
  const { missing_fields = [], unknown_fields = [] } = error.details ?? {}
  assert.ok([...missing_fields, ...unknown_fields, ...invalidFields(error)].includes(field), JSON.stringify(error))
}

/** The page of a citation marks its excerpt. */
const opensAt = async (api: Client, url: string, excerpt: string) => {
  const page = await api.request(new URL(url, api.origin).href, { key: null })
  assert.equal(page.status, 200)
  assert.match(page.headers.get("content-type") ?? "", /^text\/html/)
  const marked = [...page.text.matchAll(/<mark[^>]*>(.*?)<\/mark>/g)].map(([, text]) => text).join("")
  const plain = (text: string) => text.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, "").replaceAll(/[&<>"'\s]/g, "")
  assert.equal(plain(marked), plain(excerpt))
}

const linksOf = (content: string) => [...content.matchAll(/\]\(([^)\s]*)\)/g)].map(([, url]) => url!)

const isWhole = ({ message, tool_calls }: Answer) => {
  assert.equal(message.role, "assistant")
  assert.equal(typeof message.content, "string")
  for (const name of tool_calls) assert.ok(TOOLS.has(name), name)
  for (const citation of message.citations) assert.deepEqual(Object.keys(citation).sort(), CITATION)
  const urls = message.citations.map(({ url }) => url!)
  assert.deepEqual([...new Set(linksOf(message.content))].sort(), urls.toSorted())
}

export const answers = section("POST /responses", ["data"], {
  "message with role assistant, content and citations, and tool_calls naming tools": async (api) => {
    const reply = await ask(api, COUNTED)
    assert.equal(reply.status, 200, reply.text)
    assert.match(reply.headers.get("content-type") ?? "", /^application\/json/)
    assert.deepEqual(Object.keys(reply.json).sort(), ["message", "tool_calls"])
    assert.deepEqual(Object.keys(reply.json.message).sort(), ["citations", "content", "role"])
    isWhole(reply.json)
  },

  "inline links match the citations; each opens the viewer on a text with the excerpt": async (api) => {
    const { message } = await answer(api, "List the deals that we lost")
    assert.ok(message.citations.length > 0)
    for (const { url, excerpt, deal_id, document_id } of message.citations.slice(0, 3)) {
      assert.ok(DEAL_IDS.includes(deal_id!))
      assert.equal(document_id, deal_id)
      await opensAt(api, url!, excerpt!)
    }
  },

  "a number cites a report, which opens with the row that holds it": async (api) => {
    const { message } = await answer(api, COUNTED)
    const [citation] = message.citations
    assert.match(citation?.document_id ?? "", /^rpt_/)
    assert.deepEqual([citation!.deal_id, citation!.deal_name], [null, null])
    await opensAt(api, citation!.url!, citation!.excerpt!)
    const url = new URL(citation!.url!).pathname
    const open = async (key: string | null) => (await api.request(new URL(url, api.origin).href, { key })).text
    const behind = '<th scope="col">deal</th>'
    assert.ok(!(await open(null)).includes(behind), "deals without a key")
    assert.ok((await open(api.target.key)).includes(behind), "no deals with a key")
    const forged = await api.request(new URL(`${citation!.url}x`, api.origin).href, { key: null })
    assert.equal(forged.status, 404)
  },

  "a question without matching data gets an answer that says so, without citations": async (api) => {
    const { message } = await answer(api, "What is the boiling point of molybdenum hexafluoride?")
    assert.ok(message.content.length > 0)
    assert.deepEqual(message.citations, [])
    assert.deepEqual(linksOf(message.content), [])
  },

  "a count is that of GET /deals": async (api) => {
    const { message, tool_calls } = await answer(api, "How many deals did we lose to Acme?")
    const { count } = await api.get("/deals", { count: true, status: ["Closed Lost"], competitors: ["Acme"] })
    assert.match(message.content, count === 0 ? /\*\*No deal\*\*/ : new RegExp(`\\*\\*${count} deals?\\*\\*`))
    assert.ok(tool_calls.includes("report_deals"))
  },

  "stream true gives server-sent events, each with an id and JSON data; the last is done": async (api) => {
    const { reply, events } = await streamed(api, COUNTED)
    assert.match(reply.headers.get("cache-control") ?? "", /no-store/)
    assert.equal(reply.headers.get("x-accel-buffering"), "no")
    assert.ok(!reply.text.includes("[DONE]"))
    assert.equal(new Set(events.map(({ id }) => id)).size, events.length)
    const types = events.map(({ data }) => data.type)
    assert.equal(types.at(-1), "done")
    for (const type of types.slice(0, -1)) assert.ok(["content_delta", "citation"].includes(type), type)
  },

  "an event stream is never compressed": async (api) => {
    const { reply } = await streamed(api, COUNTED, {}, { headers: { "accept-encoding": "gzip, br" } })
    assert.equal(reply.headers.get("content-encoding"), null)
  },

  "the done event equals the reply without streaming, and the sum of the events": async (api) => {
    const { events } = await streamed(api, COUNTED)
    const { type: _, ...done } = events.at(-1)!.data
    const whole = await answer(api, COUNTED)
    assert.deepEqual(done, whole)
    const sent = events.slice(0, -1).map(({ data }) => data)
    assert.equal(sent.map(({ content = "" }) => content).join(""), whole.message.content)
    assert.deepEqual(
      sent.flatMap(({ citation }) => citation ?? []),
      whole.message.citations,
    )
  },

  "a citation is sent before or with the text that links it": async (api) => {
    const { events } = await streamed(api, COUNTED)
    let text = ""
    const known = new Set<string>()
    for (const { data } of events) {
      if (data.type === "citation") known.add(data.citation.url)
      text += data.type === "content_delta" ? data.content : ""
      for (const url of linksOf(text)) assert.ok(known.has(url), url)
    }
  },

  "stream_options.include opts in to tool_call, tool_result and usage": async (api) => {
    const { events } = await streamed(api, COUNTED, { stream_options: { include: ["tool_call", "tool_result"] } })
    const calls = events.filter(({ data }) => data.type === "tool_call").map(({ data }) => data)
    assert.ok(calls.length > 0)
    for (const { id, name } of calls) {
      assert.ok(TOOLS.has(name))
      assert.ok(events.some(({ data }) => data.type === "tool_result" && data.id === id && data.name === name))
    }
  },

  "messages: 1 to 100, the last of role user, each content of 1 to 32,000 characters": async (api) => {
    await refused(api, {}, "messages")
    await refused(api, { messages: [] }, "messages")
    await refused(api, { messages: Array.from({ length: 101 }, () => user("a")) }, "messages")
    await refused(api, { messages: [user("a"), { role: "assistant", content: "b" }] }, "messages")
    await refused(api, { messages: [user("")] }, "messages[0].content")
    await refused(api, { messages: [user("x".repeat(32_001))] }, "messages[0].content")
    await refused(api, { messages: [{ role: "robot", content: "a" }] }, "messages[0].role")
    const most = [...Array.from({ length: 99 }, () => ({ role: "system", content: "Be brief." })), user(COUNTED)]
    assert.equal((await api.post(RESPONSES, { messages: most })).status, 200)
    assert.equal((await ask(api, "x ".repeat(16_000))).status, 200)
  },

  "unknown fields, and stream_options without streaming, are refused": async (api) => {
    await refused(api, { messages: [user("a")], sream: true }, "sream")
    await refused(api, { messages: [{ ...user("a"), nmae: "x" }] }, "messages[0].nmae")
    await refused(api, { messages: [user("a")], stream: "true" }, "stream")
    await refused(api, { messages: [user("a")], stream_options: { include: ["usage"] } }, "stream_options")
  },

  "a reply's message, text parts, and messages of tools may be sent; another role is refused with its value": async (
    api,
  ) => {
    const { message } = await answer(api, COUNTED)
    const parts = [{ type: "text", text: COUNTED }]
    const tool = { role: "tool", tool_call_id: "c1", content: "noon" }
    const messages = [
      { role: "developer", content: "Be brief." },
      user("Hi"),
      message,
      tool,
      { role: "user", content: parts },
    ]
    const again = await api.post(RESPONSES, { messages, stream: null })
    assert.equal(again.status, 200, again.text)
    assert.ok(again.json.message.citations.length > 0)
    const robot = await api.post(RESPONSES, { messages: [{ role: "robot", content: "a" }, user("a")] })
    assert.match(robot.json.error.message, /'robot'/)
  },

  "the body is at most 1 MiB": async (api) => {
    const messages = Array.from({ length: 40 }, () => user("x".repeat(30_000)))
    refusal(await api.post(RESPONSES, { messages }, { key: api.spare }), 413, "payload_too_large")
  },

  "Last-Event-ID with the same Idempotency-Key replays the missed events": async (api) => {
    const headers = { "idempotency-key": crypto.randomUUID() }
    const { events: all } = await streamed(api, COUNTED, {}, { headers })
    const from = all[0]!.id
    const { events: rest, reply } = await streamed(api, COUNTED, {}, { headers: { ...headers, "last-event-id": from } })
    assert.deepEqual(rest, all.slice(1))
    assert.equal(reply.headers.get("idempotent-replayed"), "true")
    const other = await ask(api, "How many deals did we win?", { stream: true }, { headers })
    refusal(other, 409, "conflict")
    const unknown = { "idempotency-key": crypto.randomUUID(), "last-event-id": "3" }
    refusal(await ask(api, COUNTED, { stream: true }, { headers: unknown }), 409, "conflict")
    refusal(await ask(api, COUNTED, { stream: true }, { headers: { "last-event-id": "3" } }), 400, "bad_request")
  },

  "every role may ask; a request without a key may not": async (api) => {
    refusal(await ask(api, COUNTED, {}, { key: null }), 401, "unauthorized")
    refusal(await ask(api, COUNTED, { stream: true }, { key: null }), 401, "unauthorized")
  },
})

export const answersOfTenants = section("POST /responses", ["data", "other", "documents"], {
  "answers use only the caller's organization": async (api) => {
    const name = `Secret${crypto.randomUUID().slice(0, 8)}`
    const { document } = await taken(toLibrary(api, { file: new Blob([`# ${name}\n\n${name} closes in May.\n`]) }))
    await settled(api, document.id)
    const own = await answer(api, `When does ${name} close?`)
    assert.equal(own.message.citations[0]?.["document_id"], document.id)
    const { text } = await ask(api, `When does ${name} close?`, {}, { key: api.target.otherKey! })
    assert.ok(!text.includes(document.id) && !text.includes("in May"), text)
  },
})

export const answersFromDocuments = section("POST /responses", ["data", "documents"], {
  "an answer from a document cites it verbatim": async (api) => {
    const name = `Quillon${crypto.randomUUID().slice(0, 8)}`
    const text = `# ${name}\n\n${name} charges 48 dollars per seat. ${name} has no offline mode.\n`
    const { document } = await taken(toLibrary(api, { file: new Blob([text]) }))
    assert.equal((await settled(api, document.id)).status, "ready")
    const found = await answer(api, `What does ${name} charge per seat?`)
    isWhole(found)
    const [citation] = found.message.citations
    assert.equal(citation?.["document_id"], document.id, found.message.content)
    assert.ok(text.includes(citation?.["excerpt"] ?? "\0"))
    assert.match(found.message.content, /48/)
  },
})
