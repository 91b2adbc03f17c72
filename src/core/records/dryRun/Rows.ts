import { digestLong } from "../isSame.ts"

type Values = Readonly<Record<string, unknown>>

/**
 * Rows of one table that a dry run would write, by id, as JSON without what most rows lack. A row that it would delete is null. All rows
 * have the same columns.
 */
export class Rows<Row extends { readonly id: string }> {
  readonly #rows = new Map<string, string | null>()
  #empty: Values | undefined
  /** Characters of all rows. */
  size = 0

  has(id: string): boolean {
    return this.#rows.has(id)
  }

  get(id: string): Row | undefined {
    const packed = this.#rows.get(id)
    return packed == null ? undefined : ({ ...this.#empty, ...(JSON.parse(packed) as Values) } as unknown as Row)
  }

  /** Those of the rows that exist. */
  all(ids: Iterable<string>): Array<Row> {
    return [...ids].flatMap((id) => this.get(id) ?? [])
  }

  ids(): Iterable<string> {
    return this.#rows.keys()
  }

  put(row: Row): void {
    const empty = (this.#empty ??= emptyLike(row))
    const given = Object.entries(row).filter(([column, value]) => !isEmpty(value, empty[column]))
    this.#set(row.id, JSON.stringify(Object.fromEntries(given), pack))
  }

  delete(id: string): void {
    this.#set(id, null)
  }

  #set(id: string, packed: string | null): void {
    this.size += (packed?.length ?? 0) - (this.#rows.get(id)?.length ?? 0)
    this.#rows.set(this.#rows.has(id) ? id : copyOf(id), packed)
  }
}

/** A text of its own: a part of a file's text would keep the whole in memory. */
export const copyOf = (text: string): string => JSON.parse(JSON.stringify(text)) as string

/** The emptiest value of each column: a list or map of the first row tells that all rows have one. */
const emptyLike = (row: object): Values =>
  Object.fromEntries(
    Object.entries(row).map(([column, value]) => [
      column,
      Array.isArray(value) ? [] : typeof value === "object" && value !== null ? {} : value === false ? false : null,
    ]),
  )

const isEmpty = (value: unknown, empty: unknown): boolean =>
  value === empty ||
  (typeof value === "object" &&
    value !== null &&
    typeof empty === "object" &&
    empty !== null &&
    Array.isArray(value) === Array.isArray(empty) &&
    Object.keys(value).length === 0)

const pack = (_: string, value: unknown) => (typeof value === "string" ? digestLong(value) : value)
