import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { ReportRow } from "../../src/core/reports/contract.ts"
import { ASSOCIATION_MEASURES, DEAL_MEASURES } from "../../src/core/reports/measures.ts"
import type { Workspace } from "../deals/workspace.ts"
import { engines } from "../support/engines.ts"
import { atTime } from "../support/fixedClock.ts"
import { makeRandom, type Random, seedOfRun } from "../support/random.ts"
import { measure } from "./measureOracle.ts"
import { type Group, groupsOf } from "./oracle.ts"
import { bucket } from "./oracleBuckets.ts"
import { FLOWS, meantBy } from "./randomReports.ts"
import { assertNear, decode, keyOf, makeWorld, NOW, start } from "./support.ts"

const QUERIES = 200
const WORLD_NOW = { ...NOW, segmentsFiscalStart: NOW.fiscalStart }

interface Days {
  readonly from: string
  readonly to: string
}

const iso = (year: number, month: number, day: number) =>
  new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10)
const numbers = (day: string) => day.split("-").map(Number) as [number, number, number]
const plusDays = (day: string, count: number) =>
  new Date(Date.parse(day) + count * 86_400_000).toISOString().slice(0, 10)
const lastDay = (year: number, month: number) => Number(iso(year, month + 1, 0).slice(8))

/** The same day some months ago, at most the last one of that month. */
const monthsAgo = (day: string, count: number) => {
  const [year, month, date] = numbers(day)
  const [y, m] = numbers(iso(year, month - 1 - count, 1))
  return iso(y, m - 1, Math.min(date, lastDay(y, m - 1)))
}

