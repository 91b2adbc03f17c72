import { assert, describe, expectTypeOf, it } from "vitest"
import { Conversation } from "../../../src/adapters/ask/Conversation.ts"
import type { AskClient, AskEvent, Citation, ConversationOptions, Turn } from "../../../src/adapters/ask/types.ts"
import { type Client, SightlineError } from "../../../src/adapters/client/client.ts"
import { until } from "../../support/until.ts"
import { citation } from "../../answers/double.ts"

type Sent = { readonly messages: ReadonlyArray<{ readonly role: string; readonly content: string }>; readonly key: string | false; readonly signal: AbortSignal } // prettier-ignore

/** A client whose answers a test writes, event by event. */
const scripted = () => {
  const sent: Array<Sent & { readonly push: (...events: ReadonlyArray<AskEvent | Error | "end">) => void }> = []
  const client: AskClient = {
    answers: {
      async *stream({ messages }, { signal, idempotencyKey }) {
        const queue: Array<AskEvent | Error | "end"> = []
        let wake = Promise.withResolvers<void>()
        const push = (...events: ReadonlyArray<AskEvent | Error | "end">) => {
          queue.push(...events)
          wake.resolve()
        }
        sent.push({ messages, key: idempotencyKey, signal, push })
        signal.addEventListener("abort", () => push(signal.reason))
        for (;;) {
          const next = queue.shift()
          if (next === undefined) {
            await wake.promise
            wake = Promise.withResolvers()
          } else if (next === "end") return
          else if ("type" in next) yield next
          else throw next
        }
      },
    },
  }
  return { client, sent }
}

const text = (content: string): AskEvent => ({ type: "content_delta", content })
const cite = (cited: Citation): AskEvent => ({ type: "citation", citation: cited })
const done = (content: string, citations: ReadonlyArray<Citation> = []): AskEvent => ({
  type: "done",
  message: { content, citations },
})

const converse = (more: Partial<ConversationOptions> = {}) => {
  const { client, sent } = scripted()
  const conversation = new Conversation(() => ({ client, ...more }))
  const last = () => conversation.getState().turns.at(-1)!
  const shows = (wanted: Partial<Turn>) =>
    until(JSON.stringify(wanted), () =>
      Object.entries(wanted).every(([key, value]) => last()[key as keyof Turn] === value),
    )
  return { conversation, sent, last, shows }
}

