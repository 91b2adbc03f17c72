/** The headings of each topic. */
export const HEADINGS = {
  summary: /^\s*(?:executive )?summary\s*$|\b(?:at a glance|in brief|in short)\b/i,
  overview: /\b(?:overview|profile|background|who they are|about)\b/i,
  strengths:
    /\b(?:strengths?|strong|advantages?|pros|good at|do(?:es)? well|why we lose|why customers (?:choose|buy|like))\b/i,
  weaknesses:
    /\b(?:weak\w*|shortcomings?|drawbacks?|disadvantages?|downsides?|cons|gaps?|limitations?|lacks?|missing|bad at|vulnerabilit\w+|falls? short|struggles?|complaints?)\b/i,
  winning:
    /\b(?:beat|win(?:ning)?|compet(?:e|ing)|position(?:ing)?|sell(?:ing)? against|counter|differentiat\w+|landmines?|traps?|playbook|talk(?:ing)? (?:tracks?|points?)|objections?|how to (?:respond|answer|handle))\b/i,
  pricing: /\b(?:pric(?:e|es|ing)|charges?|costs?|discount(?:s|ing)?|fees?|terms|commercials?|packaging|plans)\b/i,
  reasons: /\b(?:drivers?|what decided|decision|reasons?|why)\b/i,
  lessons: /\b(?:lessons?|learn(?:ed|t|ings)|takeaways?|would have liked|do better|differently|improve\w*)\b/i,
  next: /\b(?:next steps?|recommend(?:ed|ations?)|follow[- ]?ups?|actions?|action items|to[- ]?dos?|plan)\b/i,
  rivals: /\b(?:compet(?:itors?|ition|itive)|rivals?|landscape|alternatives?|shortlist)\b/i,
  said: /\b(?:quotes?|said|words|feedback|voice)\b/i,
} satisfies Readonly<Record<string, RegExp>>

/** The topics of questions about a competitor or a deal. */
export type Topic = keyof typeof HEADINGS

/** A way to ask, and the topics that answer it, the most specific first. */
export interface TopicPattern {
  readonly question: RegExp
  readonly topics: ReadonlyArray<Topic>
}

