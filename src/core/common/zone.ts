import * as DateTime from "effect/DateTime"

/** Days and local times in a time zone, an IANA name. Days are `YYYY-MM-DD`, instants milliseconds since 1970. */

export const DEFAULT_ZONE = "UTC"

/** Whether the runtime knows the zone. It also takes offsets such as `+02:00`, which are not names. */
export const isZone = (name: string): boolean => {
  if (!/^[a-z]/i.test(name)) return false
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== ""
  } catch {
    return false
  }
}

export const isDay = (text: string): boolean => text.length === 10

/** The day in the zone at an instant. */
export const dayAt = (at: number, zone: string): string =>
  DateTime.formatIsoDate(DateTime.makeZonedUnsafe(at, { timeZone: zone }))

const DAY_MS = 86_400_000

/** The instant of a local time, which is given as if it were UTC. */
const place = (local: number, zone: string, disambiguation: DateTime.Disambiguation) =>
  DateTime.makeZonedUnsafe(local, { timeZone: zone, adjustForTimeZone: true, disambiguation })

/**
 * The two instants that midnight at the start of the day can be: equal unless clocks change then. Every instant before `earliest` belongs to
 * an earlier day, and every instant from `latest` on to this day or a later one; those between may belong to either.
 */
export const startsOfDay = (day: string, zone: string, daysLater = 0) => {
  const midnight = Date.parse(day) + daysLater * DAY_MS
  return {
    earliest: place(midnight, zone, "earlier").epochMilliseconds,
    latest: place(midnight, zone, "later").epochMilliseconds,
  }
}

const OFFSET = /(?:Z|[+-]\d{2}:\d{2})$/

const zonedOf = (text: string, zone: string): DateTime.Zoned =>
  isDay(text) || !OFFSET.test(text)
    ? place(Date.parse(isDay(text) ? text : `${text}Z`), zone, "compatible")
    : DateTime.makeZonedUnsafe(text, { timeZone: zone })

/** A local time and its offset, which is empty if the text has none. */
export const splitOffset = (text: string): { readonly local: string; readonly offset: string } => {
  const offset = OFFSET.exec(text)?.[0] ?? ""
  return { local: text.slice(0, text.length - offset.length), offset }
}

/** Whether the text is a day or a local time, so that its instant depends on the zone. */
export const needsZone = (text: string): boolean => isDay(text) || !OFFSET.test(text)

/**
 * The instant of a day's start, a local time or an instant. A time that clocks skip is as much later, and of one that occurs twice the first counts.
 */
export const startOf = (text: string, zone: string): number => zonedOf(text, zone).epochMilliseconds

/** The last millisecond of a day, or the instant. */
export const endOf = (text: string, zone: string): number =>
  isDay(text) ? place(Date.parse(text) + DAY_MS, zone, "compatible").epochMilliseconds - 1 : startOf(text, zone)

/** A local time with its offset in the zone: `2026-03-31T09:30:00.000+02:00`. */
export const withOffset = (local: string, zone: string): string =>
  DateTime.formatIsoOffset(zonedOf(local, zone)).replace(/\+00:00$/, "Z")

/** Whether a range of days and instants, both ends inclusive, is not the wrong way round. Only one that mixes them depends on the zone. */
export const isOrdered = (from: string, to: string, zone: string): boolean =>
  isDay(from) && isDay(to) ? from <= to : startOf(from, zone) <= endOf(to, zone)
