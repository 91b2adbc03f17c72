import { writeFileSync } from "node:fs"
import { relative } from "node:path"
import { stripVTControlCharacters } from "node:util"
import type { Reporter, TestCase, TestModule, TestSuite, Vitest } from "vitest/node"

const SLOWEST_FILES = 10
const MAX_LISTED = 40
/** In UTF-16 units. */
const MAX_DIFF = 4_000

/**
 * Says what failed in a file when it ends, with the difference of values, so that a run that is stopped has said it. Ends a run's output with the slowest files, the
 * skipped tests by reason, and then, as the last lines, each failure with the first line of its error; `TEST_FAILURES_FILE` names a file
 * for these. A test that is skipped without a reason fails the run, unless `-t` selected other tests.
 */
export default class SummaryReporter implements Reporter {
  #vitest: Vitest | undefined

  onInit(vitest: Vitest) {
    this.#vitest = vitest
  }

  onTestModuleEnd(module: TestModule) {
    for (const failure of failuresOf(module)) console.error(`FAILED ${failure}`)
    for (const test of module.children.allTests("failed"))
      for (const { diff = "" } of test.result().errors ?? []) if (diff !== "") console.error(diff.slice(0, MAX_DIFF))
  }

  onTestRunEnd(modules: ReadonlyArray<TestModule>, unhandled: ReadonlyArray<{ readonly message?: string }>) {
    const slowest = modules.toSorted((one, other) => secondsOf(other) - secondsOf(one)).slice(0, SLOWEST_FILES)
    console.log("\nSlowest files:")
    for (const module of slowest) console.log(`${secondsOf(module).toFixed(1).padStart(6)} s  ${pathOf(module)}`)

    const skipped = Map.groupBy(
      modules.flatMap((module) => [...module.children.allTests("skipped")]),
      reasonOf,
    )
    const failures = [
      ...modules.flatMap(failuresOf),
      ...unhandled.map(({ message }) => `unhandled: ${firstLine(message)}`),
    ]
    // A hook that fails, or `--bail`, leaves tests behind that did not run.
    if (failures.length > 0 || this.#vitest?.config.testNamePattern !== undefined) skipped.delete(NO_REASON)
    console.log(skipped.size === 0 ? "\nSkipped: no test" : "\nSkipped:")
    for (const [reason, tests] of skipped) console.log(`${String(tests.length).padStart(6)}  ${reason}`)

    for (const test of skipped.get(NO_REASON) ?? []) {
      failures.push(`${pathOf(test.module)} > ${test.fullName}: is skipped without a reason`)
      process.exitCode = 1
    }
    if (failures.length === 0) return
    const more = failures.length > MAX_LISTED ? [`${failures.length - MAX_LISTED} more`] : []
    const text = [...failures.slice(0, MAX_LISTED), ...more].map((failure) => `FAILED ${failure}\n`).join("")
    console.error(`\n${text}`)
    const file = process.env["TEST_FAILURES_FILE"]
    if (file !== undefined) writeFileSync(file, text)
  }
}

const NO_REASON = "no reason given"

const pathOf = (module: TestModule) => relative(process.cwd(), module.moduleId)

const secondsOf = (module: TestModule) => module.diagnostic().duration / 1000

const firstLine = (message = "no message") => stripVTControlCharacters(message).trim().split("\n")[0]!

/** The failed tests of a file, and its hooks and imports that failed. */
const failuresOf = (module: TestModule): ReadonlyArray<string> => {
  const failed = (name: string, errors: ReadonlyArray<{ readonly message: string }>) =>
    `${pathOf(module)}${name === "" ? "" : ` > ${name}`}: ${firstLine(errors[0]?.message)}`
  const groups: ReadonlyArray<TestModule | TestSuite> = [module, ...module.children.allSuites()]
  return [
    ...groups.flatMap((group) => {
      const errors = group.errors()
      return errors.length === 0 ? [] : [failed(group.type === "module" ? "" : group.fullName, errors)]
    }),
    ...[...module.children.allTests("failed")].map((test) => failed(test.fullName, test.result().errors ?? [])),
  ]
}

const reasonOf = (test: TestCase): string => {
  const result = test.result()
  if (result.state === "skipped" && result.note !== undefined) return result.note
  for (let at: TestCase | TestCase["parent"] = test; at.type !== "module"; at = at.parent) {
    const { lacks } = at.meta()
    if (lacks !== undefined) return `${lacks} is absent`
  }
  return NO_REASON
}