describe("a conversation", () => {
  it("shows the text and its citations while they arrive, and the whole answer at its end", async () => {
    const finished: Array<Turn> = []
    const { conversation, sent, last, shows } = converse({ onFinish: (turn) => finished.push(turn) })
    const states: Array<string> = []
    conversation.subscribe(() => states.push(conversation.getState().status))
    const asked = conversation.ask("How many?")
    assert.strictEqual(conversation.getState().status, "submitted")
    sent[0]!.push(cite(citation(1)), text("Four "), { type: "usage" })
    await shows({ status: "streaming", text: "Four " })
    assert.deepStrictEqual(last().citations, [citation(1)])
    sent[0]!.push(text("[1]"), done("Four [1].", [citation(1)]))
    await asked
    assert.deepInclude(last(), { question: "How many?", text: "Four [1].", status: "done" })
    assert.deepStrictEqual(finished, [last()])
    assert.deepStrictEqual([...new Set(states)], ["submitted", "streaming", "ready"])
    assert.match(String(sent[0]!.key), /^[\da-f]{32}$/)
  })

  it("sends the turns so far with a follow-up, without those that have no answer", async () => {
    const { conversation, sent } = converse({ system: "Be brief." })
    void conversation.ask("One?")
    sent[0]!.push(done("1."))
    await until("one", () => conversation.getState().status === "ready")
    void conversation.ask("Two?")
    sent[1]!.push(new Error("no"))
    await until("two", () => conversation.getState().status === "error")
    void conversation.ask("Three?")
    assert.deepStrictEqual(sent[2]!.messages, [
      { role: "system", content: "Be brief." },
      { role: "user", content: "One?" },
      { role: "assistant", content: "1." },
      { role: "user", content: "Three?" },
    ])
  })

  it("sends no more than the server takes", () => {
    const turn = (n: number, size: number): Turn => ({
      id: String(n),
      question: `Q${n}`,
      text: "x".repeat(size),
      citations: [],
      status: "done",
    })
    for (const size of [5, 40_000]) {
      const { conversation, sent } = converse({ initialTurns: Array.from({ length: 80 }, (_, n) => turn(n, size)) })
      void conversation.ask("Last?")
      const { messages } = sent[0]!
      assert.isAtMost(messages.length, 100)
      assert.isAtLeast(messages.length, 10)
      assert.isAtMost(Math.max(...messages.map(({ content }) => content.length)), 32_000)
      assert.isAtMost(JSON.stringify(messages).length, 250_000)
      assert.deepStrictEqual(messages.at(-3), { role: "user", content: "Q79" })
    }
  })

  it("stops: keeps the text so far, and takes no event that comes later", async () => {
    const { conversation, sent, last, shows } = converse()
    const asked = conversation.ask("Long?")
    sent[0]!.push(text("So far"))
    await shows({ text: "So far" })
    conversation.stop()
    assert.deepInclude(last(), { text: "So far", status: "stopped" })
    assert.isTrue(sent[0]!.signal.aborted)
    const state = conversation.getState()
    sent[0]!.push(text(" and more"), done("all"))
    await asked
    assert.strictEqual(conversation.getState(), state)
    conversation.stop()
    assert.strictEqual(conversation.getState(), state)
  })

  it("answers the last of two rapid questions", async () => {
    const { conversation, sent, last } = converse()
    const first = conversation.ask("First?")
    const second = conversation.ask("Second?")
    sent[0]!.push(text("one"), done("one"))
    sent[1]!.push(text("two"), done("two"))
    await Promise.all([first, second])
    assert.deepInclude(last(), { question: "Second?", text: "two", status: "done" })
    assert.deepInclude(conversation.getState().turns[0]!, { status: "stopped", text: "" })
    await conversation.ask("  ")
    assert.lengthOf(conversation.getState().turns, 2)
  })

  it("resumes a broken or stopped answer under its own key, and asks again for one that failed", async () => {
    const failures: Array<string> = []
    const { conversation, sent, last, shows } = converse({ onError: ({ message }) => failures.push(message) })
    void conversation.ask("Q?")
    sent[0]!.push(text("One two "), new SightlineError({ code: "network_error", message: "cut off" }))
    await shows({ status: "failed" })
    assert.deepStrictEqual(failures, ["cut off"])
    const resumed = conversation.resume()
    assert.deepInclude(last(), { text: "One two ", status: "submitted" })
    sent[1]!.push(text("One "))
    await shows({ status: "streaming" })
    assert.strictEqual(last().text, "One two ")
    sent[1]!.push(text("two three"))
    await shows({ text: "One two three" })
    conversation.stop()
    await resumed
    void conversation.resume()
    assert.strictEqual(sent[2]!.key, sent[0]!.key)
    sent[2]!.push(new SightlineError({ code: "service_unavailable", message: "the model failed" }))
    await shows({ status: "failed" })
    void conversation.resume()
    assert.notStrictEqual(sent[3]!.key, sent[0]!.key)
    assert.strictEqual(last().text, "")
    sent[3]!.push(done("Four."))
    await shows({ status: "done" })
    await conversation.resume()
    assert.lengthOf(sent, 4)
    assert.lengthOf(conversation.getState().turns, 1)
  })

  it("continues from turns that were kept, of which a running one counts as stopped", async () => {
    const { conversation: before } = converse()
    void before.ask("Kept?")
    const initialTurns = JSON.parse(JSON.stringify(before.getState().turns)) as ReadonlyArray<Turn>
    const { conversation, sent, last } = converse({ initialTurns })
    assert.strictEqual(last().status, "stopped")
    const resumed = conversation.resume()
    assert.strictEqual(sent[0]!.key, initialTurns[0]!.id)
    sent[0]!.push(done("Yes."))
    await resumed
    assert.deepInclude(last(), { text: "Yes.", status: "done" })
    conversation.reset()
    assert.deepStrictEqual(conversation.getState(), { turns: [], status: "ready", error: undefined })
  })

  it("fails if the answer has no end, and leaves nothing recorded if it is not resumable", async () => {
    const { conversation, sent, last } = converse({ resumable: false })
    const asked = conversation.ask("Q?")
    sent[0]!.push(text("half"), "end")
    await asked
    assert.deepInclude(last(), { status: "failed", text: "half" })
    assert.isFalse(sent[0]!.key)
  })

  it("takes the client of `sightline/client`", () => {
    expectTypeOf<Client>().toExtend<AskClient>()
  })
})