const pattern = (question: string, ...topics: ReadonlyArray<Topic>): TopicPattern => ({
  question: new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${question})(?![\p{L}\p{N}])`, "u"),
  topics,
})

const PRICING = pattern(
  String.raw`(?:put(?:s|ting)?|push(?:es|ing)?) (?:(?:up|their|its|the|list) ){0,3}(?:pric(?:es|ing)|rates|fees)(?: up)?|(?:rais(?:e|es|ed|ing)|increas(?:e|es|ed|ing)|hik(?:e|es|ed|ing)|chang(?:e|es|ed|ing)) (?:(?:their|its|the|list) ){0,3}(?:pric(?:es|ing)|rates|fees)|(?:list )?pric(?:e|es|ing) (?:rises?|increases?|hikes?|changes?|going up|go up|went up)|price (?:notice|announcement)s?|pric(?:e|es|ed|ing)|charg(?:e|es|ing)|costs?|cheap(?:er|est)?|(?:less |more |too )?expensive|discount(?:s|ing)?|fees?|(?:contract )?terms|how much|kostet|kosten|preise?|cuesta|cuestan|cobran?|verlangt|precios?|co[uû]te|co[uû]tent|prix|tarifs?`,
  "pricing",
)

/** "What do I say if they bring up …?" */
const ADVICE = String.raw`what (?:do|should|can|could|would) (?:i|we|you) (?:say|answer|reply|respond|tell \p{L}+)(?: (?:if|when) (?:\p{L}+ )?\p{L}+ (?:brings?|mentions?|names?|raises?|asks?|asked)(?: (?:up|about))?)?`

export const TOPIC_PATTERNS: Readonly<Record<"competitor" | "deal", ReadonlyArray<TopicPattern>>> = {
  competitor: [
    PRICING,
    // Their weaknesses say where we are better.
    pattern("we (?:do |are |really |actually )*better(?: (?:at|than))?", "weaknesses", "winning"),
    pattern(
      String.raw`strengths?|strong(?: points?)?|advantages?|pros|good at|best at|better (?:at|than (?:us|we|ours?))|beats? us|(?<=\|\s?)do(?:es)? better|st(?:ä|ae)rken?|vorteile?|points? forts?|atouts?|avantages?|fortalezas?|puntos? fuertes?|ventajas?|do(?:es)? well|doing well|why (?:do|would|did) \p{L}+ (?:choose|buy|prefer|pick|like|go with)`,
      "strengths",
    ),
    pattern("compar(?:e|es|ed|ing|ison)|stacks? up|measures? up|differs?|differences?", "strengths", "weaknesses"),
    pattern(
      String.raw`(?:do(?:es)?n't[\s|]*(?:have|offer|support|include|provide)|not (?:have|offer|support|include|provide)|can[\s|]+not (?:do|handle)|can(?:'t|not)[\s|]+(?:do|handle))|schw(?:ä|ae)che\p{L}*|schwachstellen?|schwach|nachteile?|(?:points? )?faibles?|faiblesses?|inconv[ée]nients?|debilidad(?:es)?|(?:puntos? )?d[ée]bil(?:es)?|desventajas?|weak(?:ness(?:es)?| points?| spots?)?|soft spots?|sore spots?|blind spots?|achilles heel|weaker|shortcomings?|drawbacks?|disadvantages?|downsides?|cons|gaps?|limitations?|lacks?|lacking|missing|bad at|vulnerabilit\p{L}+|falls? short|struggles?`,
      "weaknesses",
    ),
    pattern(
      String.raw`${ADVICE}|beat(?:ing)?|win(?:ning)?|compet(?:e|es|ing)|position(?:ing)?|sell(?:ing)? against|outsell|counter|defeat|displace|differentiat\p{L}+|objections?|lead with|talk(?:ing)? (?:tracks?|points?)|landmines?|traps?|playbooks?|kill points?|(?:answer|respond|reply|handle|react)(?: to)?`,
      "winning",
      "weaknesses",
    ),
  ],
  deal: [
    pattern("lessons?|learn(?:ed|t)?|takeaways?|(?:do |done )?differently|do better|improve", "lessons"),
    pattern("next steps?|next|recommend(?:ed|ations?)?|follow[- ]?ups?|action items?|to[- ]dos?|plan", "next"),
    pattern(
      "compet(?:e|ed|ing|itors?|ition|itive)|rivals?|landscape|up against|alternatives?|vendors?|shortlist(?:ed)?",
      "rivals",
    ),
    pattern(
      String.raw`told us|(?<=\|\s?)tells? us|(?:key )?quotes?|said|say|saying|(?:own )?words|feedback|want(?:s|ed)?|think|thinks|thought`,
      "said",
    ),
    pattern(
      "why|how come|explain(?:s|ed)?|choice|chose|rationale|justif(?:y|ied|ication)|reasons?|(?:decision )?drivers?|decid(?:e|ed|ing)|decisions?|decisive",
      "reasons",
      "summary",
      "lessons",
    ),
    PRICING,
  ],
}

/** Requests for a brief, in the four languages. They ask for one even beside a topic: "a rundown of Orvanta: record, price". */
const BRIEFLY = [
  String.raw`brief(?:s|ed|ing)?|run(?:ning)?[- ]?downs?|prep(?:are|aration|ping)?|overview|profile|(?<!according to (?:the|our|their) )battle ?cards?(?! (?:say|says|said|mention|mentions|claim|claims)(?!\p{L}))`,
  String.raw`what(?:'s| is) (?:their|its|the) deal(?=[\s|?.!]*$)|dossier|one[- ]pager|(?:fact|cheat) ?sheet|snapshot|low-?down|tl;?dr|in a nutshell|at a glance|deep dive|(?:key |quick )?facts|highlights|bullet points?|state of play|one paragraph|intro(?:duction)?|(?:quick )?primer|cheat codes?|(?:360|full|whole)(?: ?degrees?)?(?: view| picture| story)|360`,
  String.raw`(?:catch|fill|get|bring) (?:me|us) (?:up(?: to (?:speed|date))?|in|ready)|up to (?:speed|date)|(?:walk|talk|take|run) (?:me|us) through`,
  "steckbrief|profil|überblick|übersicht|vorbereit(?:en|ung)|bereite|kurzprofil",
  "ficha|perfil|prep[aá]rame|preparar|prepara|panorama|ponme al d[ií]a",
  "fiche|profil|pr[ée]pare[rz]?(?:-moi|-nous)?|aper[çc]u|synth[èe]se|(?:faire|fais|faites)(?:-moi|-nous)? (?:un|le) point|point(?! (?:faible|fort)s?)",
].join("|")

