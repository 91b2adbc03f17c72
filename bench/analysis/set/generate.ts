import { Random } from "../../../src/adapters/cli/demo/random.ts"
import { COUNTED } from "./counted.ts"
import type { Phrases } from "./phrases.ts"
import { garble } from "./recognition.ts"
import { WORK } from "./work.ts"
import { type World, WORLDS } from "./world.ts"

export const HALVES = ["work", "counted"] as const
export type Half = (typeof HALVES)[number]
type Effect = "positive" | "negative" | "neutral"

/** The expected finding for one sentence of a document. */
export interface Truth {
  readonly kind: "competitor" | "feature" | "driver"
  readonly target: string
  readonly side: "buyer" | "seller" | "unknown"
  readonly effect: Effect | null
  /** Verbatim. */
  readonly sentence: string
  readonly trap?: "sarcasm" | "ordinary word" | "seller names a rival" | "negated wish"
}

export interface SetDocument {
  readonly name: string
  readonly type: "text/vtt" | "text/markdown"
  readonly body: string
  readonly truth: ReadonlyArray<Truth>
  /** Promises of the document, with those that are taken back. */
  readonly promises: ReadonlyArray<{ readonly sentence: string; readonly withdrawn: boolean }>
}

export interface SetDeal {
  readonly id: string
  readonly client: string
  readonly documents: ReadonlyArray<SetDocument>
}

const DEALS = 100
const SEEDS = { work: 1801, counted: 1802 } as const
const PHRASES = { work: WORK, counted: COUNTED } as const

interface Line {
  readonly speaker: string
  readonly text: string
  readonly truth: ReadonlyArray<Omit<Truth, "sentence">>
}

const fill = (text: string, random: Random, names: { readonly F?: string; readonly C?: string }) => {
  const filled = text
    .replaceAll("{F}", names.F ?? "")
    .replaceAll("{C}", names.C ?? "")
    .replaceAll("{N}", () => String(random.int(2, 60)))
  return /^\p{Ll}/u.test(filled) ? filled.charAt(0).toUpperCase() + filled.slice(1) : filled
}

/** A name as people say it: the whole name, an alias, in lower case for features. */
const say = ({ name, aliases }: World["features"][number], random: Random, lower: boolean) => {
  const said = aliases.length > 0 && random.chance(0.35) ? random.pick(aliases) : name
  return lower && said !== said.toUpperCase() ? said.charAt(0).toLowerCase() + said.slice(1) : said
}

const EFFECTS = ["positive", "negative", "neutral"] as const

/** The lines of one call: what is said first, then small talk between. */
const callLines = (
  world: World,
  phrases: Phrases,
  random: Random,
  buyers: ReadonlyArray<string>,
  sellers: ReadonlyArray<string>,
) => {
  const lines: Array<Line> = []
  const buyer = () => random.pick(buyers)
  const seller = () => random.pick(sellers)
  for (const feature of random.sample(world.features, random.int(2, 4))) {
    const F = say(feature, random, true)
    const isSarcastic = random.chance(0.08)
    const effect = isSarcastic ? "negative" : random.pick(EFFECTS)
    const template = random.pick(isSarcastic ? phrases.feature.sarcastic : phrases.feature[effect])
    const negated = /do not need|don't really need/.test(template)
    const trap = isSarcastic ? ({ trap: "sarcasm" } as const) : negated ? ({ trap: "negated wish" } as const) : {}
    lines.push({
      speaker: buyer(),
      text: fill(template, random, { F }),
      truth: [{ kind: "feature", target: feature.name, side: "buyer", effect, ...trap }],
    })
  }
  if (random.chance(0.6)) {
    const feature = random.pick(world.features)
    lines.push({
      speaker: seller(),
      text: fill(random.pick(phrases.pitch), random, { F: say(feature, random, true) }),
      truth: [{ kind: "feature", target: feature.name, side: "seller", effect: null }],
    })
  }
  for (const rival of random.sample(world.competitors, random.int(1, 2))) {
    const effect = random.pick(EFFECTS)
    lines.push({
      speaker: buyer(),
      text: fill(random.pick(phrases.competitor[effect]), random, { C: say(rival, random, false) }),
      truth: [{ kind: "competitor", target: rival.name, side: "buyer", effect }],
    })
  }
  if (random.chance(0.5)) {
    const rival = random.pick(world.competitors)
    lines.push({
      speaker: seller(),
      text: fill(random.pick(phrases.rivalOfSeller), random, { C: say(rival, random, false) }),
      truth: [{ kind: "competitor", target: rival.name, side: "seller", effect: null, trap: "seller names a rival" }],
    })
  }
  for (const reason of random.sample(world.reasons, random.int(1, 2))) {
    const effect = random.chance(0.5) ? "positive" : "negative"
    lines.push({
      speaker: buyer(),
      text: fill(random.pick(phrases.reason[reason]![effect]), random, {}),
      truth: [{ kind: "driver", target: reason, side: "buyer", effect }],
    })
  }
  // A word that is a competitor's name elsewhere: no finding is right.
  for (const sentences of random.sample(Object.values(phrases.ordinary), random.int(0, 2)))
    lines.push({ speaker: buyer(), text: random.pick(sentences), truth: [] })
  for (const text of random.sample(phrases.smallTalk, random.int(3, 6)))
    lines.push({ speaker: random.chance(0.5) ? buyer() : seller(), text, truth: [] })
  for (const text of random.sample(phrases.questions, random.int(1, 2)))
    lines.push({ speaker: seller(), text, truth: [] })
  return random.sample(lines, lines.length)
}

