import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { migratedDirectory } from "../../support/embedded.ts"
import { migratedPostgresUrl } from "../../support/engines.ts"
import { oneConnection } from "../../support/oneConnection.ts"
import { until } from "../../support/until.ts"
import { run, start, startServer } from "../processes.ts"

const directory = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "sightline-upload-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true })),
)

const RECORDS = `{"type":"deal","id":"d1","crm_one_id":"006X","name":"Renewal"}
{"type":"competitor","id":"rival","name":"Rival Systems"}
`

describe("sightline upload", () => {
  it.effect("adds files to a deal and to the library, and reports each one", () =>
    Effect.gen(function* () {
      const at = yield* directory
      const settings = { SIGHTLINE_DATA_DIR: join(at, "data"), SIGHTLINE_DATABASE_URL: yield* migratedPostgresUrl }
      const sightline = (...args: ReadonlyArray<string>) => Effect.promise(() => run([...args, "--json"], settings))
      const file = (name: string, text: string) => {
        writeFileSync(join(at, name), text)
        return join(at, name)
      }
      const { id } = JSON.parse((yield* sightline("orgs", "create", "--name", "Acme")).stdout) as { id: string }
      assert.strictEqual((yield* sightline("import", "--org", id, file("w.ndjson", RECORDS))).code, 0)
      const upload = (...args: ReadonlyArray<string>) => sightline("upload", "--org", id, ...args)

      const notes = file("notes.md", "# Notes\n\nThey want a longer term.\n")
      const broken = file("broken.pdf", `%PDF-1.7\n${"x".repeat(2000)}`)
      const picture = file("picture.png", "x")
      const mixed = yield* upload(notes, broken, picture, join(at, "absent.txt"), "--crm-one", "006X", "--wait")
      assert.strictEqual(mixed.code, 1, mixed.stderr)
      const report = JSON.parse(mixed.stdout)
      assert.deepInclude(report, { received: 4, failed: 3 })
      assert.deepInclude(report.files[0].document, { deal_id: "d1", status: "ready", file_name: "notes.md" })
      assert.strictEqual(report.files[1].document.status, "failed")
      assert.isAbove(report.files[1].error.length, 20)
      assert.match(report.files[2].error, /extension/)
      assert.match(report.files[3].error, /cannot be read/)

      const kept = yield* upload(notes, "--competitor", "rival systems", "--type", "intel")
      assert.strictEqual(kept.code, 0, kept.stderr)
      assert.deepInclude(JSON.parse(kept.stdout).files[0].document, { competitor_id: "rival", type: "intel" })
      const waited = yield* upload(notes, "--competitor", "rival", "--type", "intel", "--wait")
      assert.strictEqual(waited.code, 0, waited.stderr)
      const [again] = JSON.parse(waited.stdout).files
      assert.deepInclude(again, { duplicate: true })
      assert.strictEqual(again.document.status, "ready")

      // As after 30 days: the run of a document that is there is forgotten.
      const forget = Effect.flatMap(SqlClient, (sql) => sql`delete from sightline.jobs`)
      yield* Effect.provide(forget, oneConnection(settings.SIGHTLINE_DATABASE_URL))
      const later = JSON.parse((yield* upload(notes, "--deal", "d1", "--wait")).stdout).files[0]
      assert.deepInclude(later, { run_id: "", duplicate: true })
      assert.deepStrictEqual([later.error, later.document.status], [undefined, "ready"])

      assert.strictEqual((yield* upload(notes, "--deal", "unknown")).code, 1)
      assert.strictEqual((yield* upload(notes)).code, 2)
      assert.strictEqual((yield* upload(notes, "--deal", "d1", "--crm-one", "006X")).code, 2)
      assert.strictEqual((yield* upload(notes, "--competitor", "rival")).code, 2)
    }),
  )

  it.effect("reads a file itself where no server has the embedded database", () =>
    Effect.gen(function* () {
      const at = yield* Effect.acquireRelease(Effect.promise(migratedDirectory), (path) =>
        Effect.sync(() => rmSync(path, { recursive: true, force: true })),
      )
      const sightline = (...args: ReadonlyArray<string>) =>
        Effect.promise(() => run([...args, "--json"], { SIGHTLINE_DATA_DIR: at }))
      const { id } = JSON.parse((yield* sightline("orgs", "create", "--name", "Acme")).stdout) as { id: string }
      for (const [name, text] of [
        ["notes.md", "They want a longer term.\n"],
        ["w.ndjson", RECORDS],
      ] as const) {
        writeFileSync(join(at, name), text)
      }
      assert.strictEqual((yield* sightline("import", "--org", id, join(at, "w.ndjson"))).code, 0)
      const upload = ["upload", "--org", id, join(at, "notes.md"), "--deal", "d1", "--wait"]
      const read = yield* sightline(...upload)
      assert.strictEqual(read.code, 0, read.stderr)
      assert.deepInclude(JSON.parse(read.stdout).files[0].document, { status: "ready", file_name: "notes.md" })
      assert.deepInclude(JSON.parse((yield* sightline(...upload)).stdout).files[0], { duplicate: true })
    }),
  )

  it.live("watches a folder: a changed file is a new version, and waits for what is missing", () =>
    Effect.gen(function* () {
      const at = yield* directory
      const folder = join(at, "calls")
      const settings = { SIGHTLINE_DATA_DIR: join(at, "data"), SIGHTLINE_DATABASE_URL: yield* migratedPostgresUrl }
      const sightline = (...args: ReadonlyArray<string>) => Effect.promise(() => run([...args, "--json"], settings))
      const { id } = JSON.parse((yield* sightline("orgs", "create", "--name", "Acme")).stdout) as { id: string }
      const upload = ["upload", "--org", id, "--crm-one", "006X", "--watch", folder, "--wait"]
      const absent = yield* sightline(...upload)
      assert.deepStrictEqual([absent.code, absent.stdout], [1, ""])
      assert.match(absent.stderr, /calls cannot be watched: ENOENT/)

      mkdirSync(join(folder, "archive"), { recursive: true })
      const put = (name: string, text: string) => writeFileSync(join(folder, name), text)
      put("notes.md", "They want a longer term.\n")
      put("picture.png", "x")
      for (const ignored of [".hidden.md", "~$notes.docx", "notes.md.part", "archive/old.md"]) put(ignored, "Ignored.")
      yield* Effect.acquireRelease(
        Effect.promise(() => startServer("Node", settings)),
        ({ child, finished }) => Effect.promise(() => (child.kill("SIGTERM"), finished)),
      )
      const watcher = yield* Effect.acquireRelease(
        Effect.sync(() => start("Node", [...upload, "--json"], settings)),
        ({ child, finished }) => Effect.promise(() => (child.kill("SIGKILL"), finished)),
      )
      const lines = (count: number) =>
        Effect.promise(async () => {
          const read = () => watcher.stdout().split("\n").filter(Boolean)
          await until(`${count} lines`, () => read().length >= count || watcher.child.exitCode !== null)
          return read().map((line) => JSON.parse(line))
        })

      const [began, ...refused] = yield* lines(3)
      assert.deepStrictEqual(began, { watching: folder })
      const [notes, picture] = refused.toSorted((one, other) => (one.file < other.file ? -1 : 1))
      assert.deepInclude(notes, { file: join(folder, "notes.md"), temporary: true })
      assert.match(notes.error, /no deal has this crm_one_id/)
      assert.match(picture.error, /extension/)
      assert.notProperty(picture, "temporary")

      writeFileSync(join(at, "w.ndjson"), RECORDS)
      assert.strictEqual((yield* sightline("import", "--org", id, join(at, "w.ndjson"))).code, 0)
      const first = (yield* lines(4))[3].document
      assert.deepInclude(first, { file_name: "notes.md", status: "ready", deal_id: "d1", version: 1 })

      put("notes.md", "They want a shorter term.\n")
      const second = (yield* lines(5))[4].document
      assert.deepInclude(second, { status: "ready", version: 2, replaces: first.id })
      put("terms.md", "Four years.\n")
      assert.deepInclude((yield* lines(6))[5].document, { file_name: "terms.md", version: 1, replaces: null })

      watcher.child.kill("SIGINT")
      const { code, stderr } = yield* Effect.promise(() => watcher.finished)
      assert.strictEqual(code, 0, stderr)
      const again = yield* sightline("upload", "--org", id, "--deal", "d1", join(folder, "notes.md"))
      assert.deepInclude(JSON.parse(again.stdout).files[0], { duplicate: true })
      assert.strictEqual((yield* sightline("upload", "--org", id, "--deal", "d1")).code, 2)
      assert.strictEqual((yield* sightline("upload", "--org", id, "--deal", "d1", "--watch", folder, at)).code, 2)
    }),
  )
})
