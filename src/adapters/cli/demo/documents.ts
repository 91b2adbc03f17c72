import type { ImportRecord } from "../../../core/records/record.ts"
import { slug } from "./catalogue.ts"
import { Random } from "./random.ts"
import { demoRecords } from "./records.ts"
import type { Seller } from "./sellers.ts"
import { BUYERS, REASONS } from "./vocabulary.ts"

/** A demo document, about a competitor or a deal. */
interface DemoDocument {
  readonly file_name: string
  readonly type: "asset" | "intel"
  readonly target: { readonly competitor: string } | { readonly deal: { readonly deal_id: string } }
  readonly markdown: string
}

/** Battlecards, price notices, interviews and call notes that agree with the seller's records. Deterministic for a seller and `until`. */
export function* demoDocuments(seller: Seller, until: number): Generator<DemoDocument> {
  const random = new Random(seller.seed + 7)
  const facts = seller.competitors.map((name) => factsOf(name, random))
  for (const fact of facts.slice(0, 5)) yield battlecard(seller, fact, random)
  for (const fact of facts.slice(0, 2)) yield priceNotice(fact, until)
  for (const storyDeal of selectDeals(seller, until))
    yield storyDeal.outcome === "open" ? callNotes(storyDeal, random) : interview(storyDeal, random)
}

interface Facts {
  readonly name: string
  readonly price: number
  readonly seats: number
  readonly notice: number
  readonly setup: number
  readonly answer: number
  readonly audit: string
  readonly cloud: string
}

const factsOf = (name: string, random: Random): Facts => ({
  name,
  price: random.int(24, 79),
  seats: random.int(2, 10) * 5,
  notice: random.int(2, 6) * 30,
  setup: random.int(12, 60) * 500,
  answer: random.int(2, 30),
  audit: random.pick(["SOC 2 Type II", "ISO 27001", "SOC 2 Type I"]),
  cloud: random.pick(["Frankfurt", "Dublin", "Virginia", "Stockholm"]),
})

const money = (amount: number) => `$${amount.toLocaleString("en-US")}`

const battlecard = (seller: Seller, fact: Facts, random: Random): DemoDocument => {
  const { name, price, seats, notice, setup, answer, audit, cloud } = fact
  const [lacks, half, ours] = random.sample(seller.features, 3) as [Feature, Feature, Feature]
  return {
    file_name: `${slug(name).replaceAll("_", "-")}-battlecard.md`,
    type: "asset",
    target: { competitor: slug(name) },
    markdown: `# ${name} battlecard

What ${seller.name} sellers should know before they meet ${name} in a deal.

## Price and terms

${name} charges ${money(price)} per seat per month, with a minimum of ${seats} seats. Its setup fee is ${money(setup)}, paid once. Contracts of ${name} renew automatically, with a notice period of ${notice} days.

## What it does well

${name} has a short pilot: a customer can be live within three weeks. ${name} is certified to ${audit} and hosts customer data in ${cloud}.

## Where it is weak

- ${name} has no ${lacks[0].toLowerCase()}: customers who need it work around it by hand.
- ${half[0]} exists in ${name}, but only in its highest plan.
- Support of ${name} answers within ${answer} hours on working days, and not at all at weekends.

## How to win against ${name}

Lead with ${ours[0].toLowerCase()}: ${ours[2].charAt(0).toLowerCase()}${ours[2].slice(1)}. Ask early who signs the contract, and how long the notice period of ${notice} days would bind them. Offer a reference call in the first week.
`,
  }
}

type Feature = Seller["features"][number]

const priceNotice = ({ name, price }: Facts, until: number): DemoDocument => {
  const rise = Math.round(price * 0.12)
  const month = new Date(until + 45 * 86_400_000).toLocaleString("en-US", {
    month: "long",
    year: "numeric",
    timeZone: "UTC",
  })
  return {
    file_name: `${slug(name).replaceAll("_", "-")}-price-notice.md`,
    type: "intel",
    target: { competitor: slug(name) },
    markdown: `# ${name} announces new list prices

${name} told its customers by e-mail that the list price rises by ${money(rise)} to ${money(price + rise)} per seat per month from ${month}. Contracts that are signed before then keep the old price for two years.

Customers on the oldest plan of ${name} must move to the new one, which has fewer integrations. Two of them asked us for an offer in the same week.
`,
  }
}