const clock = (seconds: number) => {
  const two = (value: number) => String(Math.floor(value)).padStart(2, "0")
  return `${two(seconds / 3600)}:${two((seconds / 60) % 60)}:${two(seconds % 60)}.000`
}

const call = (
  world: World,
  phrases: Phrases,
  random: Random,
  name: string,
  labels: { buyers: ReadonlyArray<string>; sellers: ReadonlyArray<string> },
): SetDocument => {
  const lines = [...callLines(world, phrases, random, labels.buyers, labels.sellers)]
  const promises: Array<{ sentence: string; withdrawn: boolean }> = []
  if (random.chance(0.5)) {
    const n = random.int(0, phrases.promise.length - 1)
    const speaker = random.pick(labels.buyers)
    const sentence = phrases.promise[n]!
    const withdrawn = random.chance(0.5)
    lines.splice(random.int(0, lines.length), 0, { speaker, text: sentence, truth: [] })
    if (withdrawn) lines.push({ speaker, text: phrases.withdrawal[n]!, truth: [] })
    promises.push({ sentence, withdrawn })
  }
  // Half of the calls come from a recognizer; a third of those has no capitals and hardly any punctuation.
  const noise = random.chance(0.5) ? (random.chance(0.33) ? "bare" : "slips") : "none"
  let second = 0
  const truth: Array<Truth> = []
  const heard = new Map<string, string>()
  const cues = lines.map(({ speaker, text, truth: said }) => {
    const spoken = garble(text, noise, random)
    heard.set(text, spoken)
    for (const each of said) truth.push({ ...each, sentence: spoken })
    const start = second
    second += Math.max(2, Math.round(text.length / 14))
    const cue = `${clock(start)} --> ${clock(second)}\n<v ${speaker}>${spoken.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}`
    // A pause after each cue keeps every sentence a turn of its own.
    second += 3
    return cue
  })
  return {
    name,
    type: "text/vtt",
    body: `WEBVTT\n\n${cues.join("\n\n")}\n`,
    truth,
    promises: promises.map(({ sentence, withdrawn }) => ({ sentence: heard.get(sentence)!, withdrawn })),
  }
}

const mail = (world: World, phrases: Phrases, random: Random, client: string, buyer: string): SetDocument => {
  const [feature] = random.sample(world.features, 1)
  const rival = random.pick(world.competitors)
  const effect = random.pick(EFFECTS)
  const first = fill(random.pick(phrases.feature[effect]), random, { F: say(feature!, random, true) })
  const second = fill(random.pick(phrases.competitor.neutral), random, { C: say(rival, random, false) })
  return {
    name: `Mail of ${client}.md`,
    type: "text/markdown",
    body: `From: ${buyer} <${buyer.split(" ")[0]!.toLowerCase()}@${client.toLowerCase()}.example>\n\nHello,\n\n${first} ${second}\n\nBest regards\n`,
    truth: [
      { kind: "feature", target: feature!.name, side: "buyer", effect, sentence: first },
      { kind: "competitor", target: rival.name, side: "buyer", effect: "neutral", sentence: second },
    ],
    promises: [],
  }
}

/** Notes of a seller about a meeting: nobody is named as the speaker. They repeat a number of the call, altered. */
const notes = (world: World, phrases: Phrases, random: Random, client: string): SetDocument => {
  const rival = random.pick(world.competitors)
  const sentence = fill(random.pick(phrases.competitor.negative), random, { C: rival.name })
  return {
    name: `Notes on ${client}.md`,
    type: "text/markdown",
    body: `# Notes on ${client}\n\n- ${random.pick(phrases.note)}\n- ${sentence}\n- ${random.pick(phrases.note)}\n`,
    truth: [{ kind: "competitor", target: rival.name, side: "unknown", effect: "negative", sentence }],
    promises: [],
  }
}

/** The deals of a half. Deterministic. */
export const dealsOf = (half: Half): ReadonlyArray<SetDeal> => {
  const random = new Random(SEEDS[half])
  const [world, phrases] = [WORLDS[half], PHRASES[half]]
  return Array.from({ length: DEALS }, (_, n) => {
    const client = random.pick(world.clients)
    const people = random.sample(world.people, 2)
    const style = random.int(0, 2)
    const label = (person: string, company: string) =>
      style === 0 ? `${person} (${company})` : style === 1 ? `${person} | ${company}` : `${person} - ${company}`
    const labels = {
      buyers: people.map((person) => label(person, client)),
      sellers: random.sample(world.seller.people, random.int(1, 2)).map((person) => label(person, world.seller.name)),
    }
    return {
      id: `${half}_${n + 1}`,
      client,
      documents: [
        ...Array.from({ length: random.int(1, 2) }, (_, at) =>
          call(world, phrases, random, `Call ${at + 1}.vtt`, labels),
        ),
        ...(random.chance(0.5) ? [mail(world, phrases, random, client, people[0]!)] : []),
        ...(random.chance(0.5) ? [notes(world, phrases, random, client)] : []),
      ],
    }
  })
}
