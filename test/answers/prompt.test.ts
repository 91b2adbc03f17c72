import { assert, describe, it } from "vitest"
import type { Message } from "../../src/core/answers/Answerer.ts"
import { conversation } from "../../src/core/answers/agent/prompt.ts"

const said = (role: Message["role"], content: string): Message => ({ role, content })
const shown = (...messages: ReadonlyArray<Message>) =>
  conversation([...messages, said("user", "And now?")]).map(({ role, content }) => [role, String(content).slice(0, 60)])

describe("a conversation as the model sees it", () => {
  const long = "x".repeat(20_000)

  it("keeps the caller's wishes when it drops the oldest messages", () => {
    assert.deepStrictEqual(
      shown(said("system", "Be brief."), said("user", `first ${long}`), said("assistant", long), said("user", "More?")),
      [
        ["user", "Wishes of the application that asks:\nBe brief."],
        ["assistant", "x".repeat(60)],
        ["user", "More?"],
        ["user", "And now?"],
      ],
    )
  })

  it("begins with a message of the caller", () => {
    assert.deepStrictEqual(shown(said("assistant", "Hello!"), said("user", "Hi"), said("assistant", "Yes?")), [
      ["user", "Hi"],
      ["assistant", "Yes?"],
      ["user", "And now?"],
    ])
    assert.deepStrictEqual(shown(said("user", long), said("assistant", long)), [["user", "And now?"]])
    assert.deepStrictEqual(shown(said("assistant", "Hello!")), [["user", "And now?"]])
  })
})
