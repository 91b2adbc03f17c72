import { execFileSync, spawnSync } from "node:child_process"
import { readFileSync, writeFileSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

// `npm run test:all -- [paths]` runs every test with new seeds and full counts. A run of all files writes its result into docs/releases.md.

const ROOT = fileURLToPath(new URL("..", import.meta.url))
const PAGE = join(ROOT, "docs/releases.md")

const arguments_ = process.argv.slice(2)
const seed = process.env["TEST_SEED"] ?? String(Date.now() % 1_000_000_007)
const directory = mkdtempSync(join(tmpdir(), "sightline-all-"))
const report = join(directory, "report.json")
const reporters = ["default", "./test/support/SummaryReporter.ts", "json"].map((name) => `--reporter=${name}`)
const began = performance.now()
const { status } = spawnSync("vitest", ["run", ...reporters, `--outputFile.json=${report}`, ...arguments_], {
  cwd: ROOT,
  env: { ...process.env, TEST_ALL: "1", TEST_SEED: seed },
  stdio: "inherit",
})
const seconds = Math.round((performance.now() - began) / 1000)

interface Report {
  readonly numTotalTests: number
  readonly numFailedTests: number
  readonly numPendingTests: number
}
const { numTotalTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(report, "utf8")) as Report
rmSync(directory, { recursive: true })

const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], { cwd: ROOT, encoding: "utf8" }).trim()
const changed =
  execFileSync("git", ["status", "--porcelain"], { cwd: ROOT, encoding: "utf8" }).trim() === "" ? "" : " and changes"
const date = new Date().toISOString().slice(0, 10)
const row = `| ${commit}${changed} | ${date} | ${seed} | ${seconds} | ${numTotalTests} | ${numPendingTests} | ${numFailedTests} |`
console.log(`\n${row}`)
if (arguments_.length === 0) {
  const text = readFileSync(PAGE, "utf8")
  const head = "|---|---|--:|--:|--:|--:|--:|\n"
  writeFileSync(PAGE, text.replace(head, `${head}${row}\n`))
}
process.exitCode = status ?? 1
