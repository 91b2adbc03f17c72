import { MONTH } from "./dates.ts"

/** Who was chosen and who was not: "went with A instead of B", "lost to A", "A à B préféré", "gegen uns und für A entschieden". */
interface Choices {
  readonly chosen: ReadonlySet<string>
  readonly rejected: ReadonlySet<string>
  /** Our people, by the record of a deal. */
  readonly ours: ReadonlySet<string>
}

/** Words and what they do in a choice, in the order in which they are looked for. */
const SYMBOLS = [
  [
    "instead",
    String.raw`instead of|rather than|in place of|ahead of|over|plutôt qu(?:e|['’])|au lieu d(?:e|['’])|statt|anstatt|anstelle von|en lugar de|en vez de|antes que|y no (?:por|a)|et (?:non|pas)|und nicht|and not`,
  ],
  ["decide", "entschied(?:en)?|entscheidet"],
  ["prefer", String.raw`prefers?|preferred|préf[éè]r\p{L}*|prefir\p{L}*|prefer[ií]\p{L}*`],
  [
    "choose",
    String.raw`(?:went|go|goes|gone|going|sign(?:s|ed)?) with|cho(?:se|sen|ose|oses|osing)|pick(?:s|ed)?|select(?:s|ed)?|opt(?:s|ed)? for|favou?r(?:s|ed)?|decided (?:for|on|in favou?r of)|retenu\p{L}*|retient|choisi\p{L}*|opté pour|den Vorzug gegeben|eligi\p{L}*|elegi\p{L}*|(?:se )?decidió por|optó por|gewählt|bevorzug\p{L}*`,
  ],
  [
    "reject",
    String.raw`reject(?:s|ed)?|turn(?:s|ed)? down|declin(?:es|ed)|rechaz\p{L}*|descart\p{L}*|rejet\p{L}*|refus(?:ed|é|ée)|écart(?:é|ée)|abgesagt|abgelehnt`,
  ],
  ["lost", String.raw`los(?:t|e|es|ing)|verl(?:oren|or|iert|ieren)|perd(?:u|ue|ons|imos|ió|ido|ida)`],
  [
    "won",
    String.raw`w[io]n(?! rate)|wins|winning|gew(?:onnen|ann|innt)|gagn(?:é|ée|ons)|gan(?:amos|ó|ado|ada)|remport(?:é|ée|ons)`,
  ],
  ["against", String.raw`against|gegen|contre|contra|frente a|face à|au profit d(?:e|['’])`],
  ["for", "für"],
  ["be", String.raw`was|were|been|being|wurden?|worden|été|fue|sido`],
  ["to", String.raw`to|à|al|au|an|a(?=\s+(?:\p{Lu}|nosotros|nuestr))`],
  ["we", String.raw`we|us|ours?|nous|notre|nos|nôtre|uns|unser\p{L}*|wir|nosotr[ao]s|nuestr[ao]s?`],
] as const

const SYMBOL = new RegExp(
  `(?<![\\p{L}'’])(?:${SYMBOLS.map(([name, words]) => `(?<${name}>${words})`).join("|")})(?!\\p{L})`,
  "giu",
)
const NAME = /(?<!\p{L})\p{Lu}[\p{L}\p{N}&-]*(?:\s\p{Lu}[\p{L}\p{N}&-]*)*/gu

/** "Cobalt won", "Sindal a remporté": the name is the winner's. */
const AFTER_NAME = /(?<!\p{L})(?!We\s|Wir\s|Nous\s|Nosotr)\p{Lu}[\p{L}\p{N}]*\s(?:(?:a|ha|has|had|have)\s)?$/u
/** A noun follows, not a name. */
const ARTICLE = /\b(?:the|die|der|das|den|dem|ein|eine|einen)\s$/iu
const MONTH_NAME = new RegExp(`^(?:${MONTH})$`, "iu")

/** A sentence as its symbols: "Abelund went with Nimbrel" is "@abelund choose @nimbrel". */
const encodeSymbols = (sentence: string): string => {
  const found = [...sentence.matchAll(SYMBOL)].map(({ 0: text, index, groups = {} }) => {
    let [symbol = ""] = Object.entries(groups).find(([, match]) => match !== undefined) ?? []
    if (
      (symbol === "won" || symbol === "lost") &&
      text.startsWith(text.toLowerCase()) &&
      !/^(?:verl|gew)/.test(text) &&
      AFTER_NAME.test(sentence.slice(0, index))
    )
      symbol = symbol === "won" ? "takes" : "loses"
    // "Perdimos", "ganamos".
    if (text.endsWith("mos")) symbol = `@we ${symbol}`
    return { symbol: symbol === "we" ? "@we" : symbol, start: index, end: index + text.length }
  })
  const names = [...sentence.matchAll(NAME)]
    .filter(
      ({ 0: name, index }) =>
        !MONTH_NAME.test(name) &&
        !ARTICLE.test(sentence.slice(0, index)) &&
        !found.some(({ start, end }) => index >= start && index < end),
    )
    .map(({ 0: name, index }) => ({ symbol: `@${name.toLowerCase().replaceAll(/\s/g, "_")}`, start: index }))
  return (
    [...found, ...names]
      .toSorted((a, b) => a.start - b.start)
      .map(({ symbol }) => symbol)
      .join(" ")
      // "The deal was lost."
      .replaceAll(/\bbe (?=lost|won)/g, "@we ")
  )
}