interface StoryDeal {
  readonly deal: ImportRecord<"deal">
  readonly outcome: "open" | "won" | "lost"
  readonly client: string
  readonly rival: string
}

/** Selects the two newest deals of each outcome that have a primary competitor and, if decided, drivers. */
const selectDeals = (seller: Seller, until: number): ReadonlyArray<StoryDeal> => {
  const rivals = new Map(seller.competitors.map((name) => [slug(name), name]))
  const clients = new Map<string, string>()
  const all: Array<StoryDeal> = []
  for (const record of demoRecords(seller, until)) {
    if (record.type === "client" && record.id !== undefined && record.name !== undefined)
      clients.set(record.id, record.name)
    if (record.type !== "deal") continue
    const primary = (record.competitors ?? []).find((each) => typeof each === "object" && each.is_primary === true)
    const rival = typeof primary === "object" ? rivals.get(String(primary.competitor)) : undefined
    const outcome = record.status === "won" || record.status === "lost" ? record.status : "open"
    const client = clients.get(String(record.client))
    if (rival === undefined || client === undefined || (outcome !== "open" && (record.drivers ?? []).length === 0))
      continue
    all.push({ deal: record, outcome, client, rival })
  }
  const newest = all.toSorted((a, b) => (a.deal.created_at! < b.deal.created_at! ? 1 : -1))
  return (["lost", "won", "open"] as const).flatMap((outcome) =>
    newest.filter((storyDeal) => storyDeal.outcome === outcome).slice(0, 2),
  )
}

const describeDeal = ({ deal, client }: StoryDeal, what: string) =>
  ({ file_name: `${what} ${client}.md`, type: "asset", target: { deal: { deal_id: deal.id ?? "" } } }) as const

const interview = (storyDeal: StoryDeal, random: Random): DemoDocument => {
  const { deal, outcome, client, rival } = storyDeal
  const buyer = random.pick(BUYERS)
  const drivers = (deal.drivers ?? []).flatMap((driver) => {
    const name = REASONS.find((reason) => typeof driver === "object" && slug(reason.name) === driver.reason)?.name
    return typeof driver === "object" && name !== undefined ? [{ ...driver, name }] : []
  })
  return {
    ...describeDeal(storyDeal, outcome === "won" ? "Win interview" : "Loss interview"),
    markdown: `# ${outcome === "won" ? "Win" : "Loss"} interview: ${client}

The ${buyer} of ${client} talked with us for ${random.int(25, 50)} minutes after the decision. They ${
      outcome === "won" ? `chose us over ${rival}` : `went with ${rival}`
    }.

## What decided it

${drivers.map(({ name, positive, summary }) => `- ${name} spoke ${positive === true ? "for" : "against"} us: ${summary}.`).join("\n")}

## In their words

"We compared ${rival} and you for ${random.int(4, 20)} weeks. In the end ${drivers[0]?.summary ?? "it was close"}," said the ${buyer}.

## What they would have liked

${client} would have liked a named contact during the pilot, and a written answer about ${random.pick(REASONS).name.toLowerCase()} before the second meeting.
`,
  }
}

const callNotes = (storyDeal: StoryDeal, random: Random): DemoDocument => {
  const { deal, client, rival } = storyDeal
  const buyer = random.pick(BUYERS)
  return {
    ...describeDeal(storyDeal, "Call notes"),
    markdown: `# Call notes: ${client}

The ${buyer} of ${client} joined with ${random.int(2, 5)} colleagues. The deal is ${deal.name}.

## What they said

- ${client} must decide before its budget closes, in ${random.int(3, 9)} weeks.
- ${rival} has offered a pilot of ${random.int(14, 45)} days without charge.
- ${client} wants the rollout in ${random.int(2, 6)} sites, one after the other.

## Next step

Send the security questionnaire by Friday, and bring a reference customer to the meeting with the ${buyer}.
`,
  }
}
