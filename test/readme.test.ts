import { execFile } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { Export } from "../src/core/exports/contract.ts"
import { run, start, waitUntil } from "./adapters/processes.ts"

const root = fileURLToPath(new URL("..", import.meta.url))
const readme = readFileSync(join(root, "README.md"), "utf8")
const blocks = (language: string) =>
  [...readme.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, "g"))].map(([, block]) => block!)
const blockWith = (language: string, text: string) => {
  const found = blocks(language).find((block) => block.includes(text))
  assert.isDefined(found, `the README has no ${language} block with ${text}`)
  return found!
}

const directory = mkdtempSync(join(tmpdir(), "sightline-readme-"))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const shell = (script: string, environment: Record<string, string>) =>
  promisify(execFile)("bash", ["-euo", "pipefail", "-c", script], {
    cwd: root,
    env: { ...process.env, ...environment },
  })

/** Headers of the public CRM set, with rows of our own. */
const FILES = {
  "accounts.csv": "account,sector,year_established\nAcme,software,1996\nBetter,retail,2001\n",
  "products.csv": "product,series,sales_price\nPlus,GTX,1096\n",
  "sales_teams.csv": "sales_agent,manager,regional_office\nAnna Berg,Dustin,East\n",
  "sales_pipeline.csv":
    "opportunity_id,sales_agent,product,account,deal_stage,engage_date,close_date,close_value\n" +
    "1C1I7A6R,Anna Berg,Plus,Acme,Won,10/20/2016,3/1/2017,1054\nZ063OYW0,Anna Berg,Plus,,Prospecting,,,\n",
}

