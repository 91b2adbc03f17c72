import { relative } from "node:path"
import type { Reporter, TestCase, TestModule, Vitest } from "vitest/node"

const SLOWEST_FILES = 10

/**
 * Ends a run's output with the skipped tests by reason and the slowest files. A test that is skipped without a reason fails
 * the run, unless `-t` selected other tests.
 */
export default class SummaryReporter implements Reporter {
  #vitest: Vitest | undefined

  onInit(vitest: Vitest) {
    this.#vitest = vitest
  }

  onTestRunEnd(modules: ReadonlyArray<TestModule>) {
    const skipped = new Map<string, Array<TestCase>>()
    for (const module of modules) {
      for (const test of module.children.allTests("skipped")) {
        const reason = reasonOf(test)
        skipped.set(reason, [...(skipped.get(reason) ?? []), test])
      }
    }
    console.log(skipped.size === 0 ? "\nSkipped: no test" : "\nSkipped:")
    for (const [reason, tests] of skipped) console.log(`${String(tests.length).padStart(6)}  ${reason}`)

    const slowest = modules.toSorted((one, other) => secondsOf(other) - secondsOf(one)).slice(0, SLOWEST_FILES)
    console.log("\nSlowest files:")
    for (const module of slowest) {
      console.log(`${secondsOf(module).toFixed(1).padStart(6)} s  ${relative(process.cwd(), module.moduleId)}`)
    }

    if (this.#vitest?.config.testNamePattern !== undefined) return
    for (const test of skipped.get(NO_REASON) ?? []) {
      console.error(`${relative(process.cwd(), test.module.moduleId)}: "${test.fullName}" is skipped without a reason`)
      process.exitCode = 1
    }
  }
}

const NO_REASON = "no reason given"

const secondsOf = (module: TestModule) => module.diagnostic().duration / 1000

const reasonOf = (test: TestCase): string => {
  const result = test.result()
  if (result.state === "skipped" && result.note !== undefined) return result.note
  for (let at: TestCase | TestCase["parent"] = test; at.type !== "module"; at = at.parent) {
    const { lacks } = at.meta()
    if (lacks !== undefined) return `${lacks} is absent`
  }
  return NO_REASON
}
