import { assert, describe, it, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { makeSides } from "../../src/core/analysis/side/sides.ts"
import { splitFacts } from "../../src/core/answers/citations/facts.ts"
import { findValues } from "../../src/core/answers/citations/values.ts"
import { splitQuestion } from "../../src/core/answers/quotes/compound.ts"
import { cutLongRuns } from "../../src/core/answers/quotes/longRuns.ts"
import { findParts } from "../../src/core/answers/quotes/parts.ts"
import { readSpoken } from "../../src/core/answers/said/spokenQuestion.ts"
import { assertInProportion } from "../support/cpu.ts"
import { engines } from "../support/engines.ts"
import { layerWeb, Web } from "../support/web.ts"

const SIGNS = [
  " ",
  "?",
  "|",
  "[",
  "`",
  "\\",
  "\u200d",
  "\u202e",
  "?!",
  "[](",
  "\n",
  "漢",
  "a ",
  "A. ",
  "1. ",
  "$1 ",
  "a1-",
]

layer(layerWeb(engines[0].database), { excludeTestServices: true })((it) => {
  it.effect("so does that of a search for long words, in the embedded database", () =>
    Effect.gen(function* () {
      const { request, tenant } = yield* Web
      const { key } = yield* tenant()
      const ask = (signs: string) => {
        const content = signs.repeat(31_000 / signs.length)
        const body = JSON.stringify({ messages: [{ role: "user", content }] })
        const headers = { "content-type": "application/json" }
        return Effect.map(request("/api/v1/responses", key, { method: "POST", body, headers }), ({ status }) => status)
      }
      assert.strictEqual(yield* ask("x "), 200)
      const cpu = process.cpuUsage()
      for (const signs of ["x_", "x-", "x.", "x/", "x@", "漢"]) assert.strictEqual(yield* ask(signs), 200, signs)
      const { user, system } = process.cpuUsage(cpu)
      // Each took 20 to 30 s.
      assert.isBelow((user + system) / 1e6, 10)
    }),
  )
})

describe("the CPU time of reading a hostile question grows in proportion to its length", () => {
  const readers: ReadonlyArray<readonly [name: string, read: (question: string) => unknown]> = [
    ["of calls", readSpoken],
    ["of two questions", splitQuestion],
    ["of values", findValues],
    ["of parts", (question) => findParts(question, undefined)],
  ]
  for (const [name, read] of readers)
    it(name, () => {
      for (const signs of SIGNS)
        for (const start of ["", "How many deals ", "What did customers say about "])
          assertInProportion(`${name} ${JSON.stringify(start + signs)}`, 8_000, (size) => {
            const content = start + signs.repeat(size / signs.length)
            for (const cut of cutLongRuns([{ role: "user", content }])) read(`${cut.content}x`)
          })
    })
})

describe("the CPU time of reading a hostile document grows in proportion to its length", () => {
  it("in what a sentence of it states", () => {
    for (const part of ["a: ", "not a: ", ", ", "A: 1; ", "We b, ", " in Ab", " ", "a", "- "])
      assertInProportion(JSON.stringify(part), 16_000, (size) => {
        const text = `x ${part.repeat(size / part.length)}x`
        splitFacts(text, [{ start: 0, end: text.length }])
      })
  })

  it("in the labels of its speakers", () => {
    const parties = { ourNames: [], ourDomains: [], ourPeople: [], client: null, clientDomain: null, deal: "d" }
    for (const part of [" - ", ", ", "(", "@a", " "])
      assertInProportion(JSON.stringify(part), 8000, (size) =>
        makeSides(parties)(`${part.repeat(size / part.length)}(`),
      )
  })
})
