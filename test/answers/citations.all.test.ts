import { assert, it } from "@effect/vitest"
import { Grounding } from "../../src/core/answers/citations/Grounding.ts"
import { References } from "../../src/core/answers/citations/References.ts"
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
