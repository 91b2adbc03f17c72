import { cpSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { gunzipSync, gzipSync } from "node:zlib"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { SqlClient } from "effect/sql/SqlClient"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Entry, readArchive, textEntry, type Unreadable } from "../../src/adapters/backup/archive.ts"
import { restoreEntries } from "../../src/adapters/backup/restore.ts"
import { layerStores } from "../../src/adapters/backup/stores.ts"
import { LATEST } from "../../src/core/storage/migrate.ts"
import { run, start, startServer } from "../adapters/processes.ts"
import { Client } from "../conformance/Client.ts"
import { importDataset } from "../conformance/dataset.ts"
import { prepare, type Prepared } from "../conformance/prepare.ts"
import { settled, taken, toLibrary } from "../conformance/upload.ts"
import { needs } from "../support/needs.ts"
import { hasPgBouncer, startPgBouncer } from "../support/pgbouncer.ts"
import { BUCKET, CREDENTIALS, s3Server } from "../support/s3.ts"
import { until } from "../support/until.ts"
import { cli, directory, filesOf, inDirectory, postgres, rowsOf, schemaOf, type Settings, stop } from "./support.ts"
import { oneConnection } from "../support/oneConnection.ts"
import { UNLIMITED } from "../support/unlimited.ts"

const TRACKED_SINCE = "close_dates_since"
/** Tables of later versions that the backup has rows of. */
const NEWER_TABLES = ["imports", "import_log"]

