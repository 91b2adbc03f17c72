import { assert, it } from "@effect/vitest"
import { Grounding } from "../../src/core/answers/citations/Grounding.ts"
import { makeProfile } from "../../src/core/answers/citations/profile.ts"
import { References } from "../../src/core/answers/citations/References.ts"
import { Evidence } from "../../src/core/answers/citations/verifier.ts"
import { passage } from "./passages.ts"

/** CPU seconds. Each text takes less than one, and a minute if the time grows with the square. */
const MAX_SECONDS = 15

it("grounding takes time proportional to the text", () => {
  const references = new References()
  const price = references.ref(passage({ id: "d1", text: "Acme sells seats at $40 a month. Its setup fee is $900." }))
  for (const bit of ["[[[[", "[[a,b,c", "](", "https", "a ", `x [[${price}]] `, "<a ", "`"]) {
    const began = process.cpuUsage()
    const grounding = new Grounding(references)
    grounding.push(bit.repeat(50_000))
    grounding.end()
    assert.isBelow(process.cpuUsage(began).user / 1e6, MAX_SECONDS, bit)
  }
})

it("the check of a claim takes time proportional to the passage", () => {
  for (const bit of [
    "quatre-vingt-",
    "a 7 ",
    "für Anna ",
    "lost to Anna ",
    "1/02 ",
    "x: y; ",
    "Ben Cole 7, ",
    "| 7 ",
  ]) {
    const began = process.cpuUsage()
    const evidence = new Evidence(`${bit.repeat(4000 / bit.length)}x`)
    for (const length of [100, 900]) evidence.find(makeProfile(bit.repeat(length / bit.length)), () => 1)
    assert.isBelow(process.cpuUsage(began).user / 1e6, MAX_SECONDS, bit)
  }
})
