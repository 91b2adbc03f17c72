import { Random } from "../../src/adapters/cli/demo/random.ts"
import { ALL } from "../support/extent.ts"

/** A deal as a plain look sees it. */
export interface Case {
  readonly id: string
  readonly outcome: "open" | "won" | "lost"
  readonly amount: number | null
  readonly competitors: ReadonlyArray<string>
  readonly owner: string
  readonly region: string
  readonly industry: string
  readonly type: string
  readonly product: string
  readonly created: string
  readonly closes: string
  readonly drivers: ReadonlyArray<string>
}

export const COMPETITORS = ["Brixen Suite", "Tallowmark", "Orvanta", "Calyptus One"]
export const OWNERS = ["Adaeze Moreau", "Bastian Ilves", "Chiara Tanaka"]
const REGIONS = ["EMEA", "North America", "UK and Ireland"]
const INDUSTRIES = ["Retail", "Financial services", "Energy"]
const TYPES = ["New business", "Renewal"]
const PRODUCTS = ["Quellaria Flow", "Quellaria Ledger"]
const DRIVERS = ["Price", "Ease of use", "Data residency"]

const DAY = 86_400_000
const random = new Random(77)
/** The day of the questions. `npm run test:all` asks them on the day of the run. */
export const NOW = ALL ? new Date() : new Date("2026-05-20T12:00:00Z")
const day = (at: number) => new Date(at).toISOString().slice(0, 10)

export const deals: ReadonlyArray<Case> = Array.from({ length: 240 }, (_, n) => {
  const created = NOW.getTime() - random.int(0, 700) * DAY
  return {
    id: `d${n}`,
    outcome: random.pick(["open", "won", "lost", "lost"] as const),
    amount: random.chance(0.1) ? null : random.int(1, 200) * 500,
    competitors: random.sample(COMPETITORS, random.int(0, 2)),
    owner: random.pick(OWNERS),
    region: random.pick(REGIONS),
    industry: random.pick(INDUSTRIES),
    type: random.pick(TYPES),
    product: random.pick(PRODUCTS),
    created: day(created),
    closes: day(created + random.int(5, 200) * DAY),
    drivers: random.sample(DRIVERS, random.int(1, 2)),
  }
})

const slug = (text: string) => text.toLowerCase().replaceAll(/[^a-z]+/g, "_")

export const records = () => [
  { type: "stage", id: "open", name: "Evaluation", category: "open", position: 1 },
  { type: "stage", id: "won", name: "Won", category: "won", position: 2 },
  { type: "stage", id: "lost", name: "Lost", category: "lost", position: 3 },
  ...COMPETITORS.map((name) => ({ type: "competitor", id: slug(name), name })),
  ...OWNERS.map((name) => ({ type: "owner", id: slug(name), name })),
  ...DRIVERS.map((name) => ({ type: "reason", id: slug(name), name })),
  ...INDUSTRIES.map((industry) => ({ type: "client", id: slug(industry), name: `${industry} customer`, industry })),
  ...deals.map((deal) => ({
    type: "deal",
    id: deal.id,
    name: `Deal ${deal.id} [${deal.product}]`,
    amount: deal.amount,
    status: deal.outcome,
    owner: slug(deal.owner),
    client: slug(deal.industry),
    region: deal.region,
    deal_type: deal.type,
    product_labels: [deal.product],
    created_at: `${deal.created}T12:00:00Z`,
    close_date: deal.closes,
    competitors: deal.competitors.map((name, n) => ({
      competitor: slug(name),
      is_primary: n === 0,
      is_incumbent: false,
    })),
    drivers: deal.drivers.map((name) => ({
      reason: slug(name),
      positive: deal.outcome === "won",
      summary: `${name} decided`,
    })),
  })),
]

interface Part {
  readonly text: string
  readonly holds: (deal: Case) => boolean
}

const iso = (year: number, month: number, date = 1) => day(Date.UTC(year, month, date))

