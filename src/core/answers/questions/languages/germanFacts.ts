import { MONTH, MONTHS } from "./months.ts"

const GERMAN_MONTH =
  "januar|jänner|februar|feber|märz|maerz|april|mai|juni|juli|august|september|oktober|november|dezember|jan|feb|mär|apr|jun|jul|aug|sept?|okt|nov|dez"
const LAST = "(?:letzte|vergangene|zurückliegende|zurueckliegende|vorige|vorherige|abgelaufene)[nrsm]?"
const THIS = "(?:diese[rsnm]?|laufende[rsnm]?|aktuelle[rsnm]?)"
const NEXT = "(?:nächste|naechste|kommende|folgende)[nrsm]?"
const FISCAL = "(?:geschäftsjahr(?:e?s)?|geschaeftsjahr(?:e?s)?|fiskaljahr(?:e?s)?|wirtschaftsjahr(?:e?s)?|gj|fy)"
const VERSUS =
  "(?:(?:gegenüber|gegenueber|ggü\\.?|im vergleich zum?r?|verglichen mit|versus|vs\\.?|als|zum|zur|gegen) )"
const ORDINALS = ["erste", "zweite", "dritte", "vierte"]
/** Words before a period that say no more than it does. */
const LEAD =
  "(?:(?:in|im|innerhalb|während|waehrend|aus|vom|von|für|fuer|über|ueber|der|den|die|das|des|dem|jeweils) )*"

/** Replacements of parts of German words: the dot of an ordinal, and compounds that begin with a name. */
export const GERMAN_ELISIONS: ReadonlyArray<readonly [pattern: string, english: string]> = [
  [String.raw`-(?=(?:deals?|kunden|pipeline|geschäfte?|aufträge)(?!\p{L}))`, " "],
  [String.raw`(?<![\d.,])([0-3]?\d)\. ?(?=(?:${GERMAN_MONTH})(?!\p{L}))`, "$1 "],
  [
    String.raw`(?<!\p{L})(energie|bildungs|logistik|erweiterungs|gesundheits|fertigungs|einzelhandels)(?=kunden|deals|unternehmen|aufträge|geschäfte)`,
    "$1 ",
  ],
]

