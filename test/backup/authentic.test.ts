import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Entry, readArchive, textEntry, writeArchive } from "../../src/adapters/backup/archive.ts"
import { sealBy } from "../../src/adapters/backup/seal.ts"
import { startServer } from "../adapters/processes.ts"
import { Client } from "../conformance/Client.ts"
import { cli, directory, inDirectory, rowsOf, type Settings, stop } from "./support.ts"

describe("a backup is authenticated", () => {
  const source: Settings = { SIGHTLINE_DATA_DIR: inDirectory("source") }
  const backup = inDirectory("backup.tar.gz")
  let secret: string
  let organization: string
  let before: Record<string, ReadonlyArray<string>>

  /** An empty data directory with the signing secret. */
  const empty = (name: string): Settings => ({
    SIGHTLINE_DATA_DIR: inDirectory(name),
    SIGHTLINE_SIGNING_SECRET: secret,
  })

  beforeAll(async () => {
    organization = (await cli(["orgs", "create", "--name", "Acme"], source)).result.id
    const { key } = (await cli(["keys", "create", "--org", organization, "--role", "owner"], source)).result
    const server = await startServer("Node", source)
    const client = new Client({ baseUrl: `${server.url}/api/v1`, key, write: true })
    const webhook = await client.post("/webhooks", {
      url: "https://hooks.example.com/x",
      event_types: ["deal.created"],
    })
    expect(webhook.status).toBe(201)
    await stop(server)
    secret = readFileSync(join(source["SIGHTLINE_DATA_DIR"]!, "signing-secret"), "utf8").trim()
    before = await rowsOf(source)
    expect(await cli(["backup", backup], source)).toMatchObject({ result: { authenticatedBy: "signing secret" } })
  })

  afterAll(() => rmSync(directory, { recursive: true, force: true }))

  /** The backup with a key that somebody added, under a checksum that is right. */
  const forge = async (file: string) => {
    const entries: Array<Entry> = []
    const addKey = (rows: string) => `${rows}${rows.split("\n")[0]!.replace(/"id":"[^"]*"/, '"id":"key_forged"')}\n`
    await Effect.runPromise(
      readArchive(backup, ({ path, size, bytes }) =>
        Effect.map(Stream.mkString(Stream.decodeText(bytes)), (text) => {
          entries.push(textEntry(path, path.includes("/api_keys.") ? addKey(text) : text))
          expect(new TextEncoder().encode(text).length).toBe(size)
        }),
      ),
    )
    const own = sealBy({ by: "signing secret", secret: Redacted.make("a secret that somebody has, not us") })
    await Effect.runPromise(writeArchive(file, Stream.fromIterable(entries), own))
  }

  it("so that one that somebody changed is restored only with --insecure, without its keys", async () => {
    const file = inDirectory("forged.tar.gz")
    await forge(file)
    const settings = empty("forged")
    const refused = await cli(["restore", file], settings)
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain("none of this machine matches: somebody changed the backup")
    expect(await cli(["restore", file, "--insecure"], settings)).toMatchObject({
      code: 0,
      result: { organizations: 1, authenticatedBy: null },
    })
    const { api_keys: keys, webhooks, organizations } = await rowsOf(settings)
    expect(keys).toEqual([])
    expect(organizations).toEqual(before["organizations"])
    expect(webhooks).toEqual([expect.stringContaining("rotate the secret")])
    expect(await cli(["keys", "create", "--org", organization], settings)).toMatchObject({ code: 0 })
  })

  it("by a backup key or a passphrase instead of the signing secret, if there is one", async () => {
    const [byKey, byPassphrase] = [inDirectory("key.tar.gz"), inDirectory("passphrase.tar.gz")]
    const passphrase = inDirectory("passphrase")
    writeFileSync(passphrase, "correct horse battery staple\n")
    const keyed = { ...source, SIGHTLINE_BACKUP_KEY: "a backup key that survives the machine" }
    expect(await cli(["backup", byKey], keyed)).toMatchObject({ result: { authenticatedBy: "SIGHTLINE_BACKUP_KEY" } })
    expect(await cli(["backup", byPassphrase, "--passphrase-file", passphrase], keyed)).toMatchObject({
      result: { authenticatedBy: "passphrase" },
    })
    const target = empty("keyed")
    const refused = await cli(["restore", byKey], { ...target, SIGHTLINE_BACKUP_KEY: "x".repeat(40) })
    expect(refused.stderr).toContain("set SIGHTLINE_BACKUP_KEY to the key")
    expect((await cli(["restore", byPassphrase], target)).stderr).toContain("--passphrase-file")
    expect(await cli(["restore", byPassphrase, "--passphrase-file", passphrase], target)).toMatchObject({
      code: 0,
      result: { authenticatedBy: "passphrase" },
    })
    expect((await rowsOf(target))["api_keys"]).toEqual(before["api_keys"])
  })
})
