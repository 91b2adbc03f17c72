import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { DEFAULT_ZONE, isDay, needsZone, startsOfDay } from "../common/zone.ts"
import { Database } from "./Database.ts"

/** Reads the workspace's time zone. */
export const readZone = Effect.fnUntraced(function* (org: string) {
  const { scoped, sql } = yield* Database
  const [row] = yield* scoped<{ timezone: string }>(org, sql`select timezone from organizations where id = scope.org`)
  return row?.timezone ?? DEFAULT_ZONE
})

/** Reads the workspace's time zone if one of the times depends on it. */
export const readZoneFor = (org: string, times: ReadonlyArray<string | undefined>) =>
  times.some((time) => time !== undefined && needsZone(time)) ? readZone(org) : Effect.succeed(DEFAULT_ZONE)

/** The zone as an SQL literal: equal expressions of `group by` and `select` must not have parameters of their own. */
export const zoneLiteral = (zone: string): string => `'${zone.replaceAll("'", "''")}'`

/** The instants that PostgreSQL and ISO 8601 with four digits of the year can both write. */
const [FIRST, LAST] = [Date.parse("0001-01-01T00:00:00Z"), Date.parse("9999-12-31T23:59:59.999Z")]
/** An instant as a text that PostgreSQL reads, in milliseconds since 1970. */
export const toTimestamp = (at: number): string =>
  at < FIRST ? "-infinity" : at > LAST ? "infinity" : new Date(at).toISOString()

/**
 * The conditions that the `timestamptz` in `column` is within `from` and `to`, days or instants, both inclusive. The bounds are instants, because
 * comparing an instant with a day is not leakproof, and row-level security would then prevent the use of an index. Where clocks change
 * at midnight, a day need not be one span (`America/St_Johns` went from 00:01 back to 23:01 until 2011), so there the day itself is compared, too.
 */
export const during = (
  sql: SqlClient,
  column: string,
  { from, to }: { readonly from?: string | undefined; readonly to?: string | undefined },
  zone: string,
): ReadonlyArray<Fragment> => [
  ...(from === undefined ? [] : since(sql, column, from, zone)),
  ...(to === undefined ? [] : until(sql, column, to, zone)),
]

const dayOf = (sql: SqlClient, column: string, zone: string) =>
  sql.literal(`(${column} at time zone ${zoneLiteral(zone)})::date`)

const since = (sql: SqlClient, column: string, from: string, zone: string) => {
  if (!isDay(from)) return [sql`${sql.literal(column)} >= ${from}::timestamptz`]
  const { earliest, latest } = startsOfDay(from, zone)
  return [
    sql`${sql.literal(column)} >= ${toTimestamp(earliest)}::timestamptz`,
    ...(earliest === latest ? [] : [sql`${dayOf(sql, column, zone)} >= ${from}::date`]),
  ]
}

const until = (sql: SqlClient, column: string, to: string, zone: string) => {
  if (!isDay(to)) return [sql`${sql.literal(column)} <= ${to}::timestamptz`]
  const { earliest, latest } = startsOfDay(to, zone, 1)
  return [
    sql`${sql.literal(column)} < ${toTimestamp(latest)}::timestamptz`,
    ...(earliest === latest ? [] : [sql`${dayOf(sql, column, zone)} <= ${to}::date`]),
  ]
}
