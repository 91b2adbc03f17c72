import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll } from "vitest"
import { migratedPostgresUrl } from "../support/engines.ts"
import { ALL } from "../support/extent.ts"
import { HALVES } from "./halves.ts"
import { TYPES } from "./question.ts"
import { plain } from "./reading.ts"
import { openWorkspaces, type Workspaces } from "./workspaces.ts"

/** `npm run test:all` takes the day of the run. */
const TODAY = Date.parse("2026-11-25T12:00:00Z")

const all = Object.values(HALVES).flat()

describe("the set of questions", () => {
  it("has at least 700 questions, each once, and every type in each part", () => {
    assert.isAtLeast(all.length, 700)
    assert.strictEqual(new Set(all.map(({ id }) => id)).size, all.length)
    const asked = all.map(({ turns, workspace }) => plain(`${workspace} ${turns.join(" ")}`))
    assert.strictEqual(new Set(asked).size, all.length)
    for (const half of Object.values(HALVES)) {
      assert.sameMembers([...new Set(half.map(({ type }) => type))], [...TYPES])
      assert.sameMembers([...new Set(half.map(({ workspace }) => workspace))], ["demo", "crm"])
      assert.sameMembers([...new Set(half.map(({ language }) => language))], ["en", "de", "es", "fr"])
    }
  })
})

describe("the truths", () => {
  let workspaces: Workspaces
  beforeAll(async () => {
    workspaces = await openWorkspaces(await Effect.runPromise(migratedPostgresUrl), ALL ? Date.now() : TODAY)
  })
  afterAll(() => workspaces.dispose())

  it("are rows without gaps, or phrases of the library", async () => {
    const library = (await workspaces.query("demo", "select body from texts")).map(({ body }) => plain(String(body)))
    for (const question of all) {
      if (!workspaces.names.includes(question.workspace)) continue
      for (const rows of await workspaces.facts(question)) {
        assert.isAbove(rows.length, 0, question.id)
        for (const row of rows) assert.notInclude(Object.values(row), null, question.id)
      }
      if (question.truth.kind !== "says") continue
      for (const phrase of question.truth.phrases) {
        const ways = typeof phrase === "string" ? [phrase] : phrase
        const isHeld = ways.some((way) => library.some((body) => body.includes(plain(way))))
        assert.isTrue(isHeld, `${question.id}: ${ways.join(" or ")}`)
      }
    }
  })
})
