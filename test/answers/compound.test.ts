import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { AnswerEvent, Message } from "../../src/core/answers/Answerer.ts"
import { answerInParts, splitQuestion } from "../../src/core/answers/quotes/compound.ts"
import { cutLongRuns } from "../../src/core/answers/quotes/longRuns.ts"
import { contentOf } from "./turns.ts"

const CITED = {
  type: "citation",
  citation: { id: "c1", document_name: "Report", excerpt: "1", url: "/r/x" },
} as unknown as AnswerEvent

const text = (content: string): AnswerEvent => ({ type: "content_delta", content })

/** Answers by what the last question is; the questions that were asked. */
const scripted = (answers: Readonly<Record<string, string>>) => {
  const asked: Array<string> = []
  const answer = (messages: ReadonlyArray<Message>) =>
    Effect.sync(() => {
      const question = messages.at(-1)!.content
      asked.push(question)
      const found = answers[question]
      return found === undefined ? [text("Nothing in this workspace answers this.")] : [CITED, text(found)]
    })
  return { asked, answer }
}

const user = (content: string): ReadonlyArray<Message> => [{ role: "user", content }]

describe("two questions in one", () => {
  it.each([
    ["How many deals did we lose, and to whom?", ["How many deals did we lose?", "to whom?"]],
    ["Why did we lose Acme? And who owned it?", ["Why did we lose Acme?", "who owned it?"]],
    ["What does Orvanta charge and how do we beat them?", ["What does Orvanta charge?", "how do we beat them?"]],
    ["How many deals did we win in DACH and the Nordics?", undefined],
    ["Open deals in DACH and which of them are overdue?", undefined],
    ["Who won most?", undefined],
  ] as const)("are divided: %s", (question, parts) => assert.deepStrictEqual(splitQuestion(question), parts))

  it.effect("are one if the second names nothing, and texts answer the first", () =>
    Effect.gen(function* () {
      const { asked, answer } = scripted({
        "When does Orvanta raise its prices?": "“The price rises in May.”",
        "by how much?": "**9 deals**",
        "How many deals did we lose?": "**9 lost deals**\n\nFilter: outcome lost.",
        "why?": "Price",
      })
      const answered = yield* answerInParts(user("When does Orvanta raise its prices and by how much?"), answer)
      assert.strictEqual(contentOf(answered), "“The price rises in May.”")
      assert.notInclude(asked, "by how much?")
      const counted = yield* answerInParts(user("How many deals did we lose and why?"), answer)
      assert.include(contentOf(counted), "Price")
    }),
  )

  it.effect("are answered in turn, the second as a turn after the first", () =>
    Effect.gen(function* () {
      const { answer, asked } = scripted({ "What does Orvanta charge?": "$71.", "how do we beat them?": "Like so." })
      const events = yield* answerInParts(user("What does Orvanta charge and how do we beat them?"), answer)
      assert.strictEqual(contentOf(events), "$71.\nLike so.")
      assert.strictEqual(asked.length, 3)
    }),
  )

  it.effect("say which one has no answer", () =>
    Effect.gen(function* () {
      const { answer } = scripted({ "What does Orvanta charge?": "$71." })
      const events = yield* answerInParts(user("What does Orvanta charge and how tall is its tower?"), answer)
      assert.strictEqual(
        contentOf(events),
        "$71.\nI have no answer to “how tall is its tower?”. Please ask it alone.\n",
      )
    }),
  )

  it.effect("stay one where a report answers all, or the first has no answer", () =>
    Effect.gen(function* () {
      const whole = "Who beat us most, and on what?"
      const one = scripted({ [whole]: "A table.\n\nFilter: all deals.", "Who beat us most?": "X.", "on what?": "Y." })
      assert.strictEqual(contentOf(yield* answerInParts(user(whole), one.answer)), "A table.\n\nFilter: all deals.")
      const none = scripted({ "how many deals did we win?": "8." })
      const refused = yield* answerInParts(user("What is the weather, and how many deals did we win?"), none.answer)
      assert.strictEqual(contentOf(refused), "Nothing in this workspace answers this.")
    }),
  )

  it.effect("are asked apart where the network read one of them", () =>
    Effect.gen(function* () {
      const whole = "How many deals did we lose, and to whom?"
      const { answer } = scripted({
        [whole]: "92.\n\nFilter: outcome lost.\n\nI read this as: lost deals.",
        "How many deals did we lose?": "92.",
        "to whom?": "By competitor.",
      })
      assert.strictEqual(contentOf(yield* answerInParts(user(whole), answer)), "92.\nBy competitor.")
    }),
  )
})

describe("a long run of signs in a message", () => {
  it("is cut, and words, tables and marks on letters stay", () => {
    const [question] = cutLongRuns(user(`How many${" ?".repeat(16_000)}deals`))
    assert.strictEqual(question!.content, `How many${" ?".repeat(50)}deals`)
    const table = `| Owner | Deals |\n${"| --- ".repeat(10)}|\n| Ada | 3 |\n${"a\u0301".repeat(500)}${"मूल्य ".repeat(100)}`
    assert.strictEqual(cutLongRuns(user(table))[0]!.content, table)
  })
})
