import { allows, type Permission } from "../../../core/access/permissions.ts"
import type { Output } from "../../client/client.ts"

/** Whether the session has a permission. The page hides what the server would refuse; the server decides. */
export const may = (
  session: Pick<Output<"sessions", "list">["data"][number], "role" | "permissions">,
  permission: Permission,
): boolean => allows(session, permission)
