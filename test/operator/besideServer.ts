import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type Runtime, start, startServer } from "../adapters/processes.ts"
import { migratedDirectory } from "../support/embedded.ts"

/** Registers the tests of the command line beside a server that holds its data directory. `runtime` runs both. */
export const testBesideServer = (runtime: Runtime) =>
  describe(`the command line while a server runs, on ${runtime}`, () => {
    const at = mkdtempSync(join(tmpdir(), "sightline-running-"))
    const settings = {
      SIGHTLINE_DATA_DIR: "",
      // Neither option names the server.
      SIGHTLINE_BASE_URL: "https://elsewhere.example",
      PORT: "1",
    }
    const sightline = (...args: ReadonlyArray<string>) => start(runtime, args, settings).finished
    const file = (name: string, text: string) => {
      writeFileSync(join(at, name), text)
      return join(at, name)
    }
    let server: Awaited<ReturnType<typeof startServer>> | undefined
    beforeAll(async () => {
      settings.SIGHTLINE_DATA_DIR = await migratedDirectory()
      server = await startServer(runtime, { ...settings, PORT: "0" })
    })
    afterAll(async () => {
      server?.child.kill("SIGTERM")
      await server?.finished
      for (const path of [at, settings.SIGHTLINE_DATA_DIR]) rmSync(path, { recursive: true, force: true })
    })

    it("creates, fills, queries and erases an organization", async () => {
      const made = await sightline("orgs", "create", "--name", "Acme", "--plan", "enterprise", "--json")
      assert.strictEqual(made.code, 0, made.stderr)
      const { id } = JSON.parse(made.stdout) as { readonly id: string }
      assert.deepInclude(JSON.parse(made.stdout), { name: "Acme", plan: "enterprise" })

      const created = await sightline("keys", "create", "--org", id, "--role", "viewer", "--json")
      const { key } = JSON.parse(created.stdout) as { readonly key: string }
      const headers = { authorization: `Bearer ${key}` }
      const count = async () =>
        ((await (await fetch(`${server!.url}/api/v1/deals?count=true`, { headers })).json()) as { count: number }).count

      const rows = Array.from({ length: 2_000 }, (_, n) => `{"type":"deal","id":"d${n}","name":"Deal ${n}"}`)
      const broken = '{"type":"deal","name":"x","amount":"much"}'
      const records = [...rows, '{"type":"competitor","id":"rival","name":"Rival Systems"}', broken].join("\n")
      const imported = await sightline("import", "--org", id, file("w.ndjson", records), "--json")
      assert.strictEqual(imported.code, 1, imported.stderr)
      assert.deepInclude(JSON.parse(imported.stdout), { received: 2_002, created: 2_001, failed: 1 })
      assert.strictEqual(await count(), 2_000)
      const sheet = file("deals.csv", "Opportunity,Value\nThird,7\n")
      const map = "Opportunity=name,Value=amount"
      const mapped = await sightline("import", "--org", id, sheet, "--type", "deal", "--map", map, "--json")
      assert.deepInclude(JSON.parse(mapped.stdout), { created: 1, failed: 0 })

      const notes = file("notes.md", "# Rival\n\nRival Systems charges $48 per seat.\n")
      const library = ["--competitor", "rival systems", "--type", "intel"]
      const absent = join(at, "absent.md")
      const uploaded = await sightline("upload", "--org", id, notes, absent, ...library, "--wait", "--json")
      assert.strictEqual(uploaded.code, 1, uploaded.stderr)
      const { files } = JSON.parse(uploaded.stdout)
      assert.deepInclude(files[0].document, { status: "ready", competitor_id: "rival" })
      assert.match(files[1].error, /cannot be read/)

      const asked = await sightline("ask", "--org", id, "What does Rival Systems charge per seat?")
      assert.strictEqual(asked.code, 0, asked.stderr)
      assert.match(asked.stdout, /\$48 per seat[\s\S]*\[1\] notes\.md/)

      const out = join(at, "deals-out.csv")
      const exported = await sightline("export", "--org", id, "--columns", "name", "--out", out, "--json")
      assert.deepInclude(JSON.parse(exported.stdout), { file: out, rows: 2_001 })
      assert.lengthOf(readFileSync(out, "utf8").trim().split("\r\n"), 2_002)

      assert.strictEqual((await sightline("orgs", "erase", id)).code, 2)
      const erased = await sightline("orgs", "erase", id, "--yes", "--json")
      assert.deepStrictEqual(JSON.parse(erased.stdout), { id, files: "removed" })
      const gone = await sightline("keys", "list", "--org", id)
      assert.deepInclude(gone, { code: 1, stdout: "" })
      assert.match(gone.stderr, /^sightline: no organization has the id/)
    })

    it("keeps the operator key in the data directory, readable by its user only", async () => {
      const kept = join(settings.SIGHTLINE_DATA_DIR, "operator-key")
      assert.strictEqual(statSync(kept).mode & 0o777, 0o600)
      const other = await start(runtime, ["orgs", "list"], { ...settings, SIGHTLINE_OPERATOR_KEY: "o".repeat(32) })
        .finished
      assert.strictEqual(other.code, 1)
      assert.match(other.stderr, /refuses the operator key; set SIGHTLINE_OPERATOR_KEY/)
    })

    it("opens the database itself after the server stops", async () => {
      server!.child.kill("SIGTERM")
      await server!.finished
      const listed = await sightline("orgs", "list", "--json")
      assert.deepStrictEqual([listed.code, JSON.parse(listed.stdout)], [0, []], listed.stderr)
    })
  })
