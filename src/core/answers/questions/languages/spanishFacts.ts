import { MONTH, MONTHS } from "./months.ts"

const MONTH_NAMES: ReadonlyArray<string> = [
  "enero",
  "febrero",
  "marzo",
  "abril",
  "mayo",
  "junio",
  "julio",
  "agosto",
  "septiembre|setiembre|sept",
  "octubre",
  "noviembre",
  "diciembre",
]
const LEAD = "(?:(?:en|durante|de|del|a|al|para|sobre|el|la|los|las|lo|estos|nuestros) )*"
const LAST = "(?:[uú]ltim[oa]s?|pasad[oa]s?|anterior(?:es)?|previ[oa]s?)"
const THIS = "(?:este|esta|actual|corriente)"
const FISCAL = "(?:a[ñn]o fiscal|ejercicio(?: fiscal)?|ejercicio contable|fy)"
const VERSUS =
  "(?:(?:en comparaci[oó]n|comparad[oa]s?|compara|frente|contra|vs\\.?|versus|respecto|que|y) )?(?:(?:con|a|al|de|del|en|el|la|lo de) )*"
const ORDINALS = ["primer|1er|1[oº]?", "segundo|2do|2[oº]?", "tercer|3er|3[oº]?", "cuarto|4to|4[oº]?"]

