import { rmSync } from "node:fs"
import { assert, describe, it } from "vitest"
import { run } from "../adapters/processes.ts"
import { migratedDirectory } from "../support/embedded.ts"
import { testBesideServer } from "./besideServer.ts"

testBesideServer("Node")

describe("orgs", () => {
  it("lists and changes organizations without a running server", async () => {
    const at = await migratedDirectory()
    const sightline = (...args: ReadonlyArray<string>) => run(["orgs", ...args], { SIGHTLINE_DATA_DIR: at })
    const { id } = JSON.parse((await sightline("create", "--name", "Acme", "--json")).stdout) as { readonly id: string }
    assert.strictEqual((await sightline("change", id)).code, 2)
    const changed = await sightline("change", id, "--plan", "enterprise", "--name", "Acme Inc", "--json")
    assert.deepStrictEqual(JSON.parse(changed.stdout), { id, name: "Acme Inc", plan: "enterprise" })
    assert.match((await sightline("list")).stdout, new RegExp(`${id}  Acme Inc  enterprise`))
    assert.strictEqual((await sightline("erase", id, "--yes")).stdout, `Erased ${id}.\n`)
    assert.strictEqual((await sightline("erase", id, "--yes")).code, 1)
    rmSync(at, { recursive: true, force: true })
  })
})
