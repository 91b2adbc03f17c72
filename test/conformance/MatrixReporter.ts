import type { Reporter, TestModule, TestSuite } from "vitest/node"
import { type Engine, renderMatrix, type Runtime } from "./matrix.ts"

declare module "vitest" {
  interface TaskMeta {
    /** The combination that a suite checks. */
    cell?: { readonly runtime: Runtime; readonly engine: Engine }
  }
}

/** Ends the output of the command with the matrix. */
export default class MatrixReporter implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>) {
    const suites = modules.flatMap((module) => [...module.children.allSuites()])
    const outcome = (runtime: Runtime, engine: Engine) => {
      const suite = suites.find((suite) => {
        const { cell } = suite.meta()
        return cell?.runtime === runtime && cell.engine === engine
      })
      return suite && outcomeOf(suite)
    }
    console.log(`\n${renderMatrix(outcome)}`)
  }
}

const outcomeOf = (suite: TestSuite): string => {
  const { lacks } = suite.meta()
  if (lacks !== undefined) return `${lacks} is absent`
  const tests = [...suite.children.allTests()]
  const inState = (state: string) => tests.filter((test) => test.result().state === state).length
  const [passed, failed] = [inState("passed"), inState("failed")]
  if (passed + failed === 0) return "FAILED to start"
  if (failed > 0 || suite.state() === "failed") return `${failed} of ${passed + failed} FAILED`
  const seconds = tests.reduce((sum, test) => sum + (test.diagnostic()?.duration ?? 0), 0) / 1000
  return `${passed} passed, ${Math.round(seconds)} s`
}
