import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { assert, beforeEach, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { afterEach, vi } from "vitest"
import { makeReader } from "../../../src/adapters/reading/layerReader.ts"
import { DocumentReader } from "../../../src/core/ports/DocumentReader.ts"
import { CONTENT_TYPES } from "../../../src/ingest/safety/sniff.ts"
import { compoundFile } from "../../ingest/support/compound.ts"
import { docx, paragraph } from "../../ingest/support/office.ts"
import { documentWith, pictureOf } from "../../ingest/support/pictures.ts"
import { until } from "../../support/until.ts"

const OLD = compoundFile("WordDocument")
const TYPE = CONTENT_TYPES.doc[0]

/** A program that stands for LibreOffice, in a folder of its own on the search path. */
let folder = ""
const log = () => join(folder, "log")
const install = (script: string) => {
  for (const name of ["soffice", "soffice.bin"]) {
    writeFileSync(join(folder, name), `#!/bin/sh\nfor file; do :; done\nhere=$(dirname "$0")\n${script}\n`)
    chmodSync(join(folder, name), 0o755)
  }
}
/** Logs what it was given, and writes this file in place of what it would make. */
const installWith = (file: Uint8Array) => {
  writeFileSync(join(folder, "made"), file)
  install('echo "$@" >> "$here/log"\nenv >> "$here/log"\ncp "$here/made" "${file%.*}.docx"')
}

/** Reads as `serve` does where LibreOffice is installed. */
const withReader = <A, E>(use: (reader: DocumentReader["Service"]) => Effect.Effect<A, E>, libreOffice = true) =>
  Effect.runPromise(Effect.provide(Effect.flatMap(DocumentReader, use), makeReader({ libreOffice })))

const failure = (bytes: Uint8Array, format: "doc" | "xls" = "doc") =>
  withReader((reader) => Effect.map(Effect.flip(reader.read(bytes, format)), ({ reason }) => reason))

describe("Office files of before 2007", () => {
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "sightline-soffice-"))
    vi.stubEnv("PATH", `${folder}:${process.env["PATH"]}`)
  })
  afterEach(() => {
    vi.unstubAllEnvs()
    rmSync(folder, { recursive: true, force: true })
  })

  it("are read as what LibreOffice makes of them, and it learns nothing of the server", async () => {
    installWith(docx(paragraph("Nimbrel costs 70 a month.")))
    vi.stubEnv("SIGHTLINE_SIGNING_SECRET", "of-the-server")
    const { text } = await withReader((reader) => reader.read(OLD, "doc"))
    assert.strictEqual(text, "Nimbrel costs 70 a month.")
    const [args = "", ...environment] = readFileSync(log(), "utf8").trim().split("\n")
    assert.match(args, /--infilter=MS Word 97 --convert-to docx --outdir \S+ \S+\/document\.doc$/)
    assert.sameMembers(
      environment.map((line) => line.split("=")[0]!).filter((name) => !["PWD", "OLDPWD", "SHLVL", "_"].includes(name)),
      ["LC_ALL"],
    )
    const [directory = ""] = /(?<=--outdir )\S+/.exec(args) ?? []
    assert.isFalse(existsSync(directory), "its files are gone")
  })

  it("are converted once for their text and each of their pictures", async () => {
    installWith(documentWith("Prices below.", pictureOf(["Standard 40"])))
    const { warnings, picture } = await withReader((reader) =>
      Effect.gen(function* () {
        const { warnings } = yield* reader.read(OLD, "doc", "pending")
        return { warnings, picture: yield* reader.drawPage(OLD, "doc", 1) }
      }),
    )
    assert.deepInclude(warnings[0], { code: "pictures_without_text" })
    assert.strictEqual(picture.type, "image/png")
    assert.lengthOf(readFileSync(log(), "utf8").match(/--convert-to/g)!, 1)
  })

  it.each([
    ["fails", "exit 1"],
    ["ends well without a file", "exit 0"],
    ["writes without end", 'yes > "${file%.*}.docx"'],
    ["takes all memory", "exec node -e 'const all = []; for (;;) all.push(new Uint8Array(2 ** 28).fill(1))'"],
  ])("are refused with advice if it %s", async (_, script) => {
    install(script)
    const reason = await failure(OLD)
    assert.match(reason, /^LibreOffice cannot open the file:.*save it without a password as DOCX, XLSX or PPTX/)
  })

  it("end it with the reading", async () => {
    install('echo $$ > "$here/log"\nexec sleep 600')
    await withReader((reader) =>
      Effect.gen(function* () {
        const reading = yield* Effect.forkChild(reader.read(OLD, "doc"))
        yield* Effect.promise(() => until("it runs", () => existsSync(log()) && readFileSync(log(), "utf8") !== ""))
        yield* Fiber.interrupt(reading)
      }),
    )
    const pid = Number(readFileSync(log(), "utf8"))
    const runs = () => {
      try {
        return process.kill(pid, 0)
      } catch {
        return false
      }
    }
    await until("it ended", () => !runs())
  })

  it("are accepted under their own type where LibreOffice is, and refused with advice elsewhere", async () => {
    install("exit 1")
    const refusals = (libreOffice: boolean) =>
      withReader(
        ({ refusal }) =>
          Effect.succeed({
            own: refusal(TYPE, OLD, OLD),
            later: refusal(TYPE, compoundFile("Other")),
            other: refusal(CONTENT_TYPES.xls[0], OLD, OLD),
            locked: refusal(TYPE, compoundFile("EncryptedPackage")),
            page: refusal(TYPE, new TextEncoder().encode("<html><body><p>Prices</p></body></html>")),
          }),
        libreOffice,
      )
    const here = await refusals(true)
    assert.deepStrictEqual([here.own, here.later, here.page], [undefined, undefined, undefined])
    assert.strictEqual(here.other, `The file is DOC, but content_type is ${CONTENT_TYPES.xls[0]}. Send ${TYPE}.`)
    assert.match(here.locked ?? "", /protected by a password/)
    const elsewhere = await refusals(false)
    assert.match(elsewhere.own ?? "", /Office format of before 2007.*save it as DOCX/)
    assert.isUndefined(elsewhere.page)
    const read = withReader((reader) => Effect.flip(reader.read(OLD, "doc")), false)
    assert.match((await read).reason, /Office format of before 2007/)
  })
})
