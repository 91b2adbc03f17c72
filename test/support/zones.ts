/** Zones far from UTC, with half hours, and with clocks that change at midnight, none of which may be missing from a runtime or a database. */
export const ZONES = [
  "UTC",
  "America/Phoenix",
  "Europe/Berlin",
  "Asia/Kolkata",
  "Pacific/Auckland",
  "Asia/Kathmandu",
  "America/St_Johns",
  "America/Havana",
  "Asia/Beirut",
] as const

const formats = new Map<string, Intl.DateTimeFormat>()

/** The day in the zone at an instant, and the time of day, by the runtime's own calendar. */
export const localTime = (at: number, zone: string): { readonly day: string; readonly time: string } => {
  const known =
    formats.get(zone) ??
    new Intl.DateTimeFormat("en-CA", { timeZone: zone, dateStyle: "short", timeStyle: "medium", hourCycle: "h23" })
  formats.set(zone, known)
  const [day = "", time = ""] = known.format(at).split(", ")
  return { day, time }
}

/** The day in the zone of an instant; a day is itself. */
export const localDay = (text: string, zone = "UTC"): string =>
  text.length === 10 ? text : localTime(Date.parse(text), zone).day
