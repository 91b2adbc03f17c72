import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { assert, describe, it } from "@effect/vitest"

const WAITS = fileURLToPath(new URL("./waits.ts", import.meta.url))

describe("on Deno", () => {
  it("a fiber holds no more the longer it runs", async () => {
    const deno = ["run", "-A", "--quiet", "--v8-flags=--expose-gc", WAITS]
    const { stdout } = await promisify(execFile)("deno", deno)
    const [first, , last] = JSON.parse(stdout) as [number, number, number]
    // 40,000 waits between them, each of which would hold 450 bytes.
    assert.isAtMost(last - first, 2_000_000)
  })
})
