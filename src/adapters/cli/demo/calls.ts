import type { ImportRecord } from "../../../core/records/record.ts"
import { Random } from "./random.ts"
import { demoRecords } from "./records.ts"
import type { Seller } from "./sellers.ts"
import { FIRST_NAMES, LAST_NAMES } from "./vocabulary.ts"

/** Open deals that nobody has analyzed and that have a recorded call, the newest. */
const CALLS = 50

interface DemoCall {
  readonly file_name: string
  readonly deal_id: string
  readonly vtt: string
}

interface Line {
  readonly side: "buyer" | "seller"
  readonly text: string
}

const FEATURE = [
  "The {} is what our team liked best in the test.",
  "We tried the {}, and it was slow and confusing.",
  "Can we see the {} before we sign?",
  "Without the {} this does not work for us, so we need it from the first day.",
  "The {} works well, but two of our people found it hard to set up.",
]
const RIVAL = [
  "{} is cheaper than you for the same number of seats.",
  "We tried {} last year, and it could not handle our volumes.",
  "We are looking at {} as well, to have a second offer.",
  "To be honest, we are leaning towards {} at the moment.",
]
const OPINION = [
  "The price is too high for the seats that we would really use.",
  "Your support answered every question within an hour, which we liked.",
  "I am worried that the rollout takes too long before our peak season.",
  "The security review went smoothly, and our auditors are happy.",
  "The interface is intuitive, my people needed no training.",
  "Two of our systems have no connector, and that is a problem for us.",
]
const PITCH = [
  "Our {} has been in use at a company of your size for two years.",
  "Let me show you the {}, it is the part that most customers ask for.",
]
const PROBE = ["Is {} still in the picture?", "Have you compared us with {} by now?"]
const ASKED = ["How many people would use it every day?", "When does your budget close?", "Who signs the contract?"]
const SELLER_STEP = [
  "I will send you the revised offer by Friday.",
  "We will arrange a call with a reference customer.",
]
const BUYER_STEP = "I will send you our security questionnaire this week."
const TAKEN_BACK = "About the security questionnaire: I cannot send it this week after all, our lawyers want it first."
const SMALL_TALK = ["Thanks for taking the time.", "Can everybody hear me?", "Let us go on with the next point."]

/** Calls of open deals, as a recorder transcribes them. The calls decide nothing that the records say. Deterministic. */
export function* demoCalls(seller: Seller, until: number): Generator<DemoCall> {
  const random = new Random(seller.seed + 11)
  const records = [...demoRecords(seller, until)]
  const names = new Map(
    records.flatMap((each) =>
      "name" in each && each.id !== undefined ? [[`${each.type} ${each.id}`, each.name]] : [],
    ),
  )
  const open = records.filter(
    (each): each is ImportRecord<"deal"> =>
      each.type === "deal" && each.deal_analyzed === false && each.status !== "won" && each.status !== "lost",
  )
  const newest = open.toSorted((a, b) => (a.created_at! < b.created_at! ? 1 : -1))
  for (const deal of newest.slice(0, CALLS)) {
    const client = names.get(`client ${String(deal.client)}`) ?? "Customer"
    const owner = names.get(`owner ${String(deal.owner)}`) ?? "Sales"
    const buyer = `${random.pick(FIRST_NAMES)} ${random.pick(LAST_NAMES)}`
    const speakers = { buyer: `${buyer} (${client})`, seller: `${owner} (${seller.name})` }
    yield {
      file_name: `Call with ${client}.vtt`,
      deal_id: deal.id ?? "",
      vtt: writeCall(writeLines(seller, random), speakers),
    }
  }
}

const writeLines = (seller: Seller, random: Random): ReadonlyArray<Line> => {
  const fill = (templates: ReadonlyArray<string>, name: string) => random.pick(templates).replace("{}", name)
  const buyer = (text: string): Line => ({ side: "buyer", text })
  const ours = (text: string): Line => ({ side: "seller", text })
  const [first, second] = random.sample(seller.features, 2)
  const [rival, other] = random.sample(seller.competitors, 2)
  const middle = random.sample(
    [
      buyer(fill(FEATURE, first![0].toLowerCase())),
      buyer(fill(FEATURE, second![0].toLowerCase())),
      buyer(fill(RIVAL, rival!)),
      ours(fill(PROBE, other!)),
      ours(fill(PITCH, random.pick(seller.features)[0].toLowerCase())),
      ...random.sample(OPINION, 2).map(buyer),
      ...random.sample(ASKED, 2).map(ours),
      buyer(SMALL_TALK[2]!),
    ],
    10,
  )
  const steps = [ours(random.pick(SELLER_STEP)), ...(random.chance(0.5) ? [buyer(BUYER_STEP)] : [])]
  const last = steps.length > 1 && random.chance(0.3) ? [buyer(TAKEN_BACK)] : []
  return [ours(SMALL_TALK[0]!), buyer(SMALL_TALK[1]!), ...middle, ...steps, ...last]
}

const two = (value: number) => String(Math.floor(value)).padStart(2, "0")
const clock = (seconds: number) => `${two(seconds / 3600)}:${two((seconds / 60) % 60)}:${two(seconds % 60)}.000`

const writeCall = (lines: ReadonlyArray<Line>, speakers: Readonly<Record<Line["side"], string>>) => {
  let second = 0
  const cues = lines.map(({ side, text }) => {
    const from = second
    // About 14 characters a second, and a pause.
    second += Math.ceil(text.length / 14) + 1
    return `${clock(from)} --> ${clock(second - 1)}\n<v ${speakers[side]}>${text}\n`
  })
  return `WEBVTT\n\n${cues.join("\n")}`
}
