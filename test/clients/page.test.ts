import { execFile } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { CLIENT_PAGE, renderPage } from "../../docs/client.ts"
import { startServer, type TestServer } from "./server.ts"

const ROOT = join(import.meta.dirname, "../..")
const ENTRIES = { "sightline/client/effect": "effect.ts", "sightline/client": "client.ts" }
const run = promisify(execFile)
const page = readFileSync(CLIENT_PAGE, "utf8")
const blocksOf = (text: string) => [...text.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, block]) => block!)

/** Not the README's program that embeds a service, which its own test runs. */
const isOfClient = (text: string) => text.includes("sightline/client") && !text.includes("await open(")

describe("docs/client.md", () => {
  const directory = mkdtempSync(join(ROOT, "node_modules", ".client-page-"))
  let server: TestServer
  beforeAll(async () => void (server = await startServer()), 120_000)
  afterAll(async () => {
    rmSync(directory, { recursive: true, force: true })
    await server.close()
  })

  it("has the reference of the client's types; `npm run client` writes it", async () => {
    assert.strictEqual(page, await renderPage(page))
  })

  /** The examples of each page, in order, as one program. */
  const programs = {
    page: blocksOf(page.slice(0, page.indexOf("<!-- "))),
    readme: blocksOf(readFileSync(join(ROOT, "README.md"), "utf8")).filter(isOfClient),
  }
  const write = () => {
    for (const [name, blocks] of Object.entries(programs)) {
      let text = blocks.join("\n")
      for (const [entry, file] of Object.entries(ENTRIES)) {
        text = text.replaceAll(`"${entry}"`, `"../../src/adapters/client/${file}"`)
      }
      writeFileSync(join(directory, `${name}.ts`), text)
    }
    const compilerOptions = { incremental: false }
    writeFileSync(
      join(directory, "tsconfig.json"),
      JSON.stringify({ extends: "../../tsconfig.json", compilerOptions, include: ["*.ts"] }),
    )
  }

  it("has examples that compile, as does the README", async () => {
    write()
    const checked = run(join(ROOT, "node_modules/.bin/tsc"), ["-p", directory, "--singleThreaded"]).catch(
      (failed) => failed,
    )
    assert.strictEqual((await checked).stdout, "")
  })

  it.each([
    [
      "page",
      [
        /^4 won$/m,
        /^d6 Deal 6$/m,
        /\d sources$/m,
        /^ready$/m,
        /^Deal 0,0\r$/m,
        /^bad_request 400 \S+ /m,
        /name: "Deal 0"/,
      ],
    ],
    ["readme", [/^Deal 5 500$/m]],
  ] as const)("has examples that run: %s", async (name, seen) => {
    write()
    const env = { ...process.env, BASE: server.url, KEY: server.key }
    const { stdout } = await run(join(ROOT, "node_modules/.bin/bun"), [join(directory, `${name}.ts`)], {
      cwd: ROOT,
      env,
    })
    for (const text of seen) assert.match(stdout, text)
  })
})