const PARTY = String.raw`@(\S+)`
const rule = (pattern: string) =>
  new RegExp(pattern.replaceAll("P", PARTY).replaceAll("CHOOSE", "(?:choose|prefer)"), "g")

/** The first party of each match. */
const CHOSEN = [
  rule("(?<!be )CHOOSE P(?! be)"),
  rule("P be CHOOSE"),
  rule("@\\S+ @(we) (?:to )?CHOOSE"),
  rule("@\\S+ P CHOOSE$"),
  rule("for P(?: \\S+)* decide"),
  rule("decide(?: @\\S+)? for P"),
  rule("@(we) won"),
]
const REJECTED = [
  rule("(?:CHOOSE|decide)\\b.* instead P"),
  rule("instead P.* (?:CHOOSE|decide)"),
  rule("prefer (?:@\\S+ )?to P"),
  rule("against P(?: \\S+)* decide"),
  rule("decide(?: \\S+)* against P"),
  rule("@(we) (?:to )?reject(?! (?:to )?@)"),
  rule("reject (?:to )?P"),
  rule("@\\S+ (?!@we)P reject$"),
  rule("won(?: @\\S+)*? (?:against|instead) P"),
  rule("against P won"),
  rule("@(we) lost"),
  rule("P (?:to )?loses(?! (?:\\S+ )*(?:against|to) @we)"),
  rule("@(?!we\\b)(\\S+) (?:be )?(?:against|to) @we lost"),
]
/** Whom a deal was lost to. */
const TAKERS = [rule("P (?:to )?takes"), rule("lost(?: @\\S+)*? (?:to|against) P"), rule("(?:to|against) P lost")]

const TEAM = /^(?:Owner|Collaborators?): (.+)/u
/** The stage of a deal in its record. */
const STAGE = /^(?:Stage|Status): .*\b(won|lost)\b/iu

export const findChoices = (sentences: ReadonlyArray<string>): Choices => {
  const all = sentences
    .map(encodeSymbols)
    .filter((symbols) => /choose|prefer|decide|reject|lost|won|takes|loses/.test(symbols))
  const find = (rules: ReadonlyArray<RegExp>) =>
    new Set(
      all.flatMap((symbols) => rules.flatMap((each) => [...symbols.matchAll(each)].map(([, party = ""]) => party))),
    )
  const stages = new Set(sentences.map((sentence) => STAGE.exec(sentence)?.[1]?.toLowerCase()))
  const takers = find(TAKERS)
  const losers = takers.size > 0 && !takers.has("we") ? ["we"] : []
  return {
    ours: new Set(
      sentences.flatMap(
        (sentence) =>
          TEAM.exec(sentence)?.[1]
            ?.toLowerCase()
            .split(/[\s,]+/) ?? [],
      ),
    ),
    chosen: new Set([...find(CHOSEN), ...takers, ...(stages.has("won") ? ["we"] : [])]),
    rejected: new Set([...find(REJECTED), ...losers, ...(stages.has("lost") ? ["we"] : [])]),
  }
}

/** Whether the claim has nobody chosen whom the evidence has not, and nobody rejected. The evidence may leave either open. */
export const choosesAlike = (claim: Choices, { chosen, rejected, ours }: Choices): boolean => {
  // Who signs with another has not signed with us.
  const losers = chosen.size > 0 && !chosen.has("we") ? new Set([...rejected, "we"]) : rejected
  const known = (party: string) => (isAmong(party, ours) ? "we" : party)
  const taken = new Set([...claim.chosen].map(known))
  const refused = [...claim.rejected].map(known).filter((party) => party !== "we" || !taken.has("we"))
  const fits = (parties: Iterable<string>, same: ReadonlySet<string>, opposite: ReadonlySet<string>) =>
    [...parties].every((party) => isAmong(party, same) || (same.size === 0 && !isAmong(party, opposite)))
  return fits(taken, chosen, losers) && fits(refused, losers, chosen)
}

/** Whether one of the parties has a word of the party's name. */
const isAmong = (party: string, parties: ReadonlySet<string>) =>
  [...parties].some((other) => party.split("_").some((word) => other.split("_").includes(word)))

/** The words that choices imply. `choosesAlike` judges who has won. */
export const findOutcomes = ({ chosen, rejected }: Pick<Choices, "chosen" | "rejected">): ReadonlySet<string> =>
  new Set(chosen.size + rejected.size > 0 ? ["choose", "decide", "won", "lost"] : [])