const WHOLLY = [
  BRIEFLY,
  "(?:battle ?cards?|documents?|docs|cards?|materials?)(?= (?:say|says|said|mention|mentions|claim|claims)(?!\\p{L}))",
  String.raw`(?:about|going|have|need|before (?:i|we)(?: get| go)?)(?: to)? (?:call|meet|visit|see|pitch|talk|speak|ring|phone)(?: (?:to|with))?|pitch(?:ing)?(?: to)?|(?:calling|meeting|visiting|seeing)(?: with)?|what (?:do|should|must) (?:i|we) (?:need to |have to )?(?:know|have in my head)`,
  String.raw`tell|summar(?:y|ies|i[sz]e|i[sz]ed)|recap|describe|know|happened|happening|became of|become of|going on|went|story|stands?|status|updates?|situation|history|relationship|details?|info(?:rmation)?|introduce|news?|latest|(?:what(?:'s|s| is) )?(?:up|new) with|what(?:'s|s| is) (?:up|new|going on)|up against|background|everything|all about|intel(?:ligence)?`,
  "infos?|(?:sollte|muss) (?:ich|man)|hintergrund|weiß man|erzähl(?:e|en)?|berichte[n]?|zusammenfass(?:ung|en)|fass(?:e|en)?|wissen|stand|lage|steht",
  "sabemos|antecedentes|resumen|res[uú]me(?:me|lo)?|cu[eé]nta(?:me|nos)|h[aá]bla(?:me|nos)|informe|situaci[oó]n|historia|descr[ií]be(?:me|nos)?",
  "savons-nous|sait-on|r[ée]sum(?:[ée]|er|ez)|parle[rz]?(?:-moi|-nous)?|dis-moi|pr[ée]sente[rz]?(?:-moi|-nous)?|bilan|contexte|where (?:are|do) we(?: stand)?|o[uù] en (?:est|sommes)(?:-nous|-on)?",
  String.raw`(?<=^[\s|]*)(?:who|what|wer|was|qui[eé]n|qui|qu[ée])(?: is|'s| are| ist| sind| es| son| est| sont)?(?=[\s|¿?.!]*$)`,
].join("|")

/** Asks about the subject as a whole. A narrower pattern takes precedence. */
export const WHOLE: Readonly<Record<"competitor" | "deal", TopicPattern>> = {
  competitor: pattern(WHOLLY, "summary", "overview", "strengths", "weaknesses", "pricing", "winning"),
  deal: pattern(WHOLLY, "summary", "reasons", "lessons", "overview"),
}

/** Asks for a brief whatever else it names: the numbers about the subject, and what the texts say. */
export const BRIEF = new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${BRIEFLY})(?![\p{L}\p{N}])`, "u")

/** The topics of the texts of a brief. */
export const BRIEF_TOPICS = {
  competitor: ["pricing", "strengths", "weaknesses", "winning"],
  deal: ["summary", "reasons", "next", "lessons", "overview"],
} as const satisfies Readonly<Record<"competitor" | "deal", ReadonlyArray<Topic>>>

/** A fact of a competitor that stands under no heading of its own: the words that ask for it, and those of the sentences that state it. */
export interface Fact {
  readonly question: RegExp
  readonly statement: RegExp
}

const fact = (question: string, statement: string): Fact => ({
  question: pattern(question).question,
  statement: new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${statement})`, "iu"),
})