/** Spanish numbers, days, periods and amounts, and names that workspaces have in English. */
export const SPANISH_FACTS: ReadonlyArray<readonly [pattern: string, english: string]> = [
  // Numbers.
  ["dos", "2"],
  ["tres", "3"],
  ["cuatro", "4"],
  ["cinco", "5"],
  ["seis", "6"],
  ["siete", "7"],
  ["ocho", "8"],
  ["nueve", "9"],
  ["diez", "10"],
  ["doce", "12"],
  ["veinte", "20"],
  ["treinta", "30"],
  ["sesenta", "60"],
  ["noventa", "90"],
  [String.raw`(?<!\d)(\d{1,3})\.(\d{3})(?!\d)`, "$1,$2"],
  [String.raw`(?<!\d[.,]?)(\d{1,3}) ?mil`, "$1k"],
  [String.raw`(\d+) ?k ?€`, "$1k"],
  [String.raw`(\d+(?:[.,]\d+)?) ?(?:m€|millones|mill[oó]n)`, "$1m"],
  [
    String.raw`(?:(?:con|de|desde hace|llevan|que llevan|antig[uü]edad|con antig[uü]edad) )*(?:de )?(?:m[aá]s de|mayor(?:es)? (?:a|de|que)|superior(?:es)? a|m[aá]s viej[oa]s de|m[aá]s antigu[oa]s (?:que|de)) (\d+) d[ií]as(?: de (?:antig[uü]edad|vida|abiertas?))?`,
    "older than $1 days",
  ],
  [String.raw`(?:(?:arriba|encima|por arriba|por encima) de|sobre)(?: los| las)?(?= \d)`, "over"],
  [
    String.raw`(?:(?:abajo|debajo|por abajo|por debajo) de|bajo)(?: los| las)?(?= \d)|(?:menor|inferior)(?:es)? a(?= \d)`,
    "under",
  ],

  // Days, but for "24/7".
  ...MONTHS.map(
    (english, index) =>
      [
        String.raw`(?<![\d/])(?!24/7(?!\d))(\d{1,2})/0?${index + 1}(?:/(20\d\d))?(?![\d/])`,
        `$1 ${english} $2`,
      ] as const,
  ),
  ...MONTHS.map((english, index) => [MONTH_NAMES[index]!, english] as const),
  [String.raw`(?:1[oº°]|primero|1ro)(?= de (?:${MONTH}))`, "1"],
  [String.raw`(\d{1,2}) de (${MONTH})(?: (?:de|del) (20\d\d))?`, "$1 $2 $3"],
  [
    String.raw`(?:per[ií]odo )?(?:entre el|entre|desde el|del|de|el)? ?(\d{1,2}) (${MONTH}) ?(20\d\d)? ?(?:al|y el|y|hasta el|hasta|a|-|–) (\d{1,2}) (${MONTH}) ?(20\d\d)?`,
    " from $1 $2 $3 to $4 $5 $6",
  ],
  [String.raw`(?:desde|a partir)(?: del| de| el)?(?= \d{1,2} (?:${MONTH}))`, "since"],
  [String.raw`(?:desde|a partir de)(?: el mes de| principios de| inicios de)? (${MONTH})`, "since $1"],
  [String.raw`(?:en |de )?(${MONTH}) (?:de|del) (20\d\d)`, "in $1 $2"],

  // Periods.
  [
    String.raw`${VERSUS}mism[oa] (?:per[ií]odo|trimestre|mes|fecha|lapso|tramo) (?:del|de el|de) (?:a[ñn]o|ejercicio) (?:pasado|anterior|previo)`,
    "compared to the same period last year",
  ],
  [
    String.raw`${VERSUS}(?:un a[ñn]o (?:antes|atr[aá]s)|hace un a[ñn]o|a[ñn]o contra a[ñn]o|interanual)`,
    "compared to the same period last year",
  ],
  [
    String.raw`${VERSUS}(?:per[ií]odo (?:anterior|previo|pasado|precedente|inmediato anterior)|anterior per[ií]odo)`,
    "compared to the previous period",
  ],
  [
    String.raw`${LEAD}(?:(?:primer|1er|1[oº]) semestre|s1|1s|h1|primera mitad)(?: fiscal)?(?: (?:del?|de este|de nuestro) (?:a[ñn]o|ejercicio)(?: fiscal)?)?`,
    "in H1",
  ],
  [
    String.raw`${LEAD}(?:(?:segundo|2do|2[oº]) semestre|s2|2s|h2|segunda mitad)(?: fiscal)?(?: (?:del?|de este|de nuestro) (?:a[ñn]o|ejercicio)(?: fiscal)?)?`,
    "in H2",
  ],
  [String.raw`${LEAD}${LAST} (\d+) d[ií]as`, "in the last $1 days"],
  [String.raw`${LEAD}(\d+) ${LAST} d[ií]as`, "in the last $1 days"],
  [String.raw`${LEAD}(?:${LAST} (\d+) meses|(\d+) ${LAST} meses)`, "in the last $1$2 months"],
  [String.raw`${LEAD}(?:${LAST} (\d+) trimestres|(\d+) ${LAST} trimestres)`, "in the last $1$2 quarters"],
  [String.raw`${LEAD}(?:${LAST} (\d+) semanas|(\d+) ${LAST} semanas)`, "in the last $1$2 weeks"],
  [String.raw`${LEAD}(?:trimestre ${LAST}|${LAST} trimestre)`, "last quarter"],
  [String.raw`${LEAD}(?:(?:a[ñn]o|ejercicio) ${LAST}|${LAST} (?:a[ñn]o|ejercicio))`, "last year"],
  [String.raw`${LEAD}(?:mes ${LAST}|${LAST} mes)`, "last month"],
  [String.raw`${LEAD}(?:${THIS} trimestre|trimestre (?:actual|en curso|corriente))`, "this quarter"],
  [
    String.raw`(?:en )?lo que (?:va|llevamos|llevas|va corrido|corre) (?:del?|de este) (?:a[ñn]o|ejercicio)|(?:desde (?:el )?(?:inicio|principio|comienzo)s? (?:del?|de este) (?:a[ñn]o|ejercicio))|${LEAD}(?:${THIS} (?:a[ñn]o|ejercicio)|(?:a[ñn]o|ejercicio) (?:actual|en curso|corriente))(?: hasta (?:la fecha|hoy|ahora))?`,
    "this year",
  ],
  [String.raw`${LEAD}(?:${THIS} mes|mes (?:actual|en curso|corriente))`, "this month"],
  [
    String.raw`${LEAD}(?:mes q(?:ue)? viene|pr[oó]ximo mes|mes pr[oó]ximo|siguiente mes|mes siguiente|mes entrante)`,
    "next month",
  ],
  [String.raw`${LEAD}(?:trimestre q(?:ue)? viene|pr[oó]ximo trimestre|siguiente trimestre)`, "next quarter"],
  [String.raw`${LEAD}${FISCAL} ?['’]?(20\d\d|\d\d)`, "in fiscal year $1"],
  ...ORDINALS.map(
    (ordinal, index) =>
      [
        String.raw`${LEAD}(?:(?:${ordinal}) trimestre|t${index + 1}|${index + 1}t|q${index + 1})(?: (?:de|del))?(?: ${FISCAL})? ?[/-]? ?(20\d\d)`,
        `in Q${index + 1} $1`,
      ] as const,
  ),
  ...ORDINALS.map(
    (ordinal, index) =>
      [String.raw`${LEAD}(?:(?:${ordinal}) trimestre|t${index + 1}|${index + 1}t)`, `in Q${index + 1}`] as const,
  ),

  // Names.
  ["(?:el )?(?:reino unido|uk|gran bretaña)(?: e | y | ?/ ?)irlanda", "UK and Ireland"],
  ["sur de europa|europa del sur|el sur de europa", "Southern Europe"],
  ["norteam[eé]rica|am[eé]rica del norte", "North America"],
  ["asia[- ]pac[ií]fico", "APAC"],
  ["(?:los )?(?:pa[ií]ses )?n[oó]rdicos", "Nordics"],
  ["energ[ií]a", "Energy"],
  ["educaci[oó]n|sector educativo", "Education"],
  ["salud|sanidad|sector sanitario", "Healthcare"],
  ["log[ií]stica", "Logistics"],
  ["manufactura|sector manufacturero|industria manufacturera", "Manufacturing"],
  ["comercio minorista|minoristas?", "Retail"],
  ["hosteler[ií]a|hoteler[ií]a", "Hospitality"],
  ["servicios financieros|sector financiero", "Financial services"],
  ["negocio nuevo|nuevo negocio", "New business"],
  ["negociaci[oó]n", "Negotiation"],
  ["(?:en )?(?:etapa|fase) de propuesta", "in Proposal"],
  ["(?:en )?(?:etapa|fase) de evaluaci[oó]n", "in Evaluation"],
  // The usual sources of deals.
  ["(?:un )?eventos?", "Event"],
  ["socios?(?: comerciales)?|partners", "Partner"],
  ["prospecci[oó]n saliente", "Outbound"],
]