/** German numbers, days, periods and amounts, and names that workspaces have in English. */
export const GERMAN_FACTS: ReadonlyArray<readonly [pattern: string, english: string]> = [
  // Numbers.
  ["zwei", "2"],
  ["drei", "3"],
  ["vier", "4"],
  ["fünf|fuenf", "5"],
  ["sechs", "6"],
  ["sieben", "7"],
  ["acht", "8"],
  ["neun", "9"],
  ["zehn", "10"],
  ["zwölf|zwoelf", "12"],
  ["zwanzig", "20"],
  ["drei(?:ß|ss)ig", "30"],
  ["sechzig", "60"],
  ["neunzig", "90"],
  ["zehntausend", "10k"],
  ["zwanzigtausend", "20k"],
  ["f(?:ü|ue)nfzigtausend", "50k"],
  ["hunderttausend", "100k"],
  ["(?:ein(?:er?)? |ne |'ne )?viertelmillion", "250k"],
  [String.raw`erste[nrs]?(?= (?:${GERMAN_MONTH}))`, "1"],
  [String.raw`fünfzehnte[nrs]?(?= (?:${GERMAN_MONTH}))`, "15"],
  [String.raw`(\d+) ?(?:tsd\.?|teur|t€|tausend(?:er)?|mille)`, "$1k"],
  [String.raw`(\d+(?:[.,]\d+)?) ?(?:mio\.?|millionen|million)`, "$1m"],

  // Days: "1. September", "1.9.", "01.09.2026".
  ...MONTHS.map(
    (month, index) =>
      [
        String.raw`(?<!\d|\d[.,])([0-3]?\d)\. ?0?${index + 1}\.(?: ?(20\d\d)(?!\d)|(?![\d]))`,
        `$1 ${month} $2`,
      ] as const,
  ),
  ["jänner|januar", "january"],
  ["februar|feber", "february"],
  ["märz|maerz", "march"],
  ["mai", "may"],
  ["juni", "june"],
  ["juli", "july"],
  ["oktober|okt", "october"],
  ["dezember|dez", "december"],
  [
    String.raw`(?:zeitraum )?(?:vom|zwischen(?: dem)?|von|ab|zeitraum)?(?: |^)?(\d{1,2} \p{L}+)((?: 20\d\d)?) *(?:bis(?: zum)?|und(?: dem)?|[-–]) *(\d{1,2} (?:${MONTH})(?: 20\d\d)?)`,
    " from $1$2 to $3",
  ],
  [String.raw`(?:seit|ab)(?: dem)?(?= \d{1,2} (?:${MONTH}))`, "since"],
  [String.raw`(?:seit|ab)(?= (?:anfang )?(?:${MONTH}))(?: anfang)?`, "since"],
  [String.raw`(?:im|vom|aus dem|des) (${MONTH})`, "in $1"],

  // Periods.
  [
    String.raw`${VERSUS}?(?:im |dem |der |den |zum )?(?:(?:gleiche[nrs]?|selbe[nrs]?|entsprechende[nrs]?|dasselbe|derselbe) (?:zeitraum|quartal|monat|zeit)s? (?:im|des|vom) (?:vorjahre?s?|${LAST} jahre?s?)|vorjahres(?:zeitraum|quartal|monat|wert|periode)s?|jahr davor|jahr zuvor)`,
    "compared to the same period last year",
  ],
  [String.raw`${VERSUS}(?:in |im )?(?:dem |der |den )?vorjahre?s?`, "compared to the same period last year"],
  [
    String.raw`${VERSUS}?(?:in |im )?(?:dem |der |den )?(?:vorperiode|vorzeitraum|vorperioden|(?:periode|zeitraum) (?:davor|zuvor)|(?:vorige|vorherige|vorangegangene)[nrsm]? (?:periode|zeitraum))`,
    "compared to the previous period",
  ],
  [
    String.raw`${LEAD}(?:(?:1\.|erste[nrsm]?) (?:geschäfts|fiscal-?)?(?:halbjahre?s?|jahreshälfte|hälfte)|hj ?1)(?: (?:des|dieses|von diesem|vom|im)(?: ${THIS})? ?(?:geschäfts|geschaefts)?jahre?s?)?`,
    "in H1",
  ],
  [
    String.raw`${LEAD}(?:(?:2\.|zweite[nrsm]?) (?:geschäfts|fiscal-?)?(?:halbjahre?s?|jahreshälfte|hälfte)|hj ?2)(?: (?:des|dieses|von diesem|vom|im)(?: ${THIS})? ?(?:geschäfts|geschaefts)?jahre?s?)?`,
    "in H2",
  ],
  [String.raw`${LEAD}${LAST} (\d+) tagen?|(\d+) tage zurück`, "in the last $1 days"],
  [String.raw`${LEAD}${LAST} (\d+) wochen?`, "in the last $1 weeks"],
  [String.raw`${LEAD}${LAST} (\d+) monaten?`, "in the last $1 months"],
  [String.raw`${LEAD}${LAST} (\d+) quartalen?`, "in the last $1 quarters"],
  [String.raw`${LEAD}${LAST} (\d+) jahren?`, "in the last $1 years"],
  [String.raw`${LEAD}(?:${LAST} (?:geschäfts)?quartale?s?|vorquartale?s?)`, "last quarter"],
  [String.raw`${LEAD}${LAST} (?:geschäfts|geschaefts)?jahre?s?`, "last year"],
  [String.raw`${LEAD}vorjahre?s?`, "last year"],
  [String.raw`${LEAD}(?:${LAST} monate?s?|vormonate?s?)`, "last month"],
  [String.raw`${LEAD}(?:${LAST} woche|vorwoche)`, "last week"],
  [String.raw`${LEAD}${THIS} (?:geschäfts)?quartale?s?`, "this quarter"],
  [
    String.raw`(?:seit (?:jahresbeginn|jahresanfang|anfang des jahres|beginn des jahres)|${LEAD}${THIS} (?:geschäfts|geschaefts)?jahre?s?|heuer|ytd)(?: bisher| bis (?:heute|jetzt))?`,
    "this year",
  ],
  [String.raw`${LEAD}${THIS} monate?s?`, "this month"],
  [String.raw`${LEAD}(?:${NEXT} quartale?s?|folgequartale?s?)`, "next quarter"],
  [String.raw`${LEAD}(?:${NEXT} monate?s?|folgemonate?s?)`, "next month"],
  [String.raw`${LEAD}${NEXT} jahre?s?`, "next year"],
  [String.raw`${LEAD}${FISCAL} ?['’]?(20\d\d|\d\d)`, "in fiscal year $1"],
  ...ORDINALS.map(
    (ordinal, index) =>
      [
        String.raw`${LEAD}(?:(?:${index + 1}\.|${ordinal}[nrsm]?) (?:geschäfts|fiskal)?quartale?s?|q${index + 1})(?:(?: (?:im|des|vom|von))? ${FISCAL})? ?[/-]? ?(20\d\d)`,
        `in Q${index + 1} $1`,
      ] as const,
  ),
  ...ORDINALS.map(
    (ordinal, index) =>
      [
        String.raw`${LEAD}(?:${index + 1}\.|${ordinal}[nrsm]?) (?:geschäfts|fiskal)?quartale?s?`,
        `in Q${index + 1}`,
      ] as const,
  ),
  [String.raw`(?:die )?(?:älter|aelter) als (\d+) tagen?`, "older than $1 days"],
  [String.raw`(?:seit |schon )*(?:mehr als|über|ueber|länger als) (\d+) tagen? (?:alt|offen)`, "older than $1 days"],

  // Names.
  ["(?:uk|großbritannien|grossbritannien|vereinigte[sn]? königreich)(?:/| und | & |-)irland", "UK and Ireland"],
  ["südeuropas?|suedeuropas?", "Southern Europe"],
  ["nordamerikas?", "North America"],
  ["asien[- ]pazifik", "APAC"],
  ["(?:den |die )?nordische[nr]? länder[n]?|nordics-region", "Nordics"],
  ["energie(?:[- ]?(?:branche|sektor|bereich|wirtschaft|industrie))?", "Energy"],
  ["bildungs?(?:branche|sektor|bereich|wesen)?", "Education"],
  ["gesundheits(?:wesens?|branche|sektor|bereich)?|healthcare-(?:bereich|sektor|branche)", "Healthcare"],
  [
    "(?:fertigungs?(?:industrie|branche|unternehmen)?|(?:produzierende|verarbeitende)[nsm]? gewerbes?)",
    "Manufacturing",
  ],
  ["logistik(?:[- ]?(?:branche|sektor|bereich))?", "Logistics"],
  ["einzelhandels?", "Retail"],
  ["hotellerie|gastgewerbe|hotel(?:branche|sektor)", "Hospitality"],
  ["finanz(?:dienstleist(?:er|ern|ungen|ungssektor|ungsbranche)|branche|sektor)", "Financial services"],
  ["neugeschäfts?|neugeschaefts?", "New business"],
  ["erweiterung(?:en|s)?", "expansions"],
  ["(?:evaluations|bewertungs)(?:phase|stufe)|evaluierung(?:sphase)?", "Evaluation"],
  ["angebotsphase|angebotsstufe", "Proposal"],
  ["verlängerung(?:en)?|verlaengerung(?:en)?|vertragsverlängerung(?:en)?", "renewals"],
  ["verhandlung(?:sphase)?", "Negotiation"],
  // The usual sources of deals.
  ["veranstaltungen|veranstaltung|events?", "Event"],
  ["partnern?", "Partner"],
  ["kaltakquise", "Outbound"],
]
