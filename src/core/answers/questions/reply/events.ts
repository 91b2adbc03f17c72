import type { AnswerEvent } from "../../Answerer.ts"
import type { Citation } from "../../citation.ts"
import type { ToolName } from "../../tools/names.ts"
import { MAX_ROWS } from "../../tools/parameters.ts"
import type { ReportQuery } from "../plan/reportQuery.ts"

/** The call of a tool and its result. */
export const toolEvents = (id: string, name: ToolName, args: unknown, found: number): ReadonlyArray<AnswerEvent> => [
  { type: "tool_call", id, name, arguments: args },
  { type: "tool_result", id, name, found },
]

/** The call of a tool that computes the same, in the tool's arguments. */
export const reportEvents = (
  id: string,
  source: "deals" | "associations",
  { measures, groupBy, orderBy, filters, limit, compare }: ReportQuery,
  found: number,
) =>
  toolEvents(
    id,
    source === "deals" ? "report_deals" : "report_features",
    {
      measures,
      ...(groupBy.length > 0 && { group_by: groupBy }),
      ...(orderBy !== undefined && { order_by: orderBy }),
      ...(compare !== undefined && { compare }),
      limit: Math.min(limit, MAX_ROWS),
      filters,
    },
    found,
  )

export const citationEvents = (citations: ReadonlyArray<Citation | undefined>): ReadonlyArray<AnswerEvent> =>
  citations.flatMap((citation) => (citation === undefined ? [] : [{ type: "citation", citation } as const]))
