import { spawnSync } from "node:child_process"
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"

const ROOT = join(import.meta.dirname, "../..")
const PAGE = join(ROOT, "docs/releases.md")
const REPORT = `{"numTotalTests":9,"numFailedTests":0,"numPendingTests":5}`

const directory = mkdtempSync(join(tmpdir(), "sightline-stopped-"))
afterAll(() => rmSync(directory, { recursive: true }))

/** Runs `npm run test:all` with a script in the place of Vitest. */
const runAll = (script: string) => {
  const vitest = join(directory, "vitest")
  writeFileSync(
    vitest,
    `#!/bin/sh\nfor each in "$@"; do case $each in --outputFile.json=*) report="\${each#*=}";; esac; done\n${script}\n`,
  )
  chmodSync(vitest, 0o755)
  return spawnSync(process.execPath, [join(ROOT, "test/all.ts")], {
    env: { ...process.env, PATH: `${directory}${delimiter}${process.env["PATH"]}` },
    encoding: "utf8",
  })
}

describe("a run of all tests that is stopped", () => {
  for (const [how, script, says, code] of [
    ["by a signal", "kill -TERM $$", "vitest was ended by SIGTERM", 1],
    ["by Ctrl+C, with a report of the files that ran", `echo '${REPORT}' > "$report"; exit 130`, "code 130", 130],
    ["before it reports", "exit 0", "no complete report", 1],
  ] as const)
    it(`${how} says so, fails and leaves docs/releases.md as it is`, () => {
      const before = readFileSync(PAGE, "utf8")
      const { status, stderr } = runAll(script)
      const after = readFileSync(PAGE, "utf8")
      if (after !== before) writeFileSync(PAGE, before)
      assert.strictEqual(after, before)
      assert.include(stderr, says)
      assert.strictEqual(status, code)
    })
})
