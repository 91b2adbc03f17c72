import { relative } from "node:path"
import { BaseSequencer, type TestSpecification } from "vitest/node"
import { LONGEST } from "./files.ts"

/** Starts the longest files first, and files that share a process one after the other, so that the next one finds it. */
export default class Sequencer extends BaseSequencer {
  override async sort(files: Array<TestSpecification>) {
    const bySize = await super.sort(files)
    const root = this.ctx.config.root
    const rank = ({ moduleId, project }: TestSpecification) => {
      const place = LONGEST.indexOf(relative(root, moduleId))
      return (project.config.isolate ? 0 : LONGEST.length + 1) + (place === -1 ? LONGEST.length : place)
    }
    return bySize.toSorted((one, other) => rank(one) - rank(other))
  }
}
