import { describe, it } from "vitest"
import { findValues } from "../../src/core/answers/citations/values.ts"
import { splitQuestion } from "../../src/core/answers/extractive/compound.ts"
import { cutLongRuns } from "../../src/core/answers/extractive/longRuns.ts"
import { findParts } from "../../src/core/answers/extractive/parts.ts"
import { readSpoken } from "../../src/core/answers/said/spokenQuestion.ts"
import { assertInProportion } from "../support/cpu.ts"

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
        for (const start of ["", "How many deals "])
          assertInProportion(`${name} ${JSON.stringify(start + signs)}`, 8_000, (size) => {
            const content = start + signs.repeat(size / signs.length)
            for (const cut of cutLongRuns([{ role: "user", content }])) read(`${cut.content}x`)
          })
    })
})
