import type { Filters } from "../../client/client.ts"
import { type ColumnName, DEFAULT_COLUMNS, isColumn } from "./fields.ts"

/** The orders that the table offers. */
export const SORTS = ["name", "amount", "close_date", "created_at", "updated_at"] as const

/** The state of the table. The address holds all of it, so that a link or the back button restores it. */
export interface View {
  readonly filters: Filters
  readonly sort: (typeof SORTS)[number]
  readonly order: "asc" | "desc"
  readonly columns: ReadonlyArray<ColumnName>
}

export const readView = (query: Readonly<Record<string, string>>): View => ({
  filters: parseFilters(query["f"]),
  sort: (query["sort"] ?? "created_at") as View["sort"],
  order: query["order"] === "asc" ? "asc" : "desc",
  columns: query["cols"] === undefined ? DEFAULT_COLUMNS : query["cols"].split(",").filter(isColumn),
})

/** A damaged address shows all deals; the server refuses filters that it does not know. */
export const parseFilters = (text: string | undefined): Filters => {
  try {
    const value: unknown = JSON.parse(text ?? "{}")
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {}
  } catch {
    return {}
  }
}

export const writeQuery = ({ filters, sort, order, columns }: View): string => {
  const query = new URLSearchParams()
  if (Object.keys(filters).length > 0) query.set("f", JSON.stringify(filters))
  if (sort !== "created_at") query.set("sort", sort)
  if (order !== "desc") query.set("order", order)
  if (columns.join() !== DEFAULT_COLUMNS.join()) query.set("cols", columns.join())
  const text = query.toString()
  return text === "" ? "" : `?${text}`
}

/** Filters without one, or with another value for it. */
export const withFilter = (filters: Filters, name: string, value: unknown): Filters => {
  const { [name as keyof Filters]: _, ...rest } = filters
  return value === undefined ? rest : { ...rest, [name]: value }
}
