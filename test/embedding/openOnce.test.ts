import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { layerPglite } from "../../src/adapters/database/pglite.ts"
import { open, openOnce, Organizations, type Sightline } from "../../src/core/Sightline.ts"
import { UNLIMITED, UNLIMITED_PLANS } from "../support/unlimited.ts"

const inDirectory = async (test: (directory: string, name: string) => Promise<void>) => {
  const directory = mkdtempSync(join(tmpdir(), "sightline-once-"))
  try {
    await test(join(directory, "data"), directory)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Each instance is its own organization's host, so that an answer says which one gave it. */
const optionsOf = (directory: string, organization: string) => ({
  database: layerPglite({ directory }),
  background: false,
  plans: UNLIMITED_PLANS,
  principal: () => ({ organization, role: "owner" as const, identity: { id: "ada", name: "Ada" } }),
})
const organizationOf = async (sightline: Sightline) => {
  const reply = await sightline.handler(new Request("http://localhost/api/v1/usage"))
  const text = await reply.text()
  return reply.status === 200 ? JSON.parse(text).organization.id : text
}
const create = async (sightline: Sightline, id: string) => {
  await sightline.ready({ seconds: 600 })
  await sightline.run(Organizations.use((organizations) => organizations.create({ id, name: id, plan: UNLIMITED })))
}

describe("openOnce", () => {
  it("replaces what an earlier evaluation opened, keeps its data, and answers earlier holders", () =>
    inDirectory(async (directory, name) => {
      const first = await openOnce(name, optionsOf(directory, "org_one"))
      await create(first, "org_one")
      await create(first, "org_two")
      assert.strictEqual(await organizationOf(first), "org_one")
      const second = await openOnce(name, optionsOf(directory, "org_two"))
      await second.ready({ seconds: 600 })
      assert.strictEqual(await organizationOf(second), "org_two")
      assert.strictEqual(await organizationOf(first), "org_two")
      await first.dispose()
      assert.include(await organizationOf(second), "disposed")
    }))

  it("serves all evaluations that begin at the same time", () =>
    inDirectory(async (directory, name) => {
      const all = await Promise.all([1, 2, 3].map(() => openOnce(name, optionsOf(directory, "org_one"))))
      await create(all[0]!, "org_one")
      for (const each of all) assert.strictEqual(await organizationOf(each), "org_one")
      await all[0]!.dispose()
    }))

  it("leaves the earlier instance open if the new options are invalid", () =>
    inDirectory(async (directory, name) => {
      const first = await openOnce(name, optionsOf(directory, "org_one"))
      await create(first, "org_one")
      const refusal = await openOnce(name, { ...optionsOf(directory, "org_one"), linkDays: 0 }).catch((e: unknown) => e)
      assert.include(String(refusal), "linkDays")
      assert.strictEqual(await organizationOf(first), "org_one")
      await first.dispose()
    }))
})

describe("open", () => {
  it("waits for a directory that another instance of this process has, until that one is disposed", () =>
    inDirectory(async (directory) => {
      const first = await open(optionsOf(directory, "org_one"))
      await create(first, "org_one")
      const second = await open(optionsOf(directory, "org_one"))
      const ready = second.ready({ seconds: 600 })
      assert.strictEqual(await organizationOf(first), "org_one")
      await first.dispose()
      await ready
      assert.strictEqual(await organizationOf(second), "org_one")
      await second.dispose()
    }))
})
