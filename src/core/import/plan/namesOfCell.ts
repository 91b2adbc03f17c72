import { fold } from "../../common/fold.ts"
import { namesIn } from "./evidence.ts"
import type { PlannedField } from "./ImportPlan.ts"

/** Fields that have one name, and what separates several in a cell. */
export const ONE_NAME: ReadonlySet<string> = new Set(["owner", "client"])
const SEVERAL = /\S\s*[;\n]\s*\S/

/** Whether the cell has semicolons, e-mail addresses, or names that other rows or the workspace have each for itself. */
export const hasSeveral = (text: string, names: ReadonlySet<string> | undefined): boolean => {
  if (SEVERAL.test(text)) return true
  const parts = namesIn(text)
  return parts.length > 1 && (parts.every((part) => EMAIL.test(part)) || parts.every((part) => names?.has(fold(part))))
}
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

/** Marks by which people repeat the cell above. */
const DITTO = /^(?:["'”“„″〃]{1,3}|-\s*["”]\s*-|ditto|dito|dto\.|idem|同上)$/i
export const isDitto = ({ kind, path }: PlannedField, text: string): boolean =>
  (kind === "text" || kind === "list") && path.length === 1 && DITTO.test(text)
