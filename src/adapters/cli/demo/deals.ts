import type { ImportRecord } from "../../../core/records/record.ts"
import { ANSWERS, clientId, clientName, METRIC, OWNER_COUNT, pad, slug, STAGES } from "./catalogue.ts"
import type { Random } from "./random.ts"
import type { Seller } from "./sellers.ts"
import { type Outline, scorecard, story } from "./story.ts"
import { DEAL_TYPES, LEAD_SOURCES, REASONS, REGIONS, TAGS } from "./vocabulary.ts"

const DAY_MS = 86_400_000

/** Deals of the two years before `until`, each followed by its associations. */
export function* deals(seller: Seller, random: Random, until: number): Generator<ImportRecord> {
  for (let number = 1; number <= seller.deals; number++) {
    const age = Math.floor(random.next() ** 1.3 * 730)
    yield* deal(seller, random, { number, age, created: until - age * DAY_MS - random.int(0, DAY_MS - 1), until })
  }
}

interface Moment {
  readonly number: number
  readonly age: number
  readonly created: number
  readonly until: number
}

function* deal(seller: Seller, random: Random, { number, age, created, until }: Moment): Generator<ImportRecord> {
  const id = `deal_${pad(number, 5)}`
  const stage = stageOf(random, age)
  const outcome = stage.category
  const clientNumber = random.int(1, seller.clients)
  const product = random.skewed(seller.products)
  const type = random.skewed(DEAL_TYPES)
  const rivals = random.sample(seller.competitors, random.chance(0.25) ? 0 : random.int(1, 3))
  const analyzed = outcome !== "open" || random.chance(0.35)
  const length = chooseLength(random.int(20, 150), { number, age, outcome })
  const updated = Math.min(created + Math.floor(length * DAY_MS * random.next()), until)
  const outline: Outline = {
    client: clientName(clientNumber),
    product,
    outcome,
    rival: rivals[0],
    drivers: analyzed ? drivers(random, outcome) : [],
  }
  yield {
    type: "deal",
    id,
    name: `${outline.client} – ${product} ${type.toLowerCase()}`,
    crm_one_id: `006A${pad(number, 8)}`,
    ...(number % 3 === 0 && { crm_two_id: `5${pad(number, 7)}` }),
    amount: random.chance(0.03) ? null : Math.round((18_000 * Math.exp(1 + random.bell() * 0.9)) / 500) * 500,
    status: stage.id,
    previous_status: stage.before,
    close_date: formatDay(created + length * DAY_MS),
    created_at: new Date(created).toISOString(),
    updated_at: new Date(updated).toISOString(),
    owner: ownerId(random),
    collaborators: random.chance(0.3) ? [...new Set([ownerId(random), ownerId(random)])] : [],
    client: clientId(clientNumber),
    deal_type: type,
    region: random.skewed(REGIONS),
    product_labels: [...new Set([product, ...(random.chance(0.2) ? [random.pick(seller.products)] : [])])],
    competitors: rivals.map((name, index) => ({
      competitor: slug(name),
      is_primary: index === 0,
      is_incumbent: index === rivals.length - 1 && random.chance(0.3),
    })),
    deal_analyzed: analyzed,
    analysis_verified: analyzed && random.chance(0.4),
    crm_properties: {
      forecast_category: outcome === "open" ? random.pick(["Commit", "Best case", "Pipeline"]) : "Closed",
      probability: outcome === "won" ? 100 : outcome === "lost" ? 0 : random.int(1, 9) * 10,
      security_review: random.chance(0.5),
      lead_source: random.skewed(LEAD_SOURCES),
      ...(outcome === "open" && { next_step_date: formatDay(until + random.int(1, 30) * DAY_MS) }),
    },
    ...(analyzed && analysis(outline, random)),
  }
  if (analyzed) yield* associations(seller, random, { id, created, updated, outcome })
}

const analysis = (outline: Outline, random: Random) => ({
  drivers: outline.drivers.map(({ reason, positive }) => ({
    reason: slug(reason.name),
    positive,
    summary: positive ? reason.praise : reason.complaint,
  })),
  // Older summaries are plain text.
  summary: random.chance(0.05) ? story(outline, random).executive_summary : story(outline, random),
  scorecard: scorecard(outline, random),
  custom_metrics: { [METRIC]: { score: random.int(1, 5), explanation: `Judged from ${random.int(2, 6)} calls.` } },
  custom_answers: {
    [ANSWERS[0]]: random.pick(["A contract ends this year.", "A new plant opens.", "An audit found gaps."]),
    ...(random.chance(0.6) && {
      [ANSWERS[1]]: random.pick(["Send the offer.", "Agree a pilot.", "Meet the sponsor."]),
    }),
  },
})

/**
 * Days from a deal's creation to its close date. Decided deals closed before today. Open deals close later, except one in
 * eight, which is up to eight weeks overdue.
 */
const chooseLength = (
  drawn: number,
  { number, age, outcome }: Pick<Moment, "number" | "age"> & { readonly outcome: Outline["outcome"] },
) => {
  if (outcome !== "open") return drawn < age ? drawn : 1 + (drawn % (age - 1))
  if (number % OVERDUE_EVERY === 0) return Math.max(age - (drawn % 56), 0)
  return drawn > age + 1 ? drawn : age + 2 + (drawn % 90)
}

const OVERDUE_EVERY = 8

/** In days: one until the decision, and one since. */
const MIN_DECIDED_AGE_DAYS = 2

/** Older deals are more likely to be decided. */
const stageOf = (random: Random, age: number) => {
  const open = random.int(0, 3)
  if (!random.chance(age < MIN_DECIDED_AGE_DAYS ? 0 : Math.min(age / 200, 0.94))) {
    return { id: STAGES[open]!.id, category: "open" as const, before: open === 0 ? null : STAGES[open - 1]!.id }
  }
  const won = random.chance(0.44)
  return { id: STAGES[won ? 4 : 5].id, category: STAGES[won ? 4 : 5].category, before: STAGES[open]!.id }
}

const ownerId = (random: Random) => `owner_${pad(random.int(1, OWNER_COUNT), 2)}`
const formatDay = (at: number) => new Date(at).toISOString().slice(0, 10)

const drivers = (random: Random, outcome: Outline["outcome"]) =>
  random.sample(REASONS, random.int(1, 4)).map((reason) => ({
    reason,
    positive: random.chance(outcome === "won" ? 0.8 : outcome === "lost" ? 0.25 : 0.55),
  }))

function* associations(
  seller: Seller,
  random: Random,
  deal: { readonly id: string; readonly created: number; readonly updated: number; readonly outcome: string },
): Generator<ImportRecord> {
  const mentioned = random.sample(seller.features, random.int(0, 3))
  for (const [index, [name, , does]] of mentioned.entries()) {
    const mood = random.next()
    const sentiment = mood < 0.2 ? null : mood < (deal.outcome === "won" ? 0.8 : 0.5)
    yield {
      type: "association",
      id: `association_${deal.id.slice(5)}_${index + 1}`,
      deal: deal.id,
      feature: slug(name),
      created_at: new Date(deal.created + Math.floor((deal.updated - deal.created) * random.next())).toISOString(),
      influence_summary:
        sentiment === null
          ? `They asked how ${name.toLowerCase()} works.`
          : sentiment
            ? `${name} convinced them: ${does.charAt(0).toLowerCase()}${does.slice(1)}.`
            : `They found ${name.toLowerCase()} wanting.`,
      sentiment,
      tags: random.sample(TAGS, random.int(0, 3)),
    }
  }
}
