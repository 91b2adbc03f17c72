import { spawn } from "node:child_process"
import { assert, describe, it } from "@effect/vitest"
import { late } from "../../support/until.ts"
import { commandOf, HOSTILE_OUTCOMES, runHostileProgram, type Runtime, RUNTIMES } from "../support/runtimes.ts"

describe("the sandbox", () => {
  for (const runtime of Object.keys(RUNTIMES) as ReadonlyArray<Runtime>) {
    it(`does not fail a file on ${runtime} because the machine gives its thread no time`, async () => {
      const child = spawn(...commandOf(runtime, "starvedProgram.ts"))
      let said = ""
      for await (const piece of child.stdout) {
        const began = said === ""
        said += piece
        if (!began) continue
        // Longer than the limit of CPU time, while the whole process gets no CPU.
        await late(100)
        child.kill("SIGSTOP")
        await late(2500)
        child.kill("SIGCONT")
      }
      const { worked, workedMs, forever } = JSON.parse(said.split("\n")[1]!)
      assert.isAbove(workedMs, 2500)
      assert.deepStrictEqual([worked, forever], ["worked", "too-slow"])
    })

    it(`holds on ${runtime} in a process of its own, within its memory`, async () => {
      const outcomes = await runHostileProgram(runtime, "memory")
      assert.deepStrictEqual(outcomes.slice(0, 12), HOSTILE_OUTCOMES)
      // If earlier threads left free memory, excess shows late, and Deno's threads end at the time limit.
      for (const again of [outcomes[12], outcomes[14]]) assert.oneOf(again, ["too-large", "too-slow"])
      assert.deepStrictEqual(outcomes.slice(15), ["3 bytes", "bounded", "In a thread"])
    })
  }
})
