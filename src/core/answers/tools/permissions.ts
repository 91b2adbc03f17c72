import type { Permission } from "../../access/permissions.ts"
import type { ToolName } from "./names.ts"

/** The permissions that each tool requires: those that the API requires to read the same data. */
export const TOOL_PERMISSIONS = {
  search_knowledge_base: ["documents.read"],
  search_deal_documents: ["documents.read", "deals.read"],
  search_across_deals: ["documents.read", "deals.read"],
  get_assets: ["documents.read"],
  search_deals: ["deals.read"],
  select_deal: ["deals.read"],
  search_competitors: ["deals.read"],
  count_deals: ["deals.read"],
  report_deals: ["deals.read"],
  report_features: ["deals.read"],
  describe_workspace: ["deals.read"],
  read_document: ["documents.read"],
} as const satisfies Record<ToolName, ReadonlyArray<Permission>>