/** The earlier period and, if `today` is before the end of the period, its part up to the same day, by the words of the contract. */
const earlierOf = ({ from, to }: Days, compare: string, today: string): { whole: Days; span: Days | undefined } => {
  const endsMonth = plusDays(to, 1).endsWith("-01")
  const [[fromYear, fromMonth], [toYear, toMonth]] = [numbers(from), numbers(to)]
  const months = (toYear - fromYear) * 12 + toMonth - fromMonth + 1
  const length = (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1
  const back =
    compare === "previous_year"
      ? (day: string) => monthsAgo(day, 12)
      : from.endsWith("-01") && endsMonth
        ? (day: string) => monthsAgo(day, months)
        : (day: string) => plusDays(day, -length)
  const end = compare === "previous_year" ? (endsMonth ? iso(toYear - 1, toMonth, 0) : back(to)) : plusDays(from, -1)
  const whole = { from: back(from), to: end }
  const same = back(today)
  return { whole, span: from <= today && today < to ? { from: whole.from, to: same < end ? same : end } : undefined }
}

const GROUPS = [[], ["region"], ["owner", "outcome"], ["competitor"], ["status"], ["month"], ["month", "outcome"]]

const randomComparison = (random: Random) => {
  const subject = random.chance(0.25) ? ("associations" as const) : ("deals" as const)
  const field = random.pick(["close_date", "created_at"] as const)
  const compare = random.pick(["previous_period", "previous_year"] as const)
  const first = iso(2024, 1 + random.below(26), 1)
  const [year, month] = numbers(first)
  const isWhole = random.chance(0.6)
  const period = isWhole
    ? { from: first, to: iso(year, month - 1 + random.pick([1, 2, 3, 6, 12]), 0) }
    : { from: plusDays(first, random.below(40)), to: plusDays(first, 40 + random.below(300)) }
  // Other periods than whole months have other months as groups than the period before them.
  const groups = isWhole ? GROUPS : GROUPS.slice(0, 5)
  const groupBy = random
    .pick(subject === "deals" ? groups : [...groups, ["feature"]])
    .map((name) => (name === "month" ? `${field}.month` : name))
  const known = subject === "deals" ? DEAL_MEASURES : ASSOCIATION_MEASURES
  const drawn = [...new Set(["deals", ...random.some(Object.keys(known), 1, 4)])]
  // Beside both, `status` is refused.
  const isRefused = groupBy.includes("status") && FLOWS.every((flow) => drawn.includes(flow))
  const measures = isRefused ? drawn.filter((name) => !FLOWS.includes(name)) : drawn
  return { subject, field, compare, period, groupBy, measures }
}

/** Moves two deals of three into the year before, or the months before. */
const spread = (world: Workspace): Workspace => ({
  ...world,
  deals: world.deals.map((deal, index) => {
    const days = [0, -365, -95][index % 3]!
    const { close_date, created_at } = deal
    return {
      ...deal,
      close_date: close_date === null ? null : plusDays(close_date, days),
      created_at: new Date(Date.parse(created_at) + days * 86_400_000).toISOString(),
    }
  }),
})

describe("comparisons of reports", () => {
  it.live(`agree with a plain oracle on ${QUERIES} random queries, a third of them on PostgreSQL too`, () =>
    Effect.gen(function* () {
      const seed = seedOfRun("comparisons")
      const random = makeRandom(seed)
      const world = spread(makeWorld(random))
      const services = yield* Effect.forEach(engines, (engine) => start(engine, world, world))
      const seen = { running: 0, missing: 0, previous_period: 0, previous_year: 0 }
      for (let n = 0; n < QUERIES; n++) {
        const query = randomComparison(random)
        const { subject, field, compare, period, groupBy, measures } = query
        const { whole, span } = earlierOf(period, compare, NOW.today)
        const groupsIn = (days: Days) => {
          const group_by = groupBy.map((name) => meantBy(name, measures))
          const found = groupsOf({ subject, group_by, filters: { [field]: days } }, world, WORLD_NOW)
          return { ...found, byKey: new Map(found.groups.map((group) => [JSON.stringify(group.keys), group])) }
        }
        const [inWhole, inSpan] = [groupsIn(whole), span === undefined ? undefined : groupsIn(span)]
        const months = (Date.parse(period.from) - Date.parse(whole.from)) / 86_400_000 / 30.44
        const isDated = groupBy.includes(`${field}.month`)
        const earlierKey = (row: ReportRow) =>
          JSON.stringify(
            groupBy.map((name) => {
              const key = keyOf(name, row.group[name])
              return name === `${field}.month` && key !== null
                ? monthsAgo(`${key}-01`, Math.round(months)).slice(0, 7)
                : key
            }),
          )
        if (span !== undefined) seen.running++
        const check = Effect.fnUntraced(function* ({ org, reports, name }: (typeof services)[number]) {
          const text = `${name}, TEST_SEED=${seed}, query ${n}: ${JSON.stringify(query)}`
          const filters = decode({ [field]: period })
          const report = yield* reports.run(org, { subject, measures, groupBy, filters, compare, limit: 1000 })
          assert.deepInclude(report.meta.compared, { period, earlier: whole, same_span: span ?? null }, text)
          const assertValues = (
            values: Readonly<Record<string, number | null>> | undefined,
            group: Group | undefined,
            all: Group,
            of: string,
          ) => {
            if (group === undefined) seen.missing++
            else if (group.deals.length > 0) seen[compare]++
            const some = group ?? { keys: [], deals: [], associations: [], changes: [] }
            for (const each of measures) {
              const expected = measure(each, some, all, world, WORLD_NOW)
              // A group without deals has no share; as an additive measure it is 0.
              assertNear(
                values?.[each],
                group === undefined ? (expected ?? emptyOf(each)) : expected,
                `${each} ${of}, ${text}`,
              )
            }
          }
          for (const row of groupBy.length === 0 ? [] : report.data) {
            const of = `of ${earlierKey(row)}`
            const isOpen = isDated && row.group[`${field}.month`] === NOW.today.slice(0, 7)
            const usesSpan = inSpan !== undefined && (!isDated || isOpen)
            assert.strictEqual(row.partial === true, usesSpan || isOpen, `partial ${of}, ${text}`)
            const earlier = usesSpan ? inSpan : inWhole
            assertValues(row.previous, earlier.byKey.get(earlierKey(row)), earlier.all, of)
            if (usesSpan) assertValues(row.previous_whole, inWhole.byKey.get(earlierKey(row)), inWhole.all, of)
            else assert.isUndefined(row.previous_whole, text)
            for (const each of measures) {
              const [now, before] = [row.values[each] ?? null, row.previous?.[each] ?? null]
              assertNear(
                row.change?.[each],
                now === null || before === null ? null : now - before,
                `change ${of}, ${text}`,
              )
            }
          }
          assertValues(report.totals.previous, (inSpan ?? inWhole).all, (inSpan ?? inWhole).all, "of the totals")
          if (inSpan !== undefined)
            assertValues(report.totals.previous_whole, inWhole.all, inWhole.all, "of the whole totals")
        })
        yield* Effect.forEach(n % 3 === 0 ? services : services.slice(0, 1), check)
      }
      assert.isAbove(Math.min(...Object.values(seen)), 10, JSON.stringify(seen))
    }).pipe(Effect.scoped, atTime(`${NOW.today}T13:00:00Z`)),
  )

  it.live("mark the group of a date that is still running, at every grain", () =>
    Effect.gen(function* () {
      const world = makeWorld(makeRandom(1))
      for (const engine of engines) {
        const { org, reports } = yield* start(engine, world, world)
        for (const grain of ["week", "month", "quarter", "year"]) {
          const name = `updated_at.${grain}`
          const { data } = yield* reports.run(org, { subject: "deals", groupBy: [name], limit: 1000, filters: {} })
          assert.isTrue(
            data.some(({ partial }) => partial === true),
            `${engine.name}: ${grain}`,
          )
          for (const { group, partial } of data) {
            const isRunning = group[name] === bucket(grain, NOW.today, NOW.fiscalStart)
            assert.strictEqual(partial === true, isRunning, `${engine.name}: ${JSON.stringify(group)}`)
          }
        }
      }
    }).pipe(Effect.scoped, atTime(`${NOW.today}T13:00:00Z`)),
  )
})

const emptyOf = (name: string) =>
  ({ ...DEAL_MEASURES, ...ASSOCIATION_MEASURES } as Readonly<Record<string, { readonly additive: boolean }>>)[name]
    ?.additive === true
    ? 0
    : null
