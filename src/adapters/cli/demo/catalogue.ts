import type { ImportRecord } from "../../../core/records/record.ts"
import type { Random } from "./random.ts"
import type { Seller } from "./sellers.ts"
import { COMPANY_STEMS, FIRST_NAMES, INDUSTRIES, LAST_NAMES, REASONS, TIERS } from "./vocabulary.ts"

export const STAGES = [
  { id: "discovery", name: "Discovery", category: "open", probability: 0.1 },
  { id: "evaluation", name: "Evaluation", category: "open", probability: 0.25 },
  { id: "proposal", name: "Proposal", category: "open", probability: 0.5 },
  { id: "negotiation", name: "Negotiation", category: "open", probability: 0.75 },
  { id: "won", name: "Won", category: "won", probability: 1 },
  { id: "lost", name: "Lost", category: "lost", probability: 0 },
] as const

export const OWNER_COUNT = 14
export const pad = (number: number, width: number) => String(number).padStart(width, "0")
export const slug = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]+/g, "_")

/** Covers every data type, on deals and accounts of both CRMs. */
const PROPERTIES: ReadonlyArray<ImportRecord<"crm_property">> = [
  property("crm_one", "deal", "forecast_category", "Forecast category", "text"),
  property("crm_one", "deal", "probability", "Probability", "number"),
  property("crm_one", "deal", "next_step_date", "Next step", "date"),
  property("crm_one", "deal", "security_review", "Security review done", "boolean"),
  property("crm_two", "deal", "lead_source", "Lead source", "text"),
  property("crm_one", "account", "employee_count", "Employees", "number"),
  property("crm_one", "account", "customer_since", "Customer since", "date"),
  property("crm_one", "account", "reference_customer", "May be named as a reference", "boolean"),
  property("crm_two", "account", "account_tier", "Tier", "text"),
]

function property(
  crm: "crm_one" | "crm_two",
  object: "deal" | "account",
  id: string,
  label: string,
  data_type: "text" | "number" | "date" | "boolean",
): ImportRecord<"crm_property"> {
  return { type: "crm_property", crm, object, id, label, data_type }
}

export const METRIC = "Champion strength"
export const ANSWERS = ["Why now", "Next step"] as const

/** The records that a seller's deals refer to, including clients. */
export function* makeCatalogue(seller: Seller, random: Random): Generator<ImportRecord> {
  for (const [position, stage] of STAGES.entries()) yield { type: "stage", ...stage, position }
  for (let number = 1; number <= OWNER_COUNT; number++) {
    const name = `${FIRST_NAMES[number]} ${random.pick(LAST_NAMES)}`
    yield { type: "owner", id: `owner_${pad(number, 2)}`, name, email: `${slug(name)}@${slug(seller.name)}.example` }
  }
  for (const name of seller.competitors) {
    yield { type: "competitor", id: slug(name), name, website_url: `https://${slug(name)}.example` }
  }
  for (const { name, category } of REASONS) yield { type: "reason", id: slug(name), name, category }
  for (const [index, [name, product_area, description]] of seller.features.entries()) {
    const product = seller.products[index % seller.products.length]!
    yield { type: "feature", id: slug(name), name, description, product, product_area }
  }
  yield* PROPERTIES
  yield { type: "metric", id: slug(METRIC), name: METRIC }
  for (const name of ANSWERS) yield { type: "answer", id: slug(name), name }
  yield* segments(seller)
  for (let number = 1; number <= seller.clients; number++) yield client(number, random)
}

const segments = (seller: Seller): ReadonlyArray<ImportRecord<"segment">> => [
  {
    type: "segment",
    id: "large_open",
    name: "Large and open",
    filters: {
      amount: { min: 100_000 },
      status: STAGES.filter(({ category }) => category === "open").map(({ id }) => id),
    },
  },
  {
    type: "segment",
    id: "lost_on_fit",
    name: "Lost on product fit",
    filters: {
      status: ["lost"],
      wl_product_fit_score: { max: 2 },
    },
  },
  {
    type: "segment",
    id: "against_the_leader",
    name: `Against ${seller.competitors[0]}`,
    filters: {
      competitors: [slug(seller.competitors[0]!)],
    },
  },
]

export const clientId = (number: number) => `client_${pad(number, 4)}`

/** Combines each stem with each industry's words. The first 1,200 names are unique. */
export const clientName = (number: number) => {
  const stem = COMPANY_STEMS[number % COMPANY_STEMS.length]!
  const [, nouns] = INDUSTRIES[(number * 3 + Math.floor(number / COMPANY_STEMS.length)) % INDUSTRIES.length]!
  return `${stem} ${nouns[Math.floor(number / 7) % nouns.length]}`
}

const client = (number: number, random: Random): ImportRecord<"client"> => {
  const name = clientName(number)
  const industry = INDUSTRIES.find(([, nouns]) => nouns.includes(name.split(" ").at(-1)!))?.[0]
  return {
    type: "client",
    id: clientId(number),
    name,
    crm_one_id: `001A${pad(number, 8)}`,
    ...(random.chance(0.4) && { crm_two_id: `9${pad(number, 7)}` }),
    industry: industry ?? null,
    website_url: `https://${slug(name).replaceAll("_", "-")}.example`,
    crm_properties: {
      employee_count: Math.round(60 * Math.exp(1.4 + random.bell())),
      reference_customer: random.chance(0.25),
      account_tier: random.skewed(TIERS),
      ...(random.chance(0.5) && {
        customer_since: `20${random.int(15, 25)}-0${random.int(1, 9)}-1${random.int(0, 9)}`,
      }),
    },
  }
}
