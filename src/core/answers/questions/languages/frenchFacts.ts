import { MONTH, MONTHS } from "./months.ts"

const MONTH_NAMES: ReadonlyArray<string> = [
  "janvier|janv",
  "f[eé]vrier|f[eé]v",
  "mars",
  "avril|avr",
  "mai",
  "juin",
  "juillet|juil",
  "ao[uû]t",
  "septembre|sept",
  "octobre|oct",
  "novembre|nov",
  "d[eé]cembre|d[eé]c",
]
const LEAD = "(?:(?:au cours|lors|pendant|durant|dans|sur|en|au|aux|de|du|des|à|a|pour|les|le|la|ces|nos) )*"
const LAST = "(?:derni[eè]re?s?|pr[eé]c[eé]dente?s?|pass[eé]e?s?|[eé]coul[eé]e?s?)"
const FISCAL = "(?:exercice(?: fiscal| comptable)?|ann[eé]e fiscale|fy)"
const SAME =
  "(?:(?:à|a|la|le|au|avec|sur|que|du|de) )*(?:m[eê]me (?:p[eé]riode|trimestre|mois|moment|date)(?: (?:de|en))?)"
const VERSUS =
  "(?:(?:par rapport|compar[eé]e?s?|vs\\.?|versus|contre|face|que|compar[eé]) )?(?:(?:à|a|au|aux|avec|en|sur|sous|la|le|de|ce que) )*"
const ORDINALS = [
  "premier|1er",
  "deuxi[eè]me|second|2(?:e|[eè]me|nd)",
  "troisi[eè]me|3(?:e|[eè]me)",
  "quatri[eè]me|4(?:e|[eè]me)",
]

