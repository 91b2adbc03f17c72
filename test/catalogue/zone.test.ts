import { assert, describe, it } from "@effect/vitest"
import { dayAt, endOf, isOrdered, isZone, startOf, startsOfDay, withOffset } from "../../src/core/common/zone.ts"
import { makeRandom, seedOfRun } from "../support/random.ts"
import { localDay, localTime, ZONES } from "../support/zones.ts"

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

/** Days at whose start clocks change: a missing midnight, two midnights, and a missing day. */
const UNUSUAL = [
  ["America/Santiago", "2024-09-08"],
  ["America/Santiago", "2024-04-07"],
  ["Africa/Cairo", "2025-04-25"],
  ["Asia/Beirut", "2026-03-29"],
  ["America/Havana", "2026-03-08"],
  ["America/Havana", "2025-11-02"],
  ["America/St_Johns", "2010-11-07"],
  ["America/St_Johns", "2010-03-14"],
  ["Pacific/Apia", "2011-12-30"],
  ["Pacific/Apia", "2011-12-31"],
  ["America/Nuuk", "2024-03-31"],
  ["America/Toronto", "1919-03-31"],
] as const

const random = makeRandom(seedOfRun("zone"))
const DAYS: ReadonlyArray<readonly [zone: string, day: string]> = [
  ...UNUSUAL,
  ...Array.from({ length: 1000 }, () => {
    const at = Date.UTC(1971, 0, 1) + random.below(80 * 365) * DAY_MS
    return [random.pick(ZONES), new Date(at).toISOString().slice(0, 10)] as const
  }),
]

describe("days in a time zone", () => {
  it("are those of the runtime's calendar, to the millisecond, also where clocks change at midnight", () => {
    for (const [zone, day] of DAYS) {
      const what = `${zone} ${day}`
      const { earliest, latest } = startsOfDay(day, zone)
      const span = [earliest - 25 * HOUR_MS, earliest - HOUR_MS, earliest - 1]
      for (const at of span) assert.isBelow(localTime(at, zone).day.localeCompare(day), 0, `${what}, ${at} is before`)
      for (const at of [latest, latest + 1, latest + HOUR_MS]) {
        assert.isAtLeast(localTime(at, zone).day.localeCompare(day), 0, `${what}, ${at} is not before`)
      }
      for (const at of [...span, latest, latest + random.below(DAY_MS)]) {
        assert.strictEqual(dayAt(at, zone), localTime(at, zone).day, what)
      }
      if (what === "Pacific/Apia 2011-12-30") continue
      assert.strictEqual(localTime(startOf(day, zone), zone).day, day, what)
      assert.strictEqual(localTime(endOf(day, zone), zone).day, day, what)
    }
  })

  it("have 23 and 25 hours when clocks change", () => {
    const hours = (day: string) => (endOf(day, "Europe/Berlin") + 1 - startOf(day, "Europe/Berlin")) / HOUR_MS
    assert.deepStrictEqual(["2026-03-28", "2026-03-29", "2026-10-25"].map(hours), [24, 23, 25])
  })

  it("begin at the first instant of the day where midnight is missing, and at the first of two midnights", () => {
    const start = (zone: string, day: string) => new Date(startOf(day, zone)).toISOString()
    assert.strictEqual(start("America/Santiago", "2024-09-08"), "2024-09-08T04:00:00.000Z")
    assert.strictEqual(start("Asia/Beirut", "2026-03-29"), "2026-03-28T22:00:00.000Z")
    assert.strictEqual(start("America/Havana", "2025-11-02"), "2025-11-02T04:00:00.000Z")
    assert.strictEqual(start("America/St_Johns", "2010-11-07"), "2010-11-07T02:30:00.000Z")
  })
})

describe("local times", () => {
  it("are read back by the runtime's calendar", () => {
    for (const [zone, day] of DAYS) {
      const time = `${String(3 + random.below(20)).padStart(2, "0")}:${String(10 + random.below(50))}:00`
      if (day === "2011-12-30" && zone === "Pacific/Apia") continue
      assert.deepStrictEqual(localTime(startOf(`${day}T${time}`, zone), zone), { day, time }, `${zone} ${day} ${time}`)
      assert.strictEqual(Date.parse(withOffset(`${day}T${time}`, zone)), startOf(`${day}T${time}`, zone))
    }
  })

  it("move forward if clocks skip them, and are the first if they occur twice", () => {
    const at = (local: string) => new Date(startOf(local, "Europe/Berlin")).toISOString()
    assert.strictEqual(at("2026-03-29T02:30"), "2026-03-29T01:30:00.000Z")
    assert.strictEqual(at("2026-10-25T02:30"), "2026-10-25T00:30:00.000Z")
    assert.strictEqual(withOffset("2026-03-31T09:30:00", "Europe/Berlin"), "2026-03-31T09:30:00.000+02:00")
    assert.strictEqual(withOffset("2026-03-31T09:30:00", "UTC"), "2026-03-31T09:30:00.000Z")
  })

  it("leave an instant alone", () => {
    for (const zone of ZONES) {
      assert.strictEqual(startOf("2026-03-31T20:00:00-07:00", zone), Date.parse("2026-04-01T03:00:00Z"))
      assert.strictEqual(endOf("2026-03-31T20:00:00.5Z", zone), Date.parse("2026-03-31T20:00:00.500Z"))
    }
  })
})

describe("ranges", () => {
  it("of a day and an instant are ordered by the zone, others by themselves", () => {
    const mixed = ["2026-03-31", "2026-03-30T23:00:00Z"] as const
    assert.isFalse(isOrdered(...mixed, "UTC"))
    assert.isTrue(isOrdered(...mixed, "Europe/Berlin"))
    assert.isFalse(isOrdered("2026-03-31T23:00:00Z", "2026-03-31", "Europe/Berlin"))
    assert.isTrue(isOrdered("2026-03-31T23:00:00Z", "2026-03-31", "America/Phoenix"))
    assert.isTrue(isOrdered("2011-12-30", "2011-12-30", "Pacific/Apia"))
    assert.isFalse(isOrdered("2026-04-01", "2026-03-31", "Asia/Kolkata"))
  })
})

describe("names of zones", () => {
  it("are IANA names, no offsets and no other words", () => {
    assert.isTrue([...ZONES, "Etc/GMT+5"].every(isZone))
    assert.isFalse(["+02:00", "GMT+2", "Europe/Berln", "", "local", "Foo3"].some(isZone))
    assert.strictEqual(localDay("2026-03-31T23:00:00Z", "Europe/Berlin"), "2026-04-01")
  })
})
