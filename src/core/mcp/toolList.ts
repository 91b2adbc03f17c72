import * as Schema from "effect/Schema"
import * as Tool from "effect/ai/Tool"
import { capitalize } from "../common/capitalize.ts"
import { allows, type Permission } from "../access/permissions.ts"
import { type Asker, scopeOf } from "../answers/Asker.ts"
import { TOOL_NAMES, type ToolName } from "../answers/tools/names.ts"
import { Citation } from "../answers/citation.ts"
import { TOOLS } from "../answers/tools/contract.ts"
import { makeInputSchema } from "../answers/tools/inputSchemas.ts"
import { TOOL_PERMISSIONS } from "../answers/tools/permissions.ts"
import { Text } from "../http/values/parameters.ts"
import { SHOWS_REPORT } from "./reportView.ts"

/** The tools that only MCP has. */
const OWN_TOOLS = ["ask", "search", "fetch"] as const
export type OwnTool = (typeof OWN_TOOLS)[number]

/**
 * The tools of answers, and those of MCP alone. The permissions of the tools also limit what `ask` reads. `search` and `fetch` read
 * what the key can read: see `isOffered`.
 */
const MCP_PERMISSIONS = {
  ...TOOL_PERMISSIONS,
  ask: ["answers.create"],
  search: [],
  fetch: [],
} as const satisfies Record<ToolName | OwnTool, ReadonlyArray<Permission>>

export const isMcpTool = (name: string): name is keyof typeof MCP_PERMISSIONS => Object.hasOwn(MCP_PERMISSIONS, name)

/** The permissions that the caller lacks for a tool. For `search` and `fetch`, one of them suffices. */
export const missingFor = (caller: Asker, name: keyof typeof MCP_PERMISSIONS): ReadonlyArray<Permission> => {
  const missing = MCP_PERMISSIONS[name].filter((permission) => !allows(caller, permission))
  const readsNothing = (name === "search" || name === "fetch") && scopeOf(caller) === undefined
  return readsNothing ? ["documents.read"] : missing
}

const text = (maxLength: number, description: string) =>
  Text.check(Schema.isNonEmpty(), Schema.isMaxLength(maxLength)).annotate({ description })

/** The arguments of the tools that only MCP has. */
export const OWN_ARGUMENTS = {
  ask: Schema.Struct({ question: text(32_000, "a question about competitors, deals or documents, in plain language") }),
  search: Schema.Struct({ query: text(1000, "words that the text is likely to use") }),
  fetch: Schema.Struct({ id: text(400, "the id of a result of search") }),
} satisfies Record<OwnTool, Schema.Top>

const Found = { id: Schema.String, title: Schema.String, url: Schema.String }
const Results = Schema.Struct({ results: Schema.Array(Schema.Struct(Found)) })
const Fetched = Schema.Struct({ ...Found, text: Schema.String, metadata: Schema.Record(Schema.String, Schema.String) })

const Answer = Schema.Struct({
  answer: Schema.String.annotate({ description: "Markdown with links to the cited items" }),
  citations: Schema.Array(Citation),
  withheld: Schema.optionalKey(
    Schema.Int.annotate({
      description: "The sentences and table rows that were left out, because a number in them has no source",
    }),
  ),
  tool_calls: Schema.Array(Schema.String),
})

const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }

const own = (name: OwnTool, description: string, result: Schema.Top) => ({
  name,
  title: titleOf(name),
  description,
  inputSchema: makeInputSchema(undefined, OWN_ARGUMENTS[name]),
  outputSchema: Tool.getJsonSchemaFromSchema(result),
  annotations: READS,
})

/** Every tool as `tools/list` shows it. */
export const TOOL_LIST = [
  own(
    "ask",
    "Answers a question from the workspace, with citations that open at the cited place. If the workspace has no answer, it says so.",
    Answer,
  ),
  own("search", "Finds documents and deals by words or a question. Read one with fetch.", Results),
  own("fetch", "Reads the whole text of a result of search.", Fetched),
  ...TOOL_NAMES.map((name) => TOOLS.tools[name]).map((tool) => ({
    name: tool.name,
    title: titleOf(tool.name),
    description: tool.description,
    inputSchema: Tool.getJsonSchema(tool),
    outputSchema: Tool.getJsonSchemaFromSchema(tool.successSchema),
    annotations: READS,
    ...(isReport(tool.name) && { _meta: SHOWS_REPORT }),
  })),
]

/** Whether the results of a tool are reports. */
export function isReport(name: string): boolean {
  return name === "report_deals" || name === "report_features"
}

function titleOf(name: string) {
  return capitalize(name.replaceAll("_", " "))
}