/** Questions put together of parts, each with what it means. */
export const generated = (
  count: number,
): ReadonlyArray<{ readonly question: string; readonly holds: (deal: Case) => boolean }> => {
  const choose = new Random(4711)
  const [year, month] = [NOW.getUTCFullYear(), NOW.getUTCMonth()]
  const quarter = Math.floor(month / 3) * 3
  const times: ReadonlyArray<readonly [string, string, string]> = [
    ["last quarter", iso(year, quarter - 3), iso(year, quarter, 0)],
    ["this year", iso(year, 0), iso(year + 1, 0, 0)],
    ["last year", iso(year - 1, 0), iso(year, 0, 0)],
    [`in ${year - 1}`, iso(year - 1, 0), iso(year, 0, 0)],
    [`in Q2 ${year}`, iso(year, 3), iso(year, 6, 0)],
    ["last month", iso(year, month - 1), iso(year, month, 0)],
    ["in the last 90 days", day(NOW.getTime() - 90 * DAY), day(NOW.getTime())],
    [`since ${iso(year, 0, 15)}`, iso(year, 0, 15), "9999"],
    [`before March ${year}`, "0000", iso(year, 2, 0)],
    [`between ${iso(year - 1, 4, 3)} and ${iso(year, 1, 9)}`, iso(year - 1, 4, 3), iso(year, 1, 9)],
  ]
  return Array.from({ length: count }, () => {
    const outcome = choose.pick(["lost", "won", "open", undefined] as const)
    const parts: Array<Part> = []
    const time = choose.pick(times)
    if (choose.chance(0.5)) {
      const created = choose.chance(0.4) || outcome === "open" || outcome === undefined
      parts.push({
        text: `${created ? "created " : ""}${time[0]}`,
        holds: (deal) => {
          const date = created ? deal.created : deal.closes
          return date >= time[1] && date <= time[2]
        },
      })
    }
    if (choose.chance(0.5)) {
      const [one, two] = choose.sample(COMPETITORS, 2) as [string, string]
      parts.push(
        choose.pick([
          { text: `against ${one}`, holds: ({ competitors }) => competitors.includes(one) },
          {
            text: `against ${one.toUpperCase()} or ${two}`,
            holds: ({ competitors }) => competitors.includes(one) || competitors.includes(two),
          },
          {
            text: `against ${one} and ${two}`,
            holds: ({ competitors }) => competitors.includes(one) && competitors.includes(two),
          },
          { text: `not against ${one}`, holds: ({ competitors }) => !competitors.includes(one) },
        ] satisfies ReadonlyArray<Part>),
      )
    }
    if (choose.chance(0.4)) {
      const k = choose.int(5, 90)
      parts.push(
        choose.pick([
          { text: `above ${k}k`, holds: ({ amount }) => amount !== null && amount > k * 1000 },
          { text: `of at least €${k},000`, holds: ({ amount }) => amount !== null && amount >= k * 1000 },
          { text: `under $${k}k`, holds: ({ amount }) => amount !== null && amount < k * 1000 },
          {
            text: `between 10k and ${k + 10}k`,
            holds: ({ amount }) => amount !== null && amount >= 10_000 && amount <= (k + 10) * 1000,
          },
        ] satisfies ReadonlyArray<Part>),
      )
    }
    if (choose.chance(0.3)) {
      const region = choose.pick(REGIONS)
      const outside = choose.chance(0.3)
      parts.push({
        text: `${outside ? "outside" : "in"} ${region}`,
        holds: (deal) => (deal.region === region) !== outside,
      })
    }
    if (choose.chance(0.2)) {
      const industry = choose.pick(INDUSTRIES)
      parts.push({ text: `in ${industry.toLowerCase()}`, holds: (deal) => deal.industry === industry })
    }
    if (choose.chance(0.2)) {
      const product = choose.pick(PRODUCTS)
      parts.push({ text: `for ${product}`, holds: (deal) => deal.product === product })
    }
    if (choose.chance(0.3)) {
      const owner = choose.pick(OWNERS)
      parts.push({
        text: `owned by ${choose.chance(0.5) ? owner : owner.split(" ")[0]}`,
        holds: (deal) => deal.owner === owner,
      })
    }
    const type = choose.chance(0.2) ? choose.pick(TYPES) : undefined
    const what = [outcome, type?.toLowerCase(), "deals"].filter(Boolean).join(" ")
    const asked = choose.pick([
      `How many ${what} are there`,
      `Which ${what} are there`,
      `List all ${what}`,
      `Count the ${what}`,
      what,
      `Do we have any ${what}`,
    ])
    return {
      question: `${asked} ${choose
        .sample(parts, parts.length)
        .map(({ text }) => text)
        .join(" ")}?`,
      holds: (deal: Case) =>
        (outcome === undefined || deal.outcome === outcome) &&
        (type === undefined || deal.type === type) &&
        parts.every(({ holds }) => holds(deal)),
    }
  })
}