/** French numbers, days, periods and amounts, and names that workspaces have in English. */
export const FRENCH_FACTS: ReadonlyArray<readonly [pattern: string, english: string]> = [
  // Numbers.
  ["deux", "2"],
  ["trois", "3"],
  ["quatre", "4"],
  ["cinq", "5"],
  ["six", "6"],
  ["(?<!\\d|er) ?sept(?!\\.| 20)", " 7"],
  ["huit", "8"],
  ["neuf", "9"],
  ["dix", "10"],
  ["douze", "12"],
  ["quatre[- ]vingt[- ]dix", "90"],
  ["vingt", "20"],
  ["trente", "30"],
  ["soixante", "60"],
  [String.raw`(\d+) ?(?:k ?€|keur|mille)`, "$1k"],
  [String.raw`(\d+(?:[.,]\d+)?) ?(?:m€|millions?)`, "$1m"],
  [String.raw`(?:sous|en dessous de|inf[eé]rieure?s? [aà])(?: les| la barre des)?(?= \d)`, "under"],
  [String.raw`\+ de(?= \d)`, "over"],
  [String.raw`- de(?= \d)`, "under"],
  [String.raw`(?:au[- ]dessus de|au[- ]del[aà] de|sup[eé]rieure?s? [aà])(?: les| la barre des)?(?= \d)`, "over"],
  [
    String.raw`(?:(?:depuis|[aâ]g[eé]e?s?|vieux|vieilles|de|à|a|qui ont|ayant|ouverte?s? depuis) )*(?:plus de|plus vieux que|plus vieilles que|plus anciennes? que|au[- ]del[aà] de|>) ?(\d+) (?:jours|j)(?: au compteur| d.anciennet[eé]| d.[aâ]ge)?`,
    "older than $1 days",
  ],

  // Days, but for "24/7".
  ...MONTHS.map(
    (english, index) =>
      [
        String.raw`(?<![\d/])(?!24/7(?!\d))(\d{1,2})/0?${index + 1}(?:/(20\d\d))?(?![\d/])`,
        `$1 ${english} $2`,
      ] as const,
  ),
  ...MONTHS.map((english, index) => [String.raw`(?<=\d|1er) (?:${MONTH_NAMES[index]!})\.?`, ` ${english}`] as const),
  ...MONTHS.map((english, index) => [MONTH_NAMES[index]!, english] as const),
  [String.raw`1er(?= (?:${MONTH}))`, "1"],
  [
    String.raw`(?:p[eé]riode )?(?:entre le|entre|du|de le|le)? ?(\d{1,2}(?:er)?)( (?:${MONTH})(?: 20\d\d)?) ?(?:au|et le|et|jusqu.au|-|–) (\d{1,2})( (?:${MONTH})(?: 20\d\d)?)`,
    " from $1$2 to $3$4",
  ],
  [String.raw`(?:depuis|[aà] partir)(?: du| de le| le)?(?= \d{1,2} (?:${MONTH}))`, "since"],
  [String.raw`(?:depuis|[aà] partir de)(?: le mois de| d[eé]but| le d[eé]but de)? (${MONTH})`, "since $1"],

  // Periods.
  [
    String.raw`${VERSUS}${SAME}? ?(?:le |la |l.|de )*(?:an|ann[eé]e) (?:d.avant|derni[eè]re?|pass[eé]e?|pr[eé]c[eé]dente?)(?<=m[eê]me.*)`,
    "compared to the same period last year",
  ],
  [
    String.raw`${VERSUS}(?:(?:un an|une ann[eé]e) (?:plus t[oô]t|avant|auparavant)|(?:n|année n) ?- ?1|de avant il y a un an)`,
    "compared to the same period last year",
  ],
  [
    String.raw`${VERSUS}(?:p[eé]riode (?:pr[eé]c[eé]dente|d.avant|de avant|juste avant)|pr[eé]c[eé]dente p[eé]riode)`,
    "compared to the previous period",
  ],
  [
    String.raw`${LEAD}(?:(?:premier|1er) semestre|s1|premi[eè]re moiti[eé])(?: fiscal)?(?: (?:de|du|sur)? ?(?:le )?(?:cette ann[eé]e(?: fiscale)?|cet exercice|ann[eé]e(?: fiscale)?(?: en cours)?|exercice(?: en cours)?))?(?! ?['’]?\d)`,
    "in H1",
  ],
  [
    String.raw`${LEAD}(?:(?:deuxi[eè]me|second|2e|2[eè]me|2nd) semestre|s2)(?: fiscal)?(?: (?:de|du|sur)? ?(?:le )?(?:cette ann[eé]e(?: fiscale)?|cet exercice|ann[eé]e(?: fiscale)?(?: en cours)?|exercice(?: en cours)?))?(?! ?['’]?\d)`,
    "in H2",
  ],
  [String.raw`${LEAD}(\d+) (?:${LAST} )?jours(?: (?:${LAST}|glissants))`, "in the last $1 days"],
  [String.raw`sur (\d+) jours`, "in the last $1 days"],
  [String.raw`sur (\d+) mois`, "in the last $1 months"],
  [String.raw`${LEAD}(?:(\d+) ${LAST} (?:jours|j))`, "in the last $1 days"],
  [String.raw`${LEAD}${LAST} (\d+) (?:jours|j)`, "in the last $1 days"],
  [
    String.raw`${LEAD}(?:(\d+) ${LAST} mois|${LAST} (\d+) mois|(\d+) mois (?:${LAST}|glissants))`,
    "in the last $1$2$3 months",
  ],
  [String.raw`${LEAD}(?:(\d+) ${LAST} trimestres|${LAST} (\d+) trimestres)`, "in the last $1$2 quarters"],
  [String.raw`${LEAD}(?:(\d+) ${LAST} semaines|${LAST} (\d+) semaines)`, "in the last $1$2 weeks"],
  [String.raw`${LEAD}(?:trimestre ${LAST}|dernier trimestre|t ?- ?1)`, "last quarter"],
  [String.raw`${LEAD}(?:(?:ann[eé]e|an|exercice) ${LAST}|derni[eè]re ann[eé]e|dernier exercice)`, "last year"],
  [String.raw`${LEAD}(?:mois ${LAST}|dernier mois)`, "last month"],
  [String.raw`${LEAD}(?:ce trimestre(?:[- ]ci)?|trimestre en cours)`, "this quarter"],
  [
    String.raw`(?:depuis (?:le )?(?:d[eé]but (?:de |d.)?(?:le |l.)?(?:ann[eé]e|an|exercice)|janvier de cette ann[eé]e)|${LEAD}(?:cette ann[eé]e|ann[eé]e en cours|exercice en cours)|ytd)(?: jusqu.ici)?`,
    "this year",
  ],
  [String.raw`${LEAD}(?:ce mois(?:[- ]ci)?|mois en cours)`, "this month"],
  [String.raw`du (mois|trimestre)(?! (?:dernier|derni|pr[eé]c|prochain|pass|de|en|d))`, "this $1"],
  [String.raw`${LEAD}(?:mois prochain|prochain mois)`, "next month"],
  [String.raw`${LEAD}(?:trimestre prochain|prochain trimestre)`, "next quarter"],
  [String.raw`${LEAD}${FISCAL} ?['’]?(20\d\d|\d\d)`, "in fiscal year $1"],
  ...ORDINALS.map(
    (ordinal, index) =>
      [
        String.raw`${LEAD}(?:(?:${ordinal}) trimestre|t${index + 1}|q${index + 1})(?: (?:de|du|de le))?(?: ${FISCAL})? ?[/-]? ?(20\d\d)`,
        `in Q${index + 1} $1`,
      ] as const,
  ),
  ...ORDINALS.map(
    (ordinal, index) => [String.raw`${LEAD}(?:(?:${ordinal}) trimestre|t${index + 1})`, `in Q${index + 1}`] as const,
  ),

  // Names.
  [
    "(?:le |la |les )?(?:royaume[- ]uni|grande[- ]bretagne|uk)(?: et (?:en |de |le |la |l.)*| ?/ ?| & )irlande",
    "UK and Ireland",
  ],
  ["europe de le sud|europe du sud", "Southern Europe"],
  ["am[eé]rique du nord|am[eé]rique de le nord", "North America"],
  ["asie[- ]pacifique", "APAC"],
  ["pays nordiques|nordiques?", "Nordics"],
  ["(?:le )?[eé]nergie", "Energy"],
  ["[eé]ducation|enseignement", "Education"],
  ["sant[eé]", "Healthcare"],
  ["logistique", "Logistics"],
  ["(?:industrie )?manufacturi[eè]re?", "Manufacturing"],
  ["commerce de d[eé]tail|distribution de d[eé]tail", "Retail"],
  ["(?:le )?h[oô]tellerie(?:[- ]restauration)?", "Hospitality"],
  ["services financiers", "Financial services"],
  ["nouvelles? affaires?|nouveau business|new biz", "New business"],
  ["n[eé]gociations?|n[eé]go", "Negotiation"],
  ["(?:(?:au |en )?(?:stade|phase|[eé]tape) (?:de )?(?:la |le )?)(?:proposition|propale)", "in Proposal"],
  ["(?:(?:au |en )?(?:stade|phase|[eé]tape) (?:de )?(?:la |le )?)[eé]valuation", "in Evaluation"],
  // The usual sources of deals.
  ["(?:(?:un|le|de) )*[eé]v[eéè]nements?", "Event"],
  ["partenaires?", "Partner"],
  ["prospection sortante", "Outbound"],
]
