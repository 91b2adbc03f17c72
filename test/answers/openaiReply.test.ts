import * as Prompt from "effect/ai/Prompt"
import { assert, describe, it } from "vitest"
import { ReplyReader } from "../../src/adapters/models/openaiReply.ts"
import { encodeMessages } from "../../src/adapters/models/openaiRequest.ts"

/** The calls of a reply whose deltas bear these pieces of calls, one delta each. */
const callsOf = (...pieces: ReadonlyArray<object>) => {
  const reader = new ReplyReader()
  for (const piece of pieces) reader.add(JSON.stringify({ choices: [{ delta: { tool_calls: [piece] } }] }))
  reader.add("[DONE]")
  const parts = reader.end()
  if ("wrong" in parts) throw new Error(parts.wrong)
  return parts.flatMap((part) => (part.type === "tool-call" ? [part] : []))
}
const told = (calls: ReturnType<typeof callsOf>) => calls.map(({ id, name, params }) => [id, name, params])

describe("calls of a streamed reply", () => {
  it("are separated by id, even if the server numbers all of them 0 or none", () => {
    for (const index of [0, undefined]) {
      const calls = callsOf(
        { index, id: "a", function: { name: "count_deals", arguments: "{}" } },
        { index, id: "b", function: { name: "get_assets", arguments: '{"limit":' } },
        { index, function: { arguments: "2}" } },
      )
      assert.deepStrictEqual(told(calls), [
        ["a", "count_deals", {}],
        ["b", "get_assets", { limit: 2 }],
      ])
    }
  })

  it("are merged if each piece of a call has its own id", () => {
    const calls = callsOf(
      { index: 0, id: "a", function: { name: "get_assets", arguments: '{"limit":' } },
      { index: 0, id: "b", function: { arguments: "2}" } },
    )
    assert.deepStrictEqual(told(calls), [["a", "get_assets", { limit: 2 }]])
  })

  it("keep the signature of their model when sent back", () => {
    const extra = { google: { thought_signature: "abc" } }
    const [{ id, name, params, metadata }] = callsOf({
      id: "a",
      function: { name: "count_deals", arguments: "{}" },
      extra_content: extra,
    }) as [ReturnType<typeof callsOf>[number]]
    const message = (options: typeof metadata) =>
      Prompt.make([{ role: "assistant", content: [{ type: "tool-call", id, name, params, options: options ?? {} }] }])
    const sent = (...given: Parameters<typeof encodeMessages>) => (encodeMessages(...given)[0] as any).tool_calls[0]
    assert.deepStrictEqual(sent(message(metadata)).extra_content, extra)
    assert.deepStrictEqual(sent(message(metadata), { unsigned: true }).extra_content, extra)
    assert.deepStrictEqual(sent(message({}), { unsigned: true }).extra_content, { unsigned: true })
    assert.notProperty(sent(message({})), "extra_content")
  })

  it("get a unique id of nine letters and digits if they have none", () => {
    const [first, second] = [0, 1].map(() => callsOf({ function: { name: "count_deals", arguments: "{}" } })[0]!.id)
    assert.match(first!, /^[a-z0-9]{9}$/)
    assert.notStrictEqual(first, second)
  })
})
