/** The tools of answers, by the names that callers see. */
export const TOOL_NAMES = [
  "search_knowledge_base",
  "search_deal_documents",
  "search_deals",
  "select_deal",
  "search_across_deals",
  "search_competitors",
  "get_assets",
  "count_deals",
  "report_deals",
  "report_features",
  "describe_workspace",
  "read_document",
] as const
export type ToolName = (typeof TOOL_NAMES)[number]
