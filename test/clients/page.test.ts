import { execFile } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { CLIENT_PAGE, renderPage } from "../../docs/reference/client.ts"
import { startServer, type TestServer } from "./server.ts"

const ROOT = join(import.meta.dirname, "../..")
const ENTRIES = { "sightline/client/effect": "effect.ts", "sightline/client": "client.ts" }
const run = promisify(execFile)
const guide = readFileSync(join(ROOT, "docs/client.md"), "utf8")
const blocksOf = (text: string) => [...text.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, block]) => block!)

/** The output of the examples. */
const PRINTED = [
  /^4 won$/m,
  /^d6 Deal 6$/m,
  /\d sources$/m,
  /^ready$/m,
  /^Deal 0,0\r$/m,
  /^bad_request 400 \S+ /m,
  /name: "Deal 0"/,
]

it("docs/reference/client.md has the client's types; `npm run client` writes it", async () => {
  assert.strictEqual(readFileSync(CLIENT_PAGE, "utf8"), await renderPage())
})

describe("docs/client.md", () => {
  const directory = mkdtempSync(join(ROOT, "node_modules", ".client-page-"))
  let server: TestServer
  beforeAll(async () => void (server = await startServer()))
  afterAll(async () => {
    rmSync(directory, { recursive: true, force: true })
    await server.close()
  })

  const program = join(directory, "page.ts")
  /** The page's examples, in order, as one program. */
  const write = () => {
    let text = blocksOf(guide).join("\n")
    for (const [entry, file] of Object.entries(ENTRIES)) {
      text = text.replaceAll(`"${entry}"`, `"../../src/adapters/client/${file}"`)
    }
    writeFileSync(program, text)
    const compilerOptions = { incremental: false }
    writeFileSync(
      join(directory, "tsconfig.json"),
      JSON.stringify({ extends: "../../tsconfig.json", compilerOptions, include: ["*.ts"], exclude: [] }),
    )
  }

  it("has examples that compile", async () => {
    write()
    const checked = run(join(ROOT, "node_modules/.bin/tsc"), ["-p", directory, "--singleThreaded"]).catch(
      (failed) => failed,
    )
    assert.strictEqual((await checked).stdout, "")
  })

  it("has examples that run", async () => {
    write()
    const env = { ...process.env, BASE: server.url, KEY: server.key }
    const { stdout } = await run(join(ROOT, "node_modules/.bin/bun"), [program], { cwd: ROOT, env })
    for (const text of PRINTED) assert.match(stdout, text)
  })
})
