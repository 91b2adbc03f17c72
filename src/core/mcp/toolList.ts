import * as Schema from "effect/Schema"
import * as Tool from "effect/ai/Tool"
import type { Permission } from "../access/permissions.ts"
import { TOOL_NAMES, type ToolName } from "../answers/tools/names.ts"
import { Citation } from "../answers/citation.ts"
import { TOOLS } from "../answers/tools/contract.ts"
import { inputSchemaOf } from "../answers/tools/inputSchemas.ts"
import { TOOL_PERMISSIONS } from "../answers/tools/permissions.ts"
import { Text } from "../http/parameters.ts"

/** The tools of answers, and `ask`. The permissions of the tools also limit what `ask` reads. */
export const MCP_PERMISSIONS = {
  ...TOOL_PERMISSIONS,
  ask: ["answers.create"],
} as const satisfies Record<ToolName | "ask", ReadonlyArray<Permission>>

export const isMcpTool = (name: string): name is keyof typeof MCP_PERMISSIONS => Object.hasOwn(MCP_PERMISSIONS, name)

export const AskArguments = Schema.Struct({
  question: Text.check(Schema.isNonEmpty(), Schema.isMaxLength(32_000)).annotate({
    description: "a question about competitors, deals or documents, in plain language",
  }),
})

const Answer = Schema.Struct({
  answer: Schema.String.annotate({ description: "Markdown with links to the cited items" }),
  citations: Schema.Array(Citation),
  tool_calls: Schema.Array(Schema.String),
})

const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }

/** Every tool as `tools/list` shows it. */
export const TOOL_LIST = [
  {
    name: "ask",
    title: "Ask",
    description:
      "Answers a question from the workspace, with citations that open at the cited place. If the workspace has no answer, it says so.",
    inputSchema: inputSchemaOf({ name: "ask", parametersSchema: AskArguments }),
    outputSchema: Tool.getJsonSchemaFromSchema(Answer),
    annotations: READS,
  },
  ...TOOL_NAMES.map((name) => TOOLS.tools[name]).map((tool) => ({
    name: tool.name,
    title: titleOf(tool.name),
    description: tool.description,
    inputSchema: inputSchemaOf(tool),
    outputSchema: Tool.getJsonSchemaFromSchema(tool.successSchema),
    annotations: READS,
  })),
]

function titleOf(name: string) {
  const words = name.replaceAll("_", " ")
  return words.charAt(0).toUpperCase() + words.slice(1)
}