const STANDARDS = ["soc[- ]?1", "soc[- ]?2", "iso[- ]?27001", "iso[- ]?9001", "hipaa", "gdpr", "fedramp", "pci"]
const CERTIFIED = "certif|accredit|complian"

/** A price that changes. */
export const PRICE_CHANGE = fact(
  String.raw`(?:rais(?:e|es|ed|ing)|increas(?:e|es|ed|ing)|hik(?:e|es|ed|ing)|chang(?:e|es|ed|ing)|put(?:s|ting)? up) (?:(?:their|its|the|list) ){0,3}(?:pric(?:es?|ing)|rates|fees)|(?:list )?pric(?:es?|ing)(?: of)?[\s|]+(?:rises?|increases?|hikes?|changes?|going up|go up|went up)`,
  "ris(?:es?|ing)|rose|rais|increas|hik|go(?:es)? up|going up|went up|chang",
)

export const FACTS: ReadonlyArray<Fact> = [
  ...STANDARDS.map((each) => fact(each, each)),
  fact(String.raw`(?:security )?(?:certif|accredit|complian)\p{L}*`, [CERTIFIED, ...STANDARDS].join("|")),
  PRICE_CHANGE,
]

/** Words that add nothing to the topics of a question. */
const FILLERS: ReadonlyArray<string> =
  `a an the me us i we you our ours your their its it's it them they he she is are was were be been being do does can could should
  would will may might shall how what what's where when if who this that these those against versus vs to of on in at with for from
  about and or but also monday tuesday wednesday thursday friday saturday sunday morning afternoon noon tonight i'm we're am pm d' l'
  head mind ready myself ourselves please give gives show us more most main biggest key top some any there best way ways thing things so say
  says claim claims tells argue argues buyer buyers customer customers prospect prospects client clients competitor company account
  let let's like than they're quick short want need points point over come comes up
  according battlecard
  minutes minute min mins hour hours soon one page single on sheet something anything everything ceo cfo cto cio vp head director
  have has had got pls plz please thx thanks thank cheers kindly by
  qbr qbrs review demo pitch lunch dinner visit presentation session workshop negotiation negotiations steering committee
  paragraph sentences words bullets help before after going business dealings dealing open opportunities
  hear raise my call meeting upcoming tomorrow today next week record track quickly full complete whole current currently situation
  i'm we're i've going need someone somebody before into numbers figures up far
  kannst können könntest könnten mache mach machen gebe
  puedes podrías podrias peux pouvez
  mir uns mich von vom über zu zum zur auf für den die der das dem ein eine einen kurz kurzen kurze bitte was wir ist sind um es mit gib gespräch termin treffen etwas mal doch alles arbeitsplatz platz monat pro im viel
  morgen heute vor wie ab zusammen alles kunde kunden wettbewerber konto
  sobre de del la el los las un una me nos que qué para mi reunión llamada con todo cliente competidor breve dame hazme haz por favor
  le les des du une moi nous sur pour avec mon ma rendez-vous réunion appel donne donne-moi fais fais-moi faites-moi faire client
  concurrent tout court en à au und oder welche welcher welches sie et quel quelle quels quelles est sont utilisateur poste siège mois
  y cuánto cuanto cuál cual cuáles cuales es son su sus tiene tienen usuario puesto mes nutzer benutzer lizenz`.split(
    /\s+/,
  )

/** Words that select deals by their outcome, and so name no topic. */
const OF_DEALS =
  "behind pick picked picks choose chose chosen choosing over instead prefer preferred ahead us with sign signed go gone went did deal deals opportunity opportunities lose lost losing loss won win winning have had go through all"

export const FILLER_WORDS: Readonly<Record<"competitor" | "deal", ReadonlySet<string>>> = {
  competitor: new Set(FILLERS),
  deal: new Set([...FILLERS, ...OF_DEALS.split(" ")]),
}
