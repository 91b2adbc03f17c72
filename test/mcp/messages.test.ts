import { assert, it } from "@effect/vitest"
import * as Option from "effect/Option"
import { explainInvalid, idOf, readMessage } from "../../src/core/mcp/messages.ts"

const ping = { jsonrpc: "2.0", id: 1, method: "ping" }

it("says which part of a message is wrong, and shows its value", () => {
  for (const [wrong, said] of [
    [[ping, ping], "batches are not supported"],
    ["ping", 'not "ping"'],
    [null, "not null"],
    [{ ...ping, params: [1] }, "params must be an object, not a list"],
    [{ ...ping, params: "x" }, 'params must be an object, not "x"'],
    [{ ...ping, jsonrpc: "1.0" }, 'jsonrpc must be "2.0", not "1.0"'],
    [{ ...ping, method: 5 }, "method must be a string, not 5"],
    [{ jsonrpc: "2.0" }, "method must be a string, not undefined"],
    [{ ...ping, id: null }, "id must be a string or a number up to 9007199254740991, not null"],
    [{ ...ping, id: 2 ** 53 }, "not 9007199254740992"],
  ] as const) {
    assert.isTrue(Option.isNone(readMessage(wrong)), said)
    assert.include(explainInvalid(wrong), said)
  }
})

it("takes ids that a reply repeats exactly", () => {
  for (const id of ["", "x".repeat(1_000), 0, -1, 1.5, Number.MAX_SAFE_INTEGER]) {
    assert.isTrue(Option.isSome(readMessage({ ...ping, id })))
    assert.strictEqual(idOf({ ...ping, id }), id)
  }
  for (const id of [2 ** 53, -(2 ** 53), Infinity, {}, true]) assert.isNull(idOf({ ...ping, id }))
})
