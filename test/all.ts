import { execFileSync, spawnSync } from "node:child_process"
import { existsSync, readFileSync, writeFileSync, mkdtempSync, rmSync } from "node:fs"
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
const { status, signal } = spawnSync("vitest", ["run", ...reporters, `--outputFile.json=${report}`, ...arguments_], {
  cwd: ROOT,
  env: { ...process.env, TEST_ALL: "1", TEST_SEED: seed },
  stdio: "inherit",
})
const seconds = Math.round((performance.now() - began) / 1000)

interface Report {
  readonly numTotalTests: number
  readonly numFailedTests: number
  readonly numPendingTests: number
  readonly testResults: ReadonlyArray<{
    readonly status: string
    readonly assertionResults: ReadonlyArray<{ readonly status: string }>
  }>
}

/** Failed tests, and files that failed before a test did: in their set-up. */
const countFailed = ({ numFailedTests, testResults }: Report): number =>
  numFailedTests +
  testResults.filter(
    (file) => file.status === "failed" && !file.assertionResults.some(({ status }) => status === "failed"),
  ).length

/** Vitest's report of a run that came to its end, with or without failures; undefined for one that was stopped. */
const readReport = (): Report | undefined => {
  if (status !== 0 && status !== 1) return undefined
  return existsSync(report) ? (JSON.parse(readFileSync(report, "utf8")) as Report) : undefined
}

const found = readReport()
rmSync(directory, { recursive: true })
if (found === undefined) {
  const how = signal === null ? `ended with code ${status} and no complete report` : `was ended by ${signal}`
  console.error(`\nThe run is incomplete: vitest ${how} after ${seconds} s. docs/releases.md stays as it is.`)
  process.exit(status === null || status === 0 ? 1 : status)
}
const { numTotalTests, numPendingTests } = found

const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], { cwd: ROOT, encoding: "utf8" }).trim()
const changed =
  execFileSync("git", ["status", "--porcelain"], { cwd: ROOT, encoding: "utf8" }).trim() === "" ? "" : " and changes"
const date = new Date().toISOString().slice(0, 10)
const row = `| ${commit}${changed} | ${date} | ${seed} | ${seconds} | ${numTotalTests} | ${numPendingTests} | ${countFailed(found)} |`
console.log(`\n${row}`)
if (arguments_.length === 0) {
  const text = readFileSync(PAGE, "utf8")
  const head = "|---|---|--:|--:|--:|--:|--:|\n"
  writeFileSync(PAGE, text.replace(head, `${head}${row}\n`))
}
process.exitCode = status ?? 1
