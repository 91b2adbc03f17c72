import { execFileSync } from "node:child_process"
import { assert, it } from "@effect/vitest"
import { commandOf, type Runtime } from "../support/runtimes.ts"

const readOn = (runtime: Runtime): unknown => {
  const [program, args] = commandOf(runtime, "importProgram.ts")
  return JSON.parse(execFileSync(program, args, { stdio: ["ignore", "pipe", "inherit"] }).toString())
}

it("reads the same rows of the same files on Node, Bun and Deno", () => {
  const node = readOn("node") as { readonly workbook: readonly [object, ReadonlyArray<unknown>] }
  assert.lengthOf(node.workbook[1], 2)
  assert.deepStrictEqual(readOn("bun"), node)
  assert.deepStrictEqual(readOn("deno"), node)
})
