import { spawn } from "node:child_process"
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { execute, pack, project, ROOT } from "../package/packed.ts"
import { until } from "../support/until.ts"

const packed = mkdtempSync(join(tmpdir(), "sightline-packed-"))
const app = project()
const next = join(app.directory, "node_modules/.bin/next")

/** Edits the module that opens the service: its user is named after the version. */
const edit = (version: number) => {
  const path = app.path("sightline.ts")
  const source = readFileSync(path, "utf8")
  const edited = source.replace(/name: "(Ada|version \d)"/, `name: "version ${version}"`)
  assert.notStrictEqual(edited, source)
  writeFileSync(path, edited)
}

beforeAll(async () => {
  cpSync(join(ROOT, "docs/examples/saas-next"), app.directory, { recursive: true })
  const names = ["sightline", "effect", "@effect/sql-pg", "@electric-sql/pglite"]
  await app.install(await pack(packed), names)
})
afterAll(() => {
  app.remove()
  rmSync(packed, { recursive: true, force: true })
})

describe("the Next.js app of the documentation", () => {
  it("is built without opening the service", async () => {
    const printed = await execute(next, ["build"], app.directory)
    assert.include(printed, "/intel/[...path]")
    assert.isFalse(existsSync(app.path(".sightline")))
  })

  it("has the optional packages that are installed in the standalone output", () => {
    assert.isTrue(existsSync(app.path(".next/standalone/node_modules/@electric-sql/pglite/dist/index.js")))
  })

  it("keeps its data under `next dev` after each edit, and serves without a pause", async () => {
    const child = spawn(next, ["dev", "--port", "0"], {
      cwd: app.directory,
      env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1" },
    })
    let printed = ""
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (printed += chunk))
    try {
      const url = await until("it serves", () => {
        if (child.exitCode !== null) throw new Error(printed)
        return /http:\/\/localhost:\d+/.exec(printed)?.[0]
      })
      const record = JSON.stringify({ type: "deal", id: "harbour", name: "Harbour renewal", amount: 1200 })
      const headers = { "content-type": "application/x-ndjson" }
      const imported = await fetch(`${url}/intel/api/v1/import`, { method: "POST", headers, body: record })
      assert.strictEqual(imported.status, 200, printed)
      const form = new FormData()
      form.set("file", new File(["Harbour wants a discount."], "call.txt", { type: "text/plain" }))
      form.set("deal_id", "harbour")
      const uploaded = await fetch(`${url}/intel/api/v1/deals/documents?form=1`, { method: "POST", body: form })
      const { document } = (await uploaded.json()) as { readonly document: { readonly id: string } }
      await until("the document is read", async () => {
        const reply = await fetch(`${url}/intel/api/v1/documents/${document.id}`)
        const { status } = (await reply.json()) as { readonly status: string }
        assert.notStrictEqual(status, "failed", printed)
        return status === "ready"
      })
      const question = { messages: [{ role: "user", content: "What does Harbour want?" }] }
      const answered = await fetch(`${url}/intel/api/v1/responses`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(question),
      })
      const { message } = (await answered.json()) as { message: { citations: ReadonlyArray<{ readonly url: string }> } }
      const link = new URL(message.citations[0]!.url)
      assert.strictEqual(link.origin, "http://localhost:3000")
      assert.include(await (await fetch(url + link.pathname)).text(), "Harbour wants a discount")
      let requests: number | undefined
      for (const version of [1, 2, 3]) {
        edit(version)
        await until(`version ${version} answers`, async () => {
          const reply = await fetch(`${url}/intel/api/v1/usage`)
          const text = await reply.text()
          assert.strictEqual(reply.status, 200, text + printed)
          const [{ name, requests_this_month }] = JSON.parse(text).identities
          assert.strictEqual(requests_this_month, (requests ?? requests_this_month - 1) + 1)
          requests = requests_this_month
          return name === `version ${version}`
        })
      }
      const page = await fetch(url)
      assert.strictEqual(page.status, 200, printed)
      assert.include((await page.text()).replaceAll("<!-- -->", ""), "Harbour renewal: 1200")
    } finally {
      child.kill()
    }
  })
})
