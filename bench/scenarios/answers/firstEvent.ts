import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { median } from "../../support/contest.ts"
import { heading, judge, table } from "../../support/report.ts"
import { startProgram } from "../../support/servers.ts"

const QUESTIONS = [
  "What does Orvanta charge per seat?",
  "How do we win against Tallowmark?",
  "What is the notice period of Brixen Suite?",
  "What is the boiling point of lead?",
  "How many deals did we lose to Orvanta last quarter, and why?",
  "Which open deals above 100k are there in DACH?",
]
const ROUNDS = 10
/** What the demo holds of them. */
const DOCUMENTS = 13

/** Measures the time from a question to the first event of its extractive answer, on the demo workspace in PGlite. */
export const firstEvent = async () => {
  heading("First event on the demo workspace")
  const directory = mkdtempSync(join(tmpdir(), "sightline-bench-"))
  const environment = { SIGHTLINE_DATA_DIR: directory, SIGHTLINE_DATABASE_URL: "" }
  const program = { runtime: "node", script: "src/adapters/cli/main.js", args: ["demo"], environment } as const
  const server = await startProgram(program, { path: "/health/ready" })
  try {
    const { key } = JSON.parse(readFileSync(join(directory, "demo.json"), "utf8")) as { readonly key: string }
    const url = `http://127.0.0.1:${server.port}/api/v1`
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
    for (let ready = 0; ready < DOCUMENTS;) {
      const reply = await fetch(`${url}/documents?status=ready`, { headers })
      ready = ((await reply.json()) as { data: ReadonlyArray<unknown> }).data.length
      await new Promise((resolve) => setTimeout(resolve, 1_000))
    }
    const rows = []
    for (const question of QUESTIONS) {
      const taken: Array<number> = []
      for (let round = 0; round <= ROUNDS; round++) {
        const began = performance.now()
        const body = JSON.stringify({ messages: [{ role: "user", content: question }], stream: true })
        const reply = await fetch(`${url}/responses`, { method: "POST", headers, body })
        const reader = reply.body!.getReader()
        await reader.read()
        if (round > 0) taken.push(performance.now() - began)
        await reader.cancel()
      }
      rows.push([question, median(taken).toFixed(0), Math.max(...taken).toFixed(0)])
      judge(`first event: ${question}`, median(taken), 150, "ms")
    }
    table(["question", "ms (median)", "slowest"], rows)
  } finally {
    await server.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}