describe("the README", () => {
  const demo: { stop?: () => Promise<unknown>; url: string; key: string } = { url: "", key: "" }
  beforeAll(async () => {
    const settings = { SIGHTLINE_DATA_DIR: join(directory, "demo"), PORT: "0" }
    const server = start("Node", ["demo", "--json"], settings)
    demo.stop = () => {
      server.child.kill("SIGTERM")
      return server.finished
    }
    await waitUntil(() => server.stdout().includes("\n") || server.child.exitCode !== null, 100_000)
    Object.assign(demo, JSON.parse(server.stdout()))
  }, 120_000)
  afterAll(() => demo.stop?.())

  it("shows requests that the demo answers", async () => {
    const requests = blockWith("sh", 'curl -s -G "$BASE/deals"')
      .split("\n\n")
      .map((request) => request.trim())
    assert.lengthOf(requests, 3)
    const replies = []
    for (const request of requests) {
      const { stdout } = await shell(request, { BASE: `${demo.url}/api/v1`, KEY: demo.key })
      replies.push(JSON.parse(stdout))
    }
    const [deals, count, associations] = replies
    assert.isAbove(deals.length, 0)
    assert.hasAllKeys(deals[0], ["id", "name", "amount", "client_name", "primary_competitor", "drivers"])
    assert.isAbove(count.count, 0)
    assert.isAbove(associations.meta.count, 0)
  })

  it("shows an export that the demo answers", async () => {
    const { stdout } = await shell(blockWith("sh", '"$BASE/deals/export"'), {
      BASE: `${demo.url}/api/v1`,
      KEY: demo.key,
    })
    const location = /^location: (.+?)\r?$/im.exec(stdout)?.[1] ?? ""
    const headers = { authorization: `Bearer ${demo.key}` }
    const look = async () => (await (await fetch(new URL(location, demo.url), { headers })).json()) as Export
    await waitUntil(async () => (await look()).status === "completed", 60_000)
    const { download_url, row_count } = await look()
    const csv = await (await fetch(new URL(download_url ?? "", demo.url))).text()
    assert.match(csv, /^name,amount,close_date,client_name,competitors\r\n/)
    assert.isAbove(row_count ?? 0, 0)
  }, 90_000)

  it("shows questions that the demo answers, with citations", async () => {
    const { stdout } = await shell(blockWith("sh", '"$BASE/responses"'), { BASE: `${demo.url}/api/v1`, KEY: demo.key })
    const { message, tool_calls } = JSON.parse(stdout)
    assert.match(message.content, /^\*\*\d+ deals\*\* match/)
    assert.isAbove(message.citations.length, 0)
    assert.include(tool_calls, "count_deals")
    const ready = async () => {
      const reply = await fetch(`${demo.url}/api/v1/documents?status=ready&competitor_id=orvanta`, {
        headers: { authorization: `Bearer ${demo.key}` },
      })
      return ((await reply.json()) as { data: ReadonlyArray<unknown> }).data.length > 0
    }
    await waitUntil(ready, 60_000)
    const settings = { PORT: new URL(demo.url).port, SIGHTLINE_DATA_DIR: join(directory, "demo") }
    const asked = await shell(blockWith("sh", "sightline -- ask"), settings)
    assert.match(asked.stdout, /Orvanta charges \$\d+ per seat/)
    assert.match(asked.stdout, /Sources\n\[1\] orvanta-battlecard\.md\n {4}http:\/\//)
  }, 90_000)

  it("shows what the workspace is made of, and changes its settings", async () => {
    const [read, change] = blockWith("sh", '"$BASE/workspace"').split("\ncurl -s -X ")
    const environment = { BASE: `${demo.url}/api/v1`, KEY: demo.key }
    const { stages, settings } = JSON.parse((await shell(read ?? "", environment)).stdout)
    assert.lengthOf(stages.data, 6)
    const { stdout } = await shell(`curl -s -X ${change}`, environment)
    assert.deepStrictEqual(JSON.parse(stdout), { ...settings, currency: "EUR", fiscal_start: 4 })
  })

  it("shows what changed", async () => {
    const { stdout } = await shell(blockWith("sh", '"$BASE/changes"'), { BASE: `${demo.url}/api/v1`, KEY: demo.key })
    const { data, next_cursor } = JSON.parse(stdout)
    assert.lengthOf(data, 100)
    assert.isString(next_cursor)
  })

  it("shows an upload that the demo takes", async () => {
    const file = join(directory, "battlecard.md")
    writeFileSync(file, "# Orvanta\n\nThey discount at the end of a quarter.\n")
    const upload = blockWith("sh", "/documents/library").replace("@battlecard.md", `@${file}`)
    const { stdout } = await shell(upload, { BASE: `${demo.url}/api/v1`, KEY: demo.key })
    const { document } = JSON.parse(stdout)
    await waitUntil(async () => {
      const reply = await fetch(`${demo.url}/api/v1/documents/${document.id}`, {
        headers: { authorization: `Bearer ${demo.key}` },
      })
      return ((await reply.json()) as { status: string }).status === "ready"
    }, 30_000)
  })

  it("shows how one's own data comes in, and twice changes nothing", async () => {
    const settings = { SIGHTLINE_DATA_DIR: join(directory, "own") }
    const files = join(directory, "files")
    mkdirSync(files)
    for (const [name, text] of Object.entries(FILES)) writeFileSync(join(files, name), text)
    writeFileSync(join(files, "export.ndjson"), '{"type":"competitor","name":"Rival"}\n')

    const made = await run(["orgs", "create", "--name", "Acme", "--plan", "enterprise", "--json"], settings)
    const { id } = JSON.parse(made.stdout)
    const ours = (script: string) =>
      script.replaceAll("org_…", id).replaceAll(/([a-z_]+\.(csv|ndjson))/g, (name) => join(files, name))
    const create = blockWith("sh", "orgs create")
    await shell(ours(create), settings)
    const map = ours(blockWith("sh", "--type deal"))
    await shell(map, settings)
    const again = await shell(map.replaceAll(" --map", " --json --map"), settings)
    const reports = again.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
    assert.deepStrictEqual(
      reports.map(({ received, unchanged, failed }) => [received - unchanged, failed]),
      [
        [0, 0],
        [0, 0],
        [0, 0],
        [0, 0],
      ],
    )
  }, 180_000)

  it("shows how it is embedded", async () => {
    const snippet = blockWith("ts", "webHandler")
      .replaceAll('"sightline/pglite"', JSON.stringify(join(root, "src/adapters/database/pglite.ts")))
      .replaceAll('"sightline"', JSON.stringify(join(root, "src/core/Sightline.ts")))
      .replaceAll('".sightline"', JSON.stringify(join(directory, "embedded")))
    assert.notMatch(snippet, /from "sightline/)
    const file = join(directory, "embed.ts")
    writeFileSync(file, `${snippet}\nconsole.log(response.status)\n`)
    const { stdout } = await promisify(execFile)(process.execPath, [file], { cwd: root })
    assert.strictEqual(stdout.trim(), "200")
  }, 60_000)

  it("names every variable that is read, and no other", () => {
    const config = readFileSync(join(root, "src/adapters/config.ts"), "utf8")
    const read = new Set([...config.matchAll(/"(SIGHTLINE_[A-Z_]+|HOST|PORT)"/g)].map(([, name]) => name))
    const named = new Set([...readme.matchAll(/`(SIGHTLINE_[A-Z_]+|HOST|PORT)`/g)].map(([, name]) => name))
    assert.sameMembers([...named], [...read])
  })
})
