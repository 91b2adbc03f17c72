import { SCORE_COLUMNS } from "./metrics.ts"

export const SORTS = ["created_at", "updated_at", "close_date", "amount", "name", ...SCORE_COLUMNS] as const
export type Sort = (typeof SORTS)[number]

export const SORT_ORDERS = ["asc", "desc"] as const
export type SortOrder = (typeof SORT_ORDERS)[number]

/** A total order of deals: by value, nulls last, ties by id in the same direction. */
export interface Sorting {
  readonly sort: Sort | "similarity"
  readonly order: SortOrder
  readonly sql: string
  readonly type: string
  readonly nullable: boolean
  /** Few deals have a value. An index has those without one by id. */
  readonly isSparse?: true
}

export const sortingBy = (sort: Sort, order: SortOrder): Sorting => {
  switch (sort) {
    case "created_at":
    case "updated_at":
      return { sort, order, sql: `d.${sort}`, type: "timestamptz", nullable: false }
    case "name":
      return { sort, order, sql: `d.name collate "C"`, type: "text", nullable: false }
    case "close_date":
      return { sort, order, sql: "d.close_date", type: "date", nullable: true }
    case "amount":
      return { sort, order, sql: "d.amount", type: "float8", nullable: true }
    default:
      return { sort, order, sql: `d.${sort}`, type: "float8", nullable: true, isSparse: true }
  }
}

/** The similarity of an exact name: see `deals_named_like`. */
export const MAX_SIMILARITY = 4

/** Best match first: the exact name, names that start with the query, then the most similar. */
export const bySimilarity: Sorting = {
  sort: "similarity",
  order: "desc",
  sql: "m.similarity",
  type: "real",
  nullable: false,
}
