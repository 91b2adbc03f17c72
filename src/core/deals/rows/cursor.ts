import * as Schema from "effect/Schema"
import { makeCursor } from "../../http/values/cursor.ts"
import { MAX_SIMILARITY, type Sorting } from "../columns/sorting.ts"

/** The position after a page: the last row's sort value, as PostgreSQL prints it, and its id. */
export interface Position {
  readonly value: string | null
  readonly id: string
}

const { encode, decode } = makeCursor(
  Schema.Tuple([Schema.String, Schema.Literals(["asc", "desc"]), Schema.NullOr(Schema.String), Schema.String]),
)

/** Opaque to callers. It includes the sort order, so that a request with another order refuses it. */
export const encodeCursor = (sorting: Sorting, { value, id }: Position): string =>
  encode([sorting.sort, sorting.order, value, id])

/** Returns undefined if it is not a cursor, or belongs to another sort order. */
export const decodeCursor = (sorting: Sorting, cursor: string): Position | undefined => {
  const decoded = decode(cursor)
  if (decoded === undefined) return undefined
  const [sort, order, value, id] = decoded
  if (sort !== sorting.sort || order !== sorting.order || id.includes("\0") || !fits(sorting, value)) return undefined
  return { value, id }
}

/** Accepts only values that PostgreSQL itself can have printed, so that a forged cursor cannot make a statement fail. */
const fits = (sorting: Sorting, value: string | null): boolean => {
  if (value === null) return sorting.nullable
  switch (sorting.type) {
    case "text":
      return !value.includes("\0")
    case "float8":
      return NUMBER.test(value) && Number.isFinite(Number(value)) && (Number(value) !== 0 || /^-?0$/.test(value))
    case "real":
      return NUMBER.test(value) && (Number(value) === 0 || (Number(value) > 1e-30 && Number(value) <= MAX_SIMILARITY))
    case "date":
      return isDay(value)
    default:
      return INSTANT.test(value) && isDay(value.slice(0, 10)) && !Number.isNaN(Date.parse(value.replace("+00", "Z")))
  }
}

const NUMBER = /^-?\d+(\.\d+)?(e[+-]\d{1,3})?$/
const INSTANT = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?\+00$/

const isDay = (text: string) => {
  const day = new Date(`${text}T00:00:00Z`)
  return !text.startsWith("0000") && !Number.isNaN(day.getTime()) && day.toISOString().slice(0, 10) === text
}
