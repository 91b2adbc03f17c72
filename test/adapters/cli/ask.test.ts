import { mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { eventsOf } from "../../answers/double.ts"
import { run } from "../processes.ts"

const URL_OF_SOURCE = "/viewer/documents/doc_1?org=o&expires=1&signature=ab"
const CITATION = {
  document_id: "doc_1",
  document_name: "Prices.md",
  deal_id: null,
  deal_name: null,
  url: URL_OF_SOURCE,
  excerpt: "It costs 48.",
}
const CONTENT = `It costs 48. [Prices.md](${URL_OF_SOURCE}) | Orvanta [7](${URL_OF_SOURCE}) |`
const DONE = { message: { role: "assistant", content: CONTENT, citations: [CITATION] }, tool_calls: [] }

const sse = (events: ReadonlyArray<object>) =>
  events.map((event, n) => `id: ${n + 1}\ndata: ${JSON.stringify(event)}\n\n`).join(": ping\n\n")

const ANSWER = sse([
  { type: "content_delta", content: "It costs " },
  { type: "citation", citation: CITATION },
  { type: "content_delta", content: `48. [Prices.md](${URL_OF_SOURCE}) | Orvanta [7](${URL_OF_SOURCE}) |` },
  { type: "done", ...DONE },
])
const SHORT = sse([{ type: "done", ...DONE, message: { ...DONE.message, citations: [], withheld: 2 } }])
const BROKEN = sse([
  { type: "content_delta", content: "It costs " },
  { type: "error", error: { code: "service_unavailable", message: "the model is unreachable" } },
])

describe("sightline ask", () => {
  const directory = mkdtempSync(join(tmpdir(), "sightline-ask-"))
  const server = createServer((request, response) => {
    if (request.url === "/health/live") return void response.end('{"status":"live"}')
    if (request.headers.authorization !== "Bearer the-key") {
      return void response.writeHead(401).end('{"error":{"code":"unauthorized","message":"send a key"}}')
    }
    let body = ""
    request.on("data", (chunk) => (body += chunk))
    request.on("end", () => {
      response.writeHead(200, { "content-type": "text/event-stream" })
      response.end(
        body.includes("broken")
          ? BROKEN
          : body.includes("short")
            ? SHORT
            : body.includes("cut")
              ? ANSWER.slice(0, 90)
              : ANSWER,
      )
    })
  })
  let url = ""
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => {
    server.close()
    rmSync(directory, { recursive: true, force: true })
  })

  const ask = (args: ReadonlyArray<string>, settings: Record<string, string> = { SIGHTLINE_API_KEY: "the-key" }) =>
    run(["ask", ...args], { SIGHTLINE_DATA_DIR: directory, ...settings })

  it("writes the answer with its sources numbered, whole addresses below", async () => {
    assert.lengthOf(eventsOf(ANSWER), 4)
    const { code, stdout, stderr } = await ask(["What does it cost?", "--url", url])
    assert.deepEqual([code, stderr], [0, ""])
    assert.strictEqual(
      stdout,
      `It costs 48. [Prices.md][1] | Orvanta [1] |\n\nSources\n[1] Prices.md, “It costs 48.”  ${url}${URL_OF_SOURCE}\n`,
    )
  })

  it("says how many sentences were left out", async () => {
    const { stdout } = await ask(["short", "--url", url])
    assert.match(stdout, /Sightline left out 2 sentences or table rows, because a number in each has no source\.\n$/)
  })

  it("prints the reply as JSON, and nothing else", async () => {
    const { code, stdout } = await ask(["What does it cost?", "--json"], {
      SIGHTLINE_API_KEY: "the-key",
      PORT: new URL(url).port,
    })
    assert.strictEqual(code, 0)
    assert.deepEqual(JSON.parse(stdout), DONE)
  })

  it("exits with 1 without a whole answer and with 2 after wrong use, and says why", async () => {
    for (const [args, settings, code, said] of [
      [["broken", "--url", url], { SIGHTLINE_API_KEY: "the-key" }, 1, /the model is unreachable/],
      [["cut", "--url", url], { SIGHTLINE_API_KEY: "the-key" }, 1, /interrupted/],
      [["What?", "--url", url], { SIGHTLINE_API_KEY: "another" }, 1, /401: send a key/],
      [["What?", "--url", url], {}, 2, /SIGHTLINE_API_KEY/],
      [["What?"], { PORT: "1" }, 2, /no server replies at http:\/\/127\.0\.0\.1:1/],
      [["What?", "--url", url, "--org", "o"], {}, 2, /use either --url or --org/],
    ] as const) {
      const finished = await ask(args, settings)
      assert.strictEqual(finished.code, code, finished.stderr)
      assert.match(finished.stderr, said)
    }
  })

  it("answers from the database if an organization is named", async () => {
    const settings = { SIGHTLINE_DATA_DIR: join(directory, "data") }
    const made = await run(["orgs", "create", "--name", "Acme", "--json"], settings)
    const { id } = JSON.parse(made.stdout) as { readonly id: string }
    const { code, stdout } = await ask(["How many deals are there?", "--org", id, "--json"], settings)
    assert.strictEqual(code, 0)
    const { message, tool_calls } = JSON.parse(stdout)
    assert.match(message.content, /^\*\*No deal\*\* matches/)
    assert.deepEqual(
      message.citations.map(({ document_name, excerpt }: { document_name: string; excerpt: string }) => [
        document_name,
        excerpt,
      ]),
      [["Report: deals", "deals 0, amount 0"]],
    )
    assert.deepEqual(tool_calls, ["report_deals"])
    const unknown = await ask(["How many deals are there?", "--org", "nobody"], settings)
    assert.strictEqual(unknown.code, 1)
  })
})
