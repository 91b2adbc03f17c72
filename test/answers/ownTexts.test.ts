import { assert, describe, it } from "vitest"
import { allow, isOfBuyers } from "../../src/core/answers/quotes/allowed.ts"
import { comparesWithSame, hasSameRate } from "../../src/core/answers/quotes/comparison.ts"
import { readSupport } from "../../src/core/answers/quotes/followUp.ts"
import { asksForDocuments } from "../../src/core/answers/subjects/documents.ts"
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
const answers = (
  text: string,
  given: Partial<Parameters<typeof passage>[0]> = {},
  question = "Does Calyptus have single sign-on?",
) => {
  const { quote } = allow([question], RIVAL, undefined, [], false)
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

  it("is answered by a pronoun only if that means the rival", () => {
    assert.isFalse(answers("Unlike Calyptus One, Quellaria has every plan. It also has single sign-on."))
    assert.isFalse(answers("Quellaria has every plan. It is cheap. It has single sign-on."))
    assert.isTrue(answers("Calyptus One is cheap. It sells to banks. It has no single sign-on."))
  })

  it("is not answered by advice to sellers, and neither is one that continues it", () => {
    const card = { competitorId: "calyptus" }
    assert.isFalse(answers("Price first. Lead with single sign-on.", card))
    const { quote } = allow(
      ["Does it have SCIM? and single sign-on?", "and single sign-on?"],
      RIVAL,
      undefined,
      [],
      false,
    )
    assert.isFalse(quote({ passage: passage({ id: "doc", text: "Lead with it.", ...card }), start: 0, end: 13 }))
    assert.isTrue(answers("Price first. Lead with single sign-on.", card, "How do I beat Calyptus?"))
  })

  it("is not answered by the record of a deal if it asks what the rival does", () => {
    const record = { source: "deal", dealId: "d1" } as const
    const text = "Won. Lanmere Industries chose us over Calyptus One."
    assert.isFalse(answers(text, record, "What industry does Calyptus focus on?"))
    assert.isTrue(answers(text, record, "Who chose us over Calyptus?"))
  })
})

describe("a question about what we do", () => {
  const answersUs = (question: string, text: string, given: Partial<Parameters<typeof passage>[0]>) =>
    allow([question], undefined, undefined, [], false).quote({
      passage: passage({ id: "doc", text, ...given }),
      start: 0,
      end: text.length,
    })

  it("is answered by a rival's document only in a sentence about us", () => {
    const card = { competitorId: "calyptus" }
    assert.isFalse(answersUs("Where do we host customer data?", "Calyptus One hosts data in Lyon.", card))
    assert.isTrue(answersUs("Where do we host customer data?", "We host customer data in Bonn.", card))
    assert.isTrue(answersUs("How often do we run backups?", "Backups run every six hours.", {}))
    assert.isFalse(answersUs("How often do we run backups?", "Backups left their region.", { source: "deal" }))
  })

  it("about our terms is answered by no text of another, however short it is", () => {
    const { passage: isAllowed } = allow(["Our notice period?"], undefined, undefined, [], false)
    assert.isFalse(isAllowed(passage({ id: "doc", text: "90 days", dealId: "d1" })))
    assert.isTrue(isAllowed(passage({ id: "doc", text: "90 days" })))
  })
})

describe("the words of a question", () => {
  it.each([
    ["does Tallowmark support offline mode", "does Tallowmark have offline mode"],
    ["And can Brixen Suite support SAML?", "And can Brixen Suite have SAML?"],
    ["do we support SCIM", "do we have SCIM"],
  ])("have the verb support for what a thing has: %s", (question, whole) => {
    assert.strictEqual(readSupport(question), whole)
  })

  it.each([
    "does Tallowmark support answer at weekends",
    "Does Tallowmark offer phone support?",
    "what are the support hours of Tallowmark",
    "does Tallowmark support cost extra",
  ])("keep the noun support: %s", (question) => {
    assert.strictEqual(readSupport(question), question)
  })

  it("ask for a rate that another unit of time does not answer", () => {
    assert.isFalse(hasSameRate("how many calls per month", "limited to 1,200¹ calls per hour"))
    assert.isTrue(hasSameRate("how many calls per hour", "limited to 1,200¹ calls per hour"))
    assert.isTrue(hasSameRate("cost per month", "Price per seat and month: $44"))
    assert.isTrue(hasSameRate("how many calls per month", "calls are unlimited"))
  })

  it("compare two times, which a sentence about one of them does not answer", () => {
    assert.isFalse(comparesWithSame("why do we lose more than last year", "We tried Orvanta last year."))
    assert.isTrue(comparesWithSame("why do we lose more than last year", "We lost twice as many, since prices rose."))
  })

  it("ask for documents only if calls are those of people", () => {
    assert.isFalse(asksForDocuments("how many API calls are in Nimbrel Unlimited?"))
    assert.isFalse(asksForDocuments("how many calls per hour does Tallowmark allow"))
    assert.isTrue(asksForDocuments("how many calls do we have with Nimbrel?"))
  })

  it("complain as buyers do", () => assert.isTrue(isOfBuyers("who complained about support")))
})
