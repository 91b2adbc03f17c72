import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { assert, describe, it } from "vitest"
import { Messages } from "../../src/core/answers/messages.ts"
import { badRequest } from "../../src/core/http/validation/validation.ts"
import { citation } from "./double.ts"

const decode = Schema.decodeUnknownResult(Messages, { errors: "all", onExcessProperty: "error", reportInput: true })
const read = (...messages: ReadonlyArray<unknown>) => Result.getOrThrow(decode(messages))
const refusal = (...messages: ReadonlyArray<unknown>) => {
  const decoded = decode(messages)
  return Result.isFailure(decoded) ? badRequest({ issue: decoded.failure.issue }).message : "accepted"
}

const QUESTION = { role: "user", content: "And then?" } as const

describe("messages of a question", () => {
  it("are read as they were sent in a reply, as text parts, with a name, and without an assistant's empty ones", () => {
    const reply = { role: "assistant", content: "It is [so](x).", citations: [citation(1)], withheld: 2 }
    assert.deepStrictEqual(
      read(
        {
          role: "user",
          name: "Anna",
          content: [
            { type: "text", text: "What" },
            { type: "text", text: "is it?" },
          ],
        },
        reply,
        { role: "assistant", content: null },
        { role: "assistant", content: "" },
        { ...QUESTION, name: null },
      ),
      [
        { role: "user", content: "What\nis it?" },
        { role: "assistant", content: "It is [so](x)." },
        { role: "user", content: "And then?" },
      ],
    )
  })

  it("lose a caller's tools, and a developer speaks as the system", () => {
    const call = { id: "c1", type: "function", function: { name: "clock", arguments: "{}" } }
    assert.deepStrictEqual(
      read(
        { role: "developer", content: "Be brief." },
        { role: "user", content: "What time is it?" },
        { role: "assistant", content: null, tool_calls: [call] },
        { role: "tool", tool_call_id: "c1", content: "noon" },
        { role: "assistant", content: "Noon.", tool_calls: null },
        QUESTION,
      ),
      [
        { role: "system", content: "Be brief." },
        { role: "user", content: "What time is it?" },
        { role: "assistant", content: "Noon." },
        QUESTION,
      ],
    )
  })

  it("are refused with the place and the value", () => {
    for (const [messages, reason] of [
      [[], /messages|body/],
      [[{ role: "tool", tool_call_id: "c1", content: "noon" }], /must have a message of role user/],
      [[QUESTION, { role: "tool", content: "noon" }], /^accepted$/],
      [[QUESTION, { role: "assistant", content: "Yes." }], /must end with a message of role user/],
      [[{ role: "developer", content: "Be brief." }], /must end with a message of role user/],
      [
        [QUESTION, { role: "robot", content: "x" }, QUESTION],
        /1\.role must be one of user, assistant, system, unlike 'robot'/,
      ],
      [[{ role: "user", content: null }], /0\.content must not be empty/],
      [[{ role: "user" }], /0\.content must not be empty/],
      [[{ role: "user", content: [{ type: "text", text: "" }] }], /0\.content must not be empty/],
      [[{ role: "user", content: [{ type: "image_url", image_url: { url: "x" } }] }], /0\.content/],
      [
        [{ role: "user", content: Array.from({ length: 2 }, () => ({ type: "text", text: "x".repeat(16_000) })) }],
        /at most 32,000 characters/,
      ],
      [[{ ...QUESTION, nmae: "Anna" }], /nmae/],
    ] as const)
      assert.match(refusal(...messages), reason, JSON.stringify(messages).slice(0, 80))
  })
})
