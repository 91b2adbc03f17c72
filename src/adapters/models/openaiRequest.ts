import type { ProviderOptions } from "effect/ai/LanguageModel"
import type * as Prompt from "effect/ai/Prompt"
import * as Tool from "effect/ai/Tool"
import { EXTRA } from "./openaiReply.ts"

/**
 * Converts a prompt to OpenAI's chat messages. Omits everything but text and tool parts.
 * `unsigned`: the extra content of a call that another model made.
 */
export const encodeMessages = (prompt: Prompt.Prompt, unsigned?: object): ReadonlyArray<object> =>
  prompt.content.flatMap((message): ReadonlyArray<object> => {
    switch (message.role) {
      case "system":
        return [{ role: "system", content: message.content }]
      case "user":
        return [{ role: "user", content: textOf(message.content) }]
      case "assistant": {
        const calls = message.content.filter((part) => part.type === "tool-call")
        return [
          {
            role: "assistant",
            content: textOf(message.content) || (calls.length > 0 ? null : ""),
            ...(calls.length > 0 && {
              tool_calls: calls.map(({ id, name, params, options }, n) => {
                // Gemini signs only the first of parallel calls.
                const extra = options[EXTRA] ?? (n === 0 ? unsigned : undefined)
                return {
                  id,
                  type: "function",
                  function: { name, arguments: JSON.stringify(params) },
                  ...(extra !== undefined && { extra_content: extra }),
                }
              }),
            }),
          },
        ]
      }
      case "tool":
        return message.content.flatMap((part) =>
          part.type === "tool-result"
            ? [{ role: "tool", tool_call_id: part.id, content: JSON.stringify(part.result) }]
            : [],
        )
    }
  })

const textOf = (parts: ReadonlyArray<Prompt.Part>) =>
  parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("")

/** Declares the tools and the tool choice; empty without tools. */
export const toolsOf = ({ tools, toolChoice }: Pick<ProviderOptions, "tools" | "toolChoice">): object => {
  if (tools.length === 0) return {}
  const declared = tools.map((tool) => ({
    type: "function",
    function: {
      name: tool.name,
      description: Tool.getDescription(tool),
      parameters: Tool.getJsonSchema(tool),
    },
  }))
  return { tools: declared, tool_choice: encodeChoice(toolChoice) }
}

const encodeChoice = (choice: ProviderOptions["toolChoice"]) => {
  if (typeof choice === "string") return choice
  if ("tool" in choice) return { type: "function", function: { name: choice.tool } }
  return choice.mode ?? "auto"
}
