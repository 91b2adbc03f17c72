import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { Element } from "../document.ts"
import type { Wanted } from "./places.ts"

/** The text of one page of the viewer, in UTF-16 units; each element counts `WEIGHT` more, for its markup. */
export const PART = 200_000
const WEIGHT = 64
/** What is longer may be cut at the end of a part. */
const LONG = 20_000

/** Which part is shown: one by its number from 1, else the one that holds an offset of the text, else that of a place. */
export interface Choice {
  readonly part?: number | undefined
  readonly start?: number | undefined
  readonly wanted?: Wanted | undefined
}

export interface PartRow {
  readonly warnings: ReadonlyArray<string>
  /** From 0. */
  readonly part: number
  readonly parts: number
  /** Each with its offset in the document's text and its weight before it. */
  readonly elements: ReadonlyArray<readonly [element: Element, start: number, weight: number]> | null
}

/** One part of a document as it was read. The offsets are those that `chunk` gave its pieces. Runs inside `Database.scoped`. */
export const partOf = (sql: SqlClient, id: string, choice: Choice): Fragment => sql`
  with stored as (
    select elements, warnings from document_texts where org_id = scope.org and document_id = ${id}
  ), listed as (
    select n, e, e->>'kind' as kind, ${units(sql)} as units
    from (select n, e, e->>'text' as body from stored, jsonb_array_elements(elements) with ordinality as x(e, n) offset 0) y
  ), gaps as (
    select listed.*, case when n = 1 then 0
      when kind in ('table-row', 'list-item') and lag(kind) over (order by n) = kind then 1 else 2 end as gap
    from listed
  ), laid as (
    select n, e, units, sum(gap + units) over (order by n) - units as start_at,
      sum(units + ${WEIGHT}::int) over (order by n) - units - ${WEIGHT}::int as weight
    from gaps
  ), chosen as (
    select floor(coalesce(max(case when units > ${LONG}::int then weight + units - 1 else weight end), 0) / ${PART}::float8) + 1 as parts,
      floor(coalesce(${target(sql, choice)}, 0) / ${PART}::float8) as part
    from laid
  ), bounded as (
    select parts, least(greatest(part, 0), parts - 1) as part from chosen
  )
  select warnings, part::float8 as part, parts::float8 as parts, (
    select json_agg(json_build_array(e, start_at::float8, weight::float8) order by n) from laid
    where case when units > ${LONG}::int
      then weight < (part + 1) * ${PART}::float8 and weight + units > part * ${PART}::float8
      else floor(weight / ${PART}::float8) = part end
  ) as elements
  from stored, bounded`

/** JavaScript counts a character beyond the basic plane twice. */
const units = (sql: SqlClient) =>
  sql.literal(`(case when octet_length(body) = length(body) then length(body)
    else 2 * length(body) - length(regexp_replace(body, '[\\U00010000-\\U0010FFFF]+', '', 'g')) end)::float8`)

/** The weight before what is wanted. */
const target = (sql: SqlClient, { part, start, wanted }: Choice): Fragment => {
  if (part !== undefined) return sql`${(part - 1) * PART}::float8`
  if (start !== undefined) {
    return sql`max(weight + least(${start}::float8 - start_at, units)) filter (where start_at <= ${start}::float8)`
  }
  if (wanted === undefined) return sql`0`
  const place = (name: string) => sql.literal(`e->'place'->>'${name}'`)
  if (wanted.kind === "time") {
    return sql`max(weight) filter (where (${place("start")})::float8 <= ${wanted.seconds}::float8)`
  }
  const number = sql`(${place(wanted.kind)})::float8 >= ${wanted.number}::float8`
  return wanted.kind === "row" && wanted.sheet !== undefined
    ? sql`min(weight) filter (where ${number} and ${place("sheet")} = ${wanted.sheet})`
    : sql`min(weight) filter (where ${number})`
}

/** An element's text as far as it stands in a part. */
export interface Shown extends Element {
  /** Offset of `text` in the document's text. */
  readonly start: number
}

export const shownOf = ({ part, elements }: PartRow): ReadonlyArray<Shown> =>
  (elements ?? []).flatMap(([element, start, weight]) => {
    if (element.text.length <= LONG) return [{ ...element, start }]
    const from = whole(element.text, part * PART - weight)
    const text = element.text.slice(from, whole(element.text, (part + 1) * PART - weight))
    return text === "" ? [] : [{ ...element, text, start: start + from }]
  })

/** An offset inside the text, not inside a character. */
const whole = (text: string, offset: number) => {
  const inside = Math.min(Math.max(offset, 0), text.length)
  return /[\uDC00-\uDFFF]/.test(text.charAt(inside)) && inside > 0 ? inside - 1 : inside
}
