import { type ChildProcess, execFile, spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { partsOf } from "../../src/core/library/viewer/parts.ts"
import { textOf } from "../../src/core/library/viewer/text.ts"
import { chunk } from "../../src/ingest/chunk.ts"
import { type DocumentFormat, READERS } from "../../src/ingest/readers.ts"
import { waitUntil } from "../adapters/processes.ts"
import { docx, paragraph, pptx, shape, sheetOf, xlsx } from "../ingest/support/office.ts"
import { JAPANESE, japanesePdf } from "../ingest/support/japanese.ts"
import { pagesOf } from "../ingest/support/pdf.ts"

const BUILD = fileURLToPath(new URL("../../build/binary.ts", import.meta.url))

const FILES: Readonly<Record<string, readonly [DocumentFormat, Uint8Array]>> = {
  "lines.pdf": ["pdf", pagesOf([[{ text: "Rival cut its list price", y: 700 }], [{ text: "On page two", y: 700 }]])],
  "japanese.pdf": ["pdf", japanesePdf],
  "notes.docx": ["docx", docx(paragraph("Grüße &lt;to&gt; all") + paragraph("They want a longer term"))],
  "prices.xlsx": [
    "xlsx",
    xlsx([{ name: "Q1 &amp; Q2", xml: sheetOf("<row><c><v>1e21</v></c><c><v>0.1</v></c></row>") }]),
  ],
  "deck.pptx": ["pptx", pptx([{ shapes: shape("Title", "title") + shape("Second line") }])],
}

/** As the viewer shows it, read by this very process. */
const shownHere = async ([format, bytes]: (typeof FILES)[string]) => {
  const [first] = partsOf(chunk(await READERS[format](bytes.slice())).elements)
  return textOf(first!.elements, undefined).markup
}

describe("one binary, with nothing beside it", () => {
  const folder = mkdtempSync(join(tmpdir(), "sightline-binary-"))
  const binary = join(folder, "sightline")
  const empty = join(folder, "empty")
  const options = { cwd: empty, env: { HOME: empty, PATH: "/usr/bin:/bin", PORT: "0" } }
  const sightline = async (...args: ReadonlyArray<string>) =>
    JSON.parse((await promisify(execFile)(binary, [...args, "--json"], options)).stdout)

  beforeAll(async () => {
    mkdirSync(empty)
    for (const [name, [, bytes]] of Object.entries(FILES)) writeFileSync(join(folder, name), bytes)
    await promisify(execFile)("bun", [BUILD, binary])
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it("is the command line, serves, and reads what Node reads", async () => {
    const { id } = await sightline("orgs", "create", "--name", "Acme", "--plan", "enterprise")
    writeFileSync(join(folder, "deal.ndjson"), `{"type":"deal","id":"d1","name":"Renewal"}\n`)
    await sightline("import", "--org", id, join(folder, "deal.ndjson"))
    const paths = Object.keys(FILES).map((name) => join(folder, name))
    const { files } = await sightline("upload", "--org", id, ...paths, "--deal", "d1", "--wait")
    const server = spawn(binary, ["serve", "--json"], options)
    try {
      const url = await listening(server)
      for (const { document } of files) {
        assert.strictEqual(document.status, "ready", JSON.stringify(document))
        const shown = await (await fetch(new URL(new URL(document.url).pathname, url))).text()
        const here = await shownHere(FILES[document.file_name]!)
        assert.isAbove(here.length, 20)
        assert.include(shown, here)
        if (document.file_name === "japanese.pdf") assert.include(here, JAPANESE)
      }
    } finally {
      server.kill("SIGTERM")
    }
    await waitUntil(() => server.exitCode !== null)
    assert.strictEqual(server.exitCode, 0)
    assert.deepStrictEqual(readdirSync(empty), [".sightline"])
  })
})

const listening = async (server: ChildProcess): Promise<string> => {
  let out = ""
  server.stdout?.on("data", (chunk) => (out += chunk))
  await waitUntil(() => out.includes("\n") || server.exitCode !== null)
  return JSON.parse(out.split("\n")[0]!).url
}
