import { assert, describe, it } from "vitest"
import { allow } from "../../src/core/answers/quotes/allowed.ts"
import { passage } from "./passages.ts"

const RIVAL = {
  kind: "competitor",
  id: "calyptus",
  name: "Calyptus One",
  aliases: [],
  rivals: ["Orvanta"],
  against: [],
  deals: [{ id: "d1", name: "Harbor Mills renewal", outcome: "lost" }],
} as const

/** Whether the last sentence of a text may answer a question about the rival. */
const answers = (text: string, given: Partial<Parameters<typeof passage>[0]> = {}) => {
  const { quote } = allow("Does Calyptus have single sign-on?", RIVAL, undefined, [], false)
  const whole = passage({ id: "doc", text, ...given })
  return quote({ passage: whole, start: text.lastIndexOf(". ") + 2, end: text.length })
}

describe("a question about a rival", () => {
  it("is not answered by what a call or a document of ours says of us", () => {
    assert.isFalse(answers("Calyptus One came up. We tried the single sign-on, and it was slow.", { dealId: "d1" }))
    assert.isFalse(answers("Calyptus One is cheap. Single sign-on: our buyers sign in with their provider."))
  })

  it("is answered by its own documents, and by sentences that name it", () => {
    assert.isTrue(answers("Price first. Single sign-on is in the highest plan.", { competitorId: "calyptus" }))
    assert.isTrue(answers("We met them. Calyptus One has no single sign-on.", { dealId: "d1" }))
    assert.isTrue(answers("Calyptus One is cheap. It has no single sign-on."))
    assert.isTrue(answers("Price first. Single sign-on is in the highest plan.", { name: "Calyptus notes.md" }))
  })
})
