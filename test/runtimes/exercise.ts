import { type ChildProcess, execFile, spawn } from "node:child_process"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { networkInterfaces } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { assert } from "@effect/vitest"
import { divideIntoParts } from "../../src/core/library/viewer/parts.ts"
import { writeText } from "../../src/core/library/viewer/text.ts"
import { chunk } from "../../src/ingest/chunk.ts"
import { READERS } from "../../src/ingest/readers.ts"
import { JAPANESE } from "../ingest/support/japanese.ts"
import { throttled, until } from "../support/until.ts"
import { FILES } from "./documents.ts"

/** As the viewer shows it, read by this process. */
const shownHere = async ([format, bytes]: (typeof FILES)[string]) => {
  const [first] = divideIntoParts(chunk(await READERS[format](bytes.slice())).elements)
  return writeText(first!.elements, undefined, "").markup
}

/**
 * Uses a built command line as a new user does: demo, import, documents, an answer, an export, a backup, a restore. It runs in the new directory
 * `empty` of `folder`, with an empty `PATH`. Throws on the first difference.
 */
export const exercise = async ([program, ...before]: readonly [string, ...Array<string>], folder: string) => {
  const empty = join(folder, "empty")
  mkdirSync(empty)
  for (const [name, [, bytes]] of Object.entries(FILES)) writeFileSync(join(folder, name), bytes)
  writeFileSync(join(folder, "deal.ndjson"), `{"type":"deal","id":"d1","name":"Renewal"}\n`)
  const backupKey = "a key that authenticates the backup"
  const options = { cwd: empty, env: { HOME: empty, PATH: "", PORT: "0", SIGHTLINE_BACKUP_KEY: backupKey } }
  const runIn = async (env: Readonly<Record<string, string>>, ...args: ReadonlyArray<string>) =>
    JSON.parse((await promisify(execFile)(program, [...before, ...args, "--json"], { ...options, env })).stdout)
  const sightline = (...args: ReadonlyArray<string>) => runIn(options.env, ...args)

  const server = spawn(program, [...before, "demo", "--json"], options)
  try {
    const { url, key, organization_id: org } = await firstLine(server)
    assert.deepInclude(await sightline("import", "--org", org, join(folder, "deal.ndjson")), { created: 1, failed: 0 })
    const paths = Object.keys(FILES).map((name) => join(folder, name))
    const { files } = await sightline("upload", "--org", org, ...paths, "--deal", "d1", "--wait")
    assert.lengthOf(files, paths.length)
    for (const { document } of files) {
      assert.strictEqual(document.status, "ready", JSON.stringify(document))
      const shown = await (await fetch(new URL(new URL(document.url).pathname, url))).text()
      const here = await shownHere(FILES[document.file_name]!)
      assert.isAbove(here.length, 20)
      assert.include(shown, here)
      if (document.file_name === "japanese.pdf") assert.include(here, JAPANESE)
    }
    await until("a document of Orvanta is ready", async () => {
      const reply = await fetch(`${url}/api/v1/documents?status=ready&competitor_id=orvanta`, {
        headers: { authorization: `Bearer ${key}` },
      })
      const { data } = (await reply.json()) as { readonly data?: ReadonlyArray<unknown> }
      return throttled(reply) ?? data!.length > 0
    })
    const { message } = await sightline("ask", "What does Orvanta charge per seat?")
    assert.match(message.content, /Orvanta charges \$\d+ per seat/)
    assert.isAbove(message.citations.length, 0)
    await sightline("export", "--columns", "name", "--out", join(folder, "deals.csv"))
    assert.include(readFileSync(join(folder, "deals.csv"), "utf8"), "\r\nRenewal\r\n")
    // Its script is three megabytes of the page.
    assert.isAbove((await (await fetch(`${url}/docs`)).text()).length, 1e6)
    await assertConsole(url)
  } finally {
    server.kill("SIGTERM")
  }
  await until("the server ends", () => server.exitCode !== null)
  assert.strictEqual(server.exitCode, 0)
  const copy = join(folder, "copy.tar.gz")
  const { rows, files } = await sightline("backup", copy)
  assert.isAbove(rows, 1000)
  const elsewhere = { ...options.env, SIGHTLINE_DATA_DIR: join(folder, "elsewhere") }
  assert.deepInclude(await runIn(elsewhere, "restore", copy), { rows, files })
  return empty
}

/** Loads the console's page and the files that it names. */
const assertConsole = async (url: string) => {
  const page = await (await fetch(url, { headers: { accept: "text/html" } })).text()
  const names = [...page.matchAll(/(?:src|href)="([^":]+)"/g)].map(([, name]) => name!)
  assert.isAbove(names.length, 2, page)
  for (const name of names) {
    const reply = await fetch(new URL(name, url))
    assert.strictEqual(reply.status, 200, name)
    assert.isNotEmpty(await reply.text(), name)
  }
}

const firstLine = async (server: ChildProcess) => {
  let [out, log] = ["", ""]
  server.stdout?.on("data", (chunk) => (out += chunk))
  server.stderr?.on("data", (chunk) => (log += chunk))
  await until("the demo serves", () => out.includes("\n") || server.exitCode !== null)
  assert.include(out, "\n", log)
  return JSON.parse(out.split("\n")[0]!)
}

// `node exercise.ts FOLDER PROGRAM [ARGUMENT…]` runs it where only the loopback interface exists.
if (import.meta.main) {
  const [folder = "", program = "", ...before] = process.argv.slice(2)
  assert.sameMembers(Object.keys(networkInterfaces()), ["lo"])
  await exercise([program, ...before], folder)
  console.log("done")
}
