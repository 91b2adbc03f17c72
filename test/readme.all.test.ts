import { execFile } from "node:child_process"
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { pagesOf } from "./ingest/support/pdf.ts"
import { blocksOf, fromSources, root, withPatience } from "./support/terminal.ts"

const directory = mkdtempSync(join(tmpdir(), "sightline-snippets-"))
symlinkSync(join(root, "node_modules"), join(directory, "node_modules"))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const PDF = pagesOf([[{ text: "Orvanta charges 40 dollars per seat.", x: 72, y: 700 }]])

describe("the README and the pages of docs", () => {
  const openings = (page: string) => blocksOf(page, "ts").filter((block) => block.includes("await open("))
  it.each([
    [
      "README.md",
      0,
      [/“Orvanta charges 40 dollars per seat\.” — \[battlecard\.pdf\]/, /^name,amount\r\nRenewal,48000/m],
    ],
    ...openings("docs/embedding.md").map(
      (_, index) => ["docs/embedding.md", index, [/^200 \[\]$|\bid: '(?:acme'|d1'|org_)/m]] as const,
    ),
  ] as const)("%s, snippet %i, embeds it", async (page, index, seen) => {
    const snippet = fromSources(openings(page)[index]!)
    assert.notMatch(snippet, /from "sightline/)
    const host = mkdtempSync(join(directory, "host-"))
    writeFileSync(join(host, "embed.ts"), withPatience(snippet))
    writeFileSync(join(host, "battlecard.pdf"), PDF)
    const { stdout } = await promisify(execFile)(process.execPath, ["embed.ts"], { cwd: host })
    for (const text of seen) assert.match(stdout, text)
  })
})
