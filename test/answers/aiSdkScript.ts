import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { type AiSdkModel, answererOf } from "../../src/adapters/models/aiSdk.ts"
import { readAnswer } from "./asking.ts"
import { makeWorkspace } from "./workspace.ts"

const streamOf = (parts: ReadonlyArray<object>) =>
  new ReadableStream<any>({
    start: (controller) => {
      for (const part of parts) controller.enqueue(part)
      controller.close()
    },
  })

const SIGNED = { google: { thoughtSignature: "abc" } }

/** Calls a tool, then tells what it said. `usage` and `finishReason` are those of the specification's version. */
const scripted = (usage: object, finishReason: (reason: string) => unknown) => {
  const prompts: Array<any> = []
  const doStream = async ({ prompt }: { prompt: Array<any> }) => {
    prompts.push(prompt)
    const said = prompt.at(-1)
    const parts =
      prompts.length === 1
        ? [
            {
              type: "tool-call",
              toolCallId: "c1",
              toolName: "count_deals",
              input: '{"filters":{"status":["lost"]}}',
              providerMetadata: SIGNED,
            },
          ]
        : [
            { type: "text-start", id: "1" },
            { type: "text-delta", id: "1", delta: `[[${said.content[0].output.value.ref}.count]] were lost.` },
            { type: "text-end", id: "1" },
          ]
    const reason = finishReason(prompts.length === 1 ? "tool-calls" : "stop")
    return {
      stream: streamOf([
        { type: "stream-start", warnings: [] },
        ...parts,
        { type: "finish", usage, finishReason: reason },
      ]),
    }
  }
  return { prompts, doStream }
}

const counted = { inputTokens: { total: 7 }, outputTokens: { total: 2 } }
const unified = (reason: string) => ({ unified: reason, raw: undefined })

/** Usage and the reason of the end, in the form of a version of the specification. */
const FORMS: Readonly<Record<"v2" | "v3" | "v4", Parameters<typeof scripted>>> = {
  v2: [{ inputTokens: 7, outputTokens: 2 }, (reason) => reason],
  v3: [counted, unified],
  v4: [counted, unified],
}

/** A model that `make` builds calls a tool, reads its result and answers. */
export const answersWithTools = Effect.fnUntraced(function* (
  version: keyof typeof FORMS,
  make: (doStream: any) => AiSdkModel,
) {
  const script = scripted(...FORMS[version])
  const { org } = yield* makeWorkspace()
  const reply = yield* readAnswer(org, () => [], { by: () => answererOf(make(script.doStream)) })
  assert.isUndefined(reply.failure)
  assert.match(reply.text, /^\[4\]\(\S+\) were lost\.$/)
  assert.deepStrictEqual(reply.calls, ["search_knowledge_base", "count_deals"])
  assert.deepStrictEqual(reply.events.at(-1), { type: "usage", input_tokens: 14, output_tokens: 4 })
  assert.deepStrictEqual(
    script.prompts[1].map(({ role }: { role: string }) => role),
    ["system", "user", "assistant", "tool", "assistant", "tool"],
  )
  assert.deepStrictEqual(script.prompts[1].at(-2).content[0].providerOptions, SIGNED)
})
