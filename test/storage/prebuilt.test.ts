import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "vitest"
import { packDirectory, unpackDirectory } from "../../src/adapters/database/prebuilt/format.ts"
import { engineVersion, isMadeFor, writeTar, writePrebuilt } from "../../src/adapters/database/prebuilt/prebuilt.ts"
import { OPTIONAL_PACKAGES } from "../../src/core/common/optionalPackage.ts"

const MADE = { engine: "0.5.14", schema: 40, functions: "abc" }
const PAGE = 8192

describe("the packed directory of a new database", () => {
  const folder = mkdtempSync(join(tmpdir(), "sightline-prebuilt-"))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const page = (seed: number) => Buffer.from(Array.from({ length: PAGE }, (_, n) => (n * seed) % 251))
  const files = new Map([
    ["PG_VERSION", Buffer.from("18\n")],
    ["base/1/pages", Buffer.concat([page(3), page(7), Buffer.alloc(PAGE), page(3)])],
    ["base/5/pages", Buffer.concat([page(7), page(3), Buffer.from("less than a page")])],
    ["empty", Buffer.alloc(0)],
    ["zeros", Buffer.alloc(3 * PAGE + 5)],
  ])
  const root = join(folder, "made")
  for (const path of ["base/1", "base/5", "pg_notify"]) mkdirSync(join(root, path), { recursive: true })
  for (const [path, content] of files) writeFileSync(join(root, path), content)
  const unpacked = unpackDirectory(packDirectory(root, MADE))

  const assertWhole = (directory: string) => {
    for (const [path, content] of files) assert.isTrue(readFileSync(join(directory, path)).equals(content), path)
    assert.isTrue(statSync(join(directory, "pg_notify")).isDirectory())
  }

  it("has every file and directory, and the versions that it was made with", () => {
    assert.include(unpacked, MADE)
    const written = join(folder, "written")
    writePrebuilt(unpacked, written)
    assertWhole(written)
    assert.strictEqual(statSync(written).mode & 0o777, 0o700)
  })

  it("is an archive for a database in memory", async () => {
    writeFileSync(join(folder, "made.tar"), new Uint8Array(await writeTar(unpacked).arrayBuffer()))
    mkdirSync(join(folder, "extracted"))
    execFileSync("tar", ["-xf", join(folder, "made.tar"), "-C", join(folder, "extracted")], { stdio: "pipe" })
    assertWhole(join(folder, "extracted"))
  })

  it("is used only by the engine, schema and functions that it was made with", () => {
    assert.isTrue(isMadeFor({ ...MADE }, unpacked))
    assert.isFalse(isMadeFor({ ...MADE, engine: "0.5.15" }, unpacked))
    assert.isFalse(isMadeFor({ ...MADE, engine: undefined }, unpacked))
    assert.isFalse(isMadeFor({ ...MADE, schema: 41 }, unpacked))
    assert.isFalse(isMadeFor({ ...MADE, functions: "abd" }, unpacked))
    assert.strictEqual(engineVersion(), OPTIONAL_PACKAGES["@electric-sql/pglite"].version)
  })
})