describe("backup and restore", () => {
  let prepared: Prepared
  let source: Settings
  let secret: string
  let backup: string
  let cursor: string
  let document: string
  let before: Record<string, ReadonlyArray<string>>

  const organizations = () => before["organizations"]!.length
  const api = (url: string) => new Client({ baseUrl: `${url}/api/v1`, key: prepared.keys.key, write: true })

  beforeAll(async () => {
    prepared = await prepare("PGlite")
    source = { SIGHTLINE_DATA_DIR: prepared.environment["SIGHTLINE_DATA_DIR"]! }
    const server = await startServer("Node", source)
    const client = api(server.url)
    await importDataset(client)
    const uploaded = await taken(toLibrary(client))
    document = uploaded.document.id
    await settled(client, document)
    await client.post("/webhooks", { url: "https://hooks.example.com/x", event_types: ["deal.created"] })
    const made = await client.post("/deals/export", { columns: ["name"] })
    await until("the export completes", async () => {
      const { status } = await client.get(`/deals/export/${made.json.export_id}`)
      return status === "completed"
    })
    cursor = (await client.get("/changes", { page_size: 5 })).next_cursor
    await stop(server)
    secret = readFileSync(join(source["SIGHTLINE_DATA_DIR"]!, "signing-secret"), "utf8")
    before = await rowsOf(source)
    backup = inDirectory("first.tar.gz")
    const { code, stderr, result } = await cli(["backup", backup], source)
    expect(stderr).toBe("")
    expect(code).toBe(0)
    expect(result).toMatchObject({ organizations: organizations(), files: 2 })
  })

  afterAll(async () => {
    await prepared?.drop()
    rmSync(directory, { recursive: true, force: true })
  })

  it("brings every row and file from PGlite to PostgreSQL and back", async () => {
    expect(Object.values(before).flat().length).toBeGreaterThan(100)
    for (const table of ["deals", "documents", "webhooks", "api_keys", "passages", "exports", "changes", "audit_log"]) {
      expect(before[table]?.length, table).toBeGreaterThan(0)
    }
    const server = await postgres("there", secret)
    expect(await cli(["restore", backup], server)).toMatchObject({ code: 0, result: { signingSecret: "known" } })
    expect(await rowsOf(server)).toEqual(before)
    expect(filesOf(server)).toEqual(filesOf(source))

    const second = inDirectory("second.tar.gz")
    expect(await cli(["backup", second], server)).toMatchObject({ code: 0 })
    const home = { SIGHTLINE_DATA_DIR: inDirectory("home"), SIGHTLINE_SIGNING_SECRET: secret }
    expect(await cli(["restore", second], home)).toMatchObject({
      code: 0,
      result: { signingSecret: "known", authenticatedBy: "signing secret" },
    })
    expect(await rowsOf(home)).toEqual(before)
    expect(filesOf(home)).toEqual(filesOf(source))
  })

  const inBucket = (endpoint: string): Settings => ({
    SIGHTLINE_BLOBS: `s3://${BUCKET}/kept?endpoint=${endpoint}&region=us-east-1`,
    AWS_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
    AWS_SECRET_ACCESS_KEY: Redacted.value(CREDENTIALS.secretAccessKey),
  })

  it("goes through a pooler, with files in a bucket", needs("pgbouncer", hasPgBouncer), async () => {
    const direct = await postgres("bucket", secret)
    const pooler = await startPgBouncer(direct["SIGHTLINE_DATABASE_URL"]!, 2)
    const scope = Scope.makeUnsafe()
    try {
      const settings = {
        ...direct,
        ...inBucket(await Effect.runPromise(Scope.provide(s3Server, scope))),
        SIGHTLINE_DATABASE_URL: pooler.through(direct["SIGHTLINE_DATABASE_URL"]!),
        SIGHTLINE_DATABASE_POOLED: "true",
      }
      expect(await cli(["restore", backup], settings)).toMatchObject({ code: 0, result: { files: 2 } })
      expect(await rowsOf(direct)).toEqual(before)
      const copy = inDirectory("bucket.tar.gz")
      expect(await cli(["backup", copy], settings)).toMatchObject({ code: 0, result: { files: 2 } })
      const home = { SIGHTLINE_DATA_DIR: inDirectory("from-bucket"), SIGHTLINE_SIGNING_SECRET: secret }
      expect(await cli(["restore", copy], home)).toMatchObject({ code: 0 })
      expect(await rowsOf(home)).toEqual(before)
      expect(filesOf(home)).toEqual(filesOf(source))
    } finally {
      await Effect.runPromise(Scope.close(scope, Exit.void))
      await pooler.close()
    }
  })

  it("makes every index and foreign key again, and forces row-level security", async () => {
    const [restored, fresh] = [await postgres("indexed", secret), await postgres("fresh", secret)]
    expect(await cli(["restore", backup], restored)).toMatchObject({ code: 0 })
    expect((await run(["migrate"], fresh)).code).toBe(0)
    expect(await schemaOf(restored)).toEqual(await schemaOf(fresh))
  })

  it("stops at SIGINT, and leaves no file behind", async () => {
    const settings = await postgres("stopping", secret)
    expect(await cli(["restore", backup], settings)).toMatchObject({ code: 0 })
    let isAsked = false
    // A bucket that never replies.
    const silent = createServer(() => (isAsked = true)).listen(0, "127.0.0.1")
    try {
      await until("it listens", () => silent.listening)
      const bucket = inBucket(`http://127.0.0.1:${(silent.address() as AddressInfo).port}`)
      const file = inDirectory("stopped.tar.gz")
      const { child, finished } = start("Node", ["backup", file], { ...settings, ...bucket })
      await until("the backup begins", () => isAsked && existsSync(`${file}.part`))
      child.kill("SIGINT")
      expect(await finished).toMatchObject({ code: 1, stdout: "", stderr: "sightline: SIGINT: no file was written\n" })
      expect([existsSync(file), existsSync(`${file}.part`)]).toEqual([false, false])
    } finally {
      silent.closeAllConnections()
      silent.close()
    }
  })

  it("lets clients go on where they were: keys, links, cursors, and a feed without a gap or a repeated number", async () => {
    const settings = await postgres("again", secret)
    expect(await cli(["restore", backup], settings)).toMatchObject({ code: 0 })
    const server = await startServer("Node", settings)
    try {
      const client = api(server.url)
      expect((await client.get(`/documents/${document}`)).status).toBe("ready")
      const { url } = await client.get(`/documents/${document}`)
      expect((await fetch(url)).status).toBe(200)
      const rest = (await client.get("/changes", { since: cursor, page_size: 100 })).data
      const all = (await client.get("/changes", { page_size: 100 })).data
      const ids = (changes: ReadonlyArray<{ readonly type: string; readonly id: string }>) =>
        changes.map(({ type, id }) => `${type} ${id}`)
      expect(ids(rest)).toEqual(ids(all).slice(5))
      const { next_cursor: end } = await client.get("/changes", { page_size: 100 })
      const line = JSON.stringify({ type: "deal", id: "d_new", name: "After the restore", status: "Discovery" })
      await client.request("/import", {
        method: "POST",
        headers: { "content-type": "application/x-ndjson" },
        body: `${line}\n`,
      })
      expect(ids((await client.get("/changes", { since: end })).data)).toEqual(["deal d_new"])
      const last = (await rowsOf(settings))["change_feeds"]!
      const sequence = (rows: ReadonlyArray<string>) =>
        Math.max(...rows.map((row) => Number(/^\((\d+),/.exec(row)?.[1])))
      expect(sequence(last)).toBeGreaterThan(sequence(before["change_feeds"]!))
    } finally {
      await stop(server)
    }
  })

  it("refuses a database that has an organization, and another signing secret", async () => {
    const settings = await postgres("refusing", secret)
    const other = { ...settings, SIGHTLINE_SIGNING_SECRET: "x".repeat(40) }
    const refused = await cli(["restore", backup], other)
    expect(refused).toMatchObject({ code: 1 })
    expect(refused.stderr).toContain("the signing secret differs")
    expect(await cli(["restore", backup], settings)).toMatchObject({ code: 0 })
    const twice = await cli(["restore", backup], settings)
    expect(twice).toMatchObject({ code: 1 })
    expect(twice.stderr).toContain(
      `the database already has ${organizations()} organizations; restore into an empty one`,
    )
  })

  it("restores nothing of a file that is damaged, cut short, of another version or not a backup", async () => {
    const settings = await postgres("damaged", secret)
    const bytes = readFileSync(backup)
    const tar = gunzipSync(bytes)
    const changed = Buffer.from(tar)
    const at = changed.indexOf('"name":"enterprise"')
    changed.write('"name":"Enterprise"', at)
    const flipped = Buffer.from(bytes)
    flipped[Math.floor(bytes.length / 2)]! ^= 0x40
    const cases: ReadonlyArray<readonly [string, Uint8Array, RegExp]> = [
      ["cut", bytes.subarray(0, bytes.length * 0.6), /damaged or incomplete: unexpected end of file/],
      ["short", gzipSync(tar.subarray(0, tar.length - 2048 - 512)), /damaged or incomplete/],
      ["flipped", flipped, /damaged or incomplete/],
      ["changed", gzipSync(changed), /its checksum differs/],
      ["empty", new Uint8Array(), /damaged or incomplete/],
      ["text", Buffer.from("hello"), /damaged or incomplete: incorrect header check/],
    ]
    for (const [name, content, why] of cases) {
      const file = inDirectory(`${name}.tar.gz`)
      writeFileSync(file, content)
      const refused = await cli(["restore", file], settings)
      expect(refused.code, name).toBe(1)
      expect(refused.stderr, name).toMatch(why)
    }
    const missing = await cli(["restore", inDirectory("missing.tar.gz")], settings)
    expect(missing.stderr).toContain("there is no such file")
    expect(await cli(["restore", backup], settings)).toMatchObject({ code: 0 })
  })

  const withoutUnlimited = (rows: string) =>
    rows
      .split("\n")
      .filter((row) => !row.includes(UNLIMITED))
      .join("\n")

  /** Restores the backup as if its schema had another number. */
  const restoreAs = (settings: Settings, schema: number, fails = false) => {
    const database = { kind: "postgres", url: Redacted.make(settings["SIGHTLINE_DATABASE_URL"]!) } as const
    const isNewer = ({ path }: Entry<Unreadable>) =>
      schema < LATEST && NEWER_TABLES.some((name) => path.includes(`/${name}.`))
    const changed = (entry: Entry<Unreadable>): Entry<unknown> => {
      if (fails && entry.path.includes("/documents.")) return textEntry(entry.path, '{"org_id":"nobody"}\n')
      const withText = (change: (text: string) => string) => {
        const whole = Stream.fromEffect(Stream.mkString(Stream.decodeText(entry.bytes)))
        return { ...entry, bytes: Stream.encodeText(Stream.map(whole, change)) }
      }
      // Plans of older versions have limits.
      if (schema < LATEST && entry.path.includes("/plans.")) return withText(withoutUnlimited)
      if (entry.path !== "manifest.json") return entry
      return withText((text) => text.replace(/"schema": \d+/, `"schema": ${schema}`))
    }
    return Effect.runPromise(
      Effect.provide(
        restoreEntries({ blobs: undefined }, (take) =>
          readArchive(backup, (entry) => (isNewer(entry) ? Stream.runDrain(entry.bytes) : take(changed(entry)))),
        ),
        layerStores(database, { kind: "database" }),
      ).pipe(Effect.mapError(String), Effect.exit),
    )
  }

  it("migrates a backup of an older version, and refuses one of a newer", async () => {
    const newer = await postgres("newer", secret)
    expect(JSON.stringify(await restoreAs(newer, 999))).toContain("install that version or a later one")
    // Version 24 knows no traces of jobs.
    const older = await postgres("older", secret)
    expect(JSON.stringify(await restoreAs(older, 24))).toContain("Success")
    // Nor since when close dates are tracked: the migration starts that.
    const { jobs: _, ...rows } = await rowsOf(older, TRACKED_SINCE)
    const { jobs: __, plans, ...all } = await rowsOf(source, TRACKED_SINCE)
    const without = Object.fromEntries(NEWER_TABLES.map((name) => [name, []]))
    expect(rows).toEqual({ ...all, ...without, plans: plans?.filter((row) => !row.includes(UNLIMITED)) })
    expect((await run(["migrate", "--json"], older)).code).toBe(0)
  })

  it("rolls back everything when a row does not fit", async () => {
    const settings = await postgres("failing", secret)
    expect(JSON.stringify(await restoreAs(settings, LATEST, true))).toContain("Failure")
    const schema = Effect.flatMap(SqlClient, (sql) => sql`select nspname from pg_namespace where nspname = 'sightline'`)
    const url = Redacted.make(settings["SIGHTLINE_DATABASE_URL"]!)
    expect(await Effect.runPromise(Effect.provide(schema, oneConnection(url)))).toEqual([])
  })

  it("leaves no file behind when it fails, and replaces none", async () => {
    const settings = await postgres("down", secret)
    const file = inDirectory("none.tar.gz")
    const down = await cli(["backup", file], { ...settings, SIGHTLINE_DATABASE_URL: "postgres://u:p@127.0.0.1:1/x" })
    expect(down).toMatchObject({ code: 1 })
    expect([existsSync(file), existsSync(`${file}.part`)]).toEqual([false, false])
    const again = await cli(["backup", backup], source)
    expect(again.stderr).toContain("exists; choose another name")
    expect(statSync(backup).mode & 0o077).toBe(0)
  })

  it("`migrate --to` copies to PostgreSQL and to another data directory", async () => {
    const from = { SIGHTLINE_DATA_DIR: inDirectory("from") }
    cpSync(source["SIGHTLINE_DATA_DIR"]!, from["SIGHTLINE_DATA_DIR"], { recursive: true })
    const settings = await postgres("from", secret)
    expect(await cli(["migrate", "--to", settings["SIGHTLINE_DATABASE_URL"]!], from)).toMatchObject({ code: 0 })
    expect(await rowsOf(settings)).toEqual(before)
    const to = { SIGHTLINE_DATA_DIR: inDirectory("to") }
    expect(await cli(["migrate", "--to", to["SIGHTLINE_DATA_DIR"]], settings)).toMatchObject({ code: 0 })
    expect(await rowsOf(to)).toEqual(before)
    expect(filesOf(to)).toEqual(filesOf(source))
    expect(readFileSync(join(to["SIGHTLINE_DATA_DIR"], "signing-secret"), "utf8")).toBe(secret)
  })
})
