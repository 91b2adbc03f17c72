import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { afterAll, assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { makeReader } from "../../../src/adapters/reading/layerReader.ts"
import { findLibreOffice } from "../../../src/adapters/reading/libreOffice.ts"
import { run } from "../../../src/adapters/programs.ts"
import { DocumentReader } from "../../../src/core/ports/DocumentReader.ts"
import { needs } from "../../support/needs.ts"

const program = await findLibreOffice()

const PAGE = `<html><body><h1>Prices of Nimbrel</h1><p>Nimbrel costs 70 a month, Größe und Zürich included.</p>
<table><tr><th>Plan</th><th>Price</th></tr><tr><td>Standard</td><td>40</td></tr><tr><td>Business</td><td>70</td></tr></table></body></html>`
const SLIDES = `<?xml version="1.0" encoding="UTF-8"?>
<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0" office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.presentation"><office:body><office:presentation>
${["Nimbrel wins on price", "Orvanta wins on support"].map((said) => `<draw:page draw:name="${said}"><draw:frame svg:x="2cm" svg:y="2cm" svg:width="20cm" svg:height="3cm"><draw:text-box><text:p>${said}</text:p></draw:text-box></draw:frame></draw:page>`).join("")}
</office:presentation></office:body></office:document>`
const CELLS = "Plan,Price\nStandard,40\nBusiness,70\n"

describe(
  "Office files of before 2007, as LibreOffice writes and reads them",
  needs("LibreOffice", program !== undefined),
  () => {
    const folder = mkdtempSync(join(tmpdir(), "sightline-old-"))
    afterAll(() => rmSync(folder, { recursive: true, force: true }))

    /** Saves a file as one of before 2007. */
    const save = async (name: string, content: string, format: string, filter: string) => {
      writeFileSync(join(folder, name), content)
      const profile = `-env:UserInstallation=${pathToFileURL(join(folder, "profile")).href}`
      const args = [
        profile,
        "--headless",
        "--convert-to",
        `${format}:${filter}`,
        "--outdir",
        folder,
        join(folder, name),
      ]
      // With a new profile it asks to be started again.
      await Effect.runPromise(Effect.retry(run(program!, args, { directory: folder, seconds: 600 }), { times: 1 }))
      return new Uint8Array(readFileSync(join(folder, `${name.slice(0, name.lastIndexOf("."))}.${format}`)))
    }
    const read = (bytes: Uint8Array, format: "doc" | "ppt" | "xls") =>
      Effect.runPromise(
        Effect.provide(
          Effect.flatMap(DocumentReader, (reader) => reader.read(bytes, format)),
          makeReader({ libreOffice: true }),
        ),
      )

    it("a DOC keeps headings, words and the table under its header", async () => {
      const { text } = await read(await save("prices.html", PAGE, "doc", "MS Word 97"), "doc")
      for (const said of ["Prices of Nimbrel", "Nimbrel costs 70 a month, Größe und Zürich included.", "Business\t70"])
        assert.include(text, said)
    })

    it("a PPT keeps the slides in order", async () => {
      const { text } = await read(await save("deck.fodp", SLIDES, "ppt", "MS PowerPoint 97"), "ppt")
      assert.match(text, /Nimbrel wins on price[\s\S]*Orvanta wins on support/)
    })

    it("an XLS keeps its cells under their headers", async () => {
      const { text } = await read(await save("cells.csv", CELLS, "xls", "MS Excel 97"), "xls")
      assert.match(text, /Plan\tPrice[\s\S]*Business\t70/)
    })

    it("links to other addresses are not opened", async () => {
      let opened = 0
      const server = createServer((_, reply) => (opened++, reply.writeHead(404).end()))
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/picture.png`
      const bytes = await save(
        "linked.html",
        `<p>See</p><img src="${url}" width="10" height="10">`,
        "doc",
        "MS Word 97",
      )
      assert.include(
        Buffer.from(bytes).toString("latin1").replaceAll("\0", ""),
        "/picture.png",
        "the file has the link",
      )
      opened = 0
      assert.include((await read(bytes, "doc")).text, "See")
      assert.strictEqual(opened, 0)
      server.close()
    })
  },
)
