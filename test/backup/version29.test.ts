import { rmSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startServer } from "../adapters/processes.ts"
import { Client } from "../conformance/Client.ts"
import { cli, directory, inDirectory, postgres, type Settings, stop } from "./support.ts"

/**
 * Commit a1c62da, whose schema had the number 29, made this file: its own command line created the organization and its key, imported
 * the records and uploaded the document, its server took the webhook, and `sightline backup` wrote the file.
 */
const BACKUP = join(import.meta.dirname, "version29.tar.gz")
const SECRET = "a signing secret that only this fixture uses"

const engines = {
  PGlite: async (): Promise<Settings> => ({
    SIGHTLINE_DATA_DIR: inDirectory("version29"),
    SIGHTLINE_SIGNING_SECRET: SECRET,
  }),
  PostgreSQL: () => postgres("version29-postgres", SECRET),
}

afterAll(() => rmSync(directory, { recursive: true, force: true }))

describe.each(Object.entries(engines))("a backup of version 29 on %s", (_, make) => {
  let server: Awaited<ReturnType<typeof startServer>>
  let client: Client

  beforeAll(async () => {
    const settings = await make()
    const { code, stderr, result } = await cli(["restore", BACKUP], settings)
    expect({ code, stderr, organizations: result?.organizations, files: result?.files }).toEqual({
      code: 0,
      stderr: "",
      organizations: 1,
      files: 1,
    })
    expect(result?.authenticatedBy).toBeNull()
    const [organization] = await cli(["orgs", "list"], settings).then(({ result }) => result)
    const made = await cli(["keys", "create", "--org", organization.id, "--role", "owner"], settings)
    server = await startServer("Node", settings)
    client = new Client({ baseUrl: `${server.url}/api/v1`, key: made.result.key, write: true })
  })

  afterAll(() => stop(server))

  it("has its deals, with names, drivers, scores and the order of their summaries", async () => {
    const deals = await client.get("/deals", { columns: "*" })
    expect(deals.map(({ name, amount }: { name: string; amount: number }) => [name, amount])).toEqual([
      ["Kestrel pilot", 7500],
      ["Abelund expansion", 48000.5],
      ["Harbor renewal", 12000],
    ])
    expect(deals[2]).toMatchObject({
      status_id: "discovery",
      region: "EMEA",
      wl_product_fit_score: 4,
      deal_competitor_associations: [{ competitor_name: "Orvanta", is_primary: true }],
      drivers: [{ name: "Price", positive: false, summary: "Orvanta is cheaper." }],
    })
    expect(Object.keys(deals[2].summary)).toEqual(["executive_summary", "key_quotes"])
  })

  it("has its document, whose text is found and shown", async () => {
    const { data } = await client.get("/documents")
    expect(data).toMatchObject([{ file_name: "orvanta.md", status: "ready", competitor_id: "orvanta", version: 1 }])
    const page = await fetch(data[0].url)
    expect(page.status).toBe(200)
    expect(await page.text()).toContain("40 euros a seat")
    const answer = await client.post("/responses", {
      messages: [{ role: "user", content: "What does Orvanta cost?" }],
    })
    expect(answer.text).toContain("40 euros a seat")
  })

  it("has its webhook, paused because nothing authenticates the backup, and its feed", async () => {
    const { data } = await client.get("/webhooks")
    expect(data).toMatchObject([
      {
        url: "https://hooks.example.com/deals",
        status: "paused",
        notice: expect.stringContaining("rotate the secret"),
      },
    ])
    const feed = await client.get("/changes")
    expect(feed.data.map(({ type, id }: { type: string; id: string }) => `${type} ${id}`)).toEqual([
      "deal d1",
      "deal d2",
      "deal d3",
      "association a1",
      expect.stringMatching(/^document doc_/),
    ])
  })

  it("takes new records", async () => {
    const line = JSON.stringify({ type: "deal", id: "d4", name: "After the restore", status: "Discovery" })
    const headers = { "content-type": "application/x-ndjson" }
    const reply = await client.request("/import", { method: "POST", headers, body: `${line}\n` })
    expect(reply.json).toMatchObject({ created: 1, failed: 0 })
    expect((await client.get("/deals/d4")).status_id).toBe("discovery")
  })
})
