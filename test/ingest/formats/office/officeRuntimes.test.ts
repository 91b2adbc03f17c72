import { execFileSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { assert, it } from "@effect/vitest"

const SCRIPT = fileURLToPath(new URL("../../support/hashes.ts", import.meta.url))

const hashes = (command: string, ...args: ReadonlyArray<string>): Record<string, string> =>
  JSON.parse(
    execFileSync(command, [...args, SCRIPT, "docx", "pptx", "xlsx"], {
      stdio: ["ignore", "pipe", "ignore"],
    }).toString(),
  ) as Record<string, string>

it("reads the same elements, and refuses for the same reason, on Node, Bun and Deno", () => {
  const node = hashes(process.execPath)
  console.log(`${Object.keys(node).length} files on three runtimes`)
  assert.deepStrictEqual(hashes("bun"), node)
  assert.deepStrictEqual(hashes("deno", "run", "-A", "--quiet"), node)
})
