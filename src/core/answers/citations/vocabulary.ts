import { singleWordsOf } from "../../reports/words.ts"
import { stemOf } from "../words.ts"

/** Words for the same thing, in English and German: a claim may use one for another. Each begins with the name of its group. */
const SYNONYMS = `
  price cost charge fee pay priced quote bill kosten kostet kostete preis verlangen verlangt zahlen zahlt gebühr berechnen berechnet
  license licence lizenz
  amount value worth wert auftragswert vertragswert volumen betrag size
  ${singleWordsOf("owner").join(" ")} own executive verantwortlich besitzer inhaber
  ${singleWordsOf("competitor").join(" ")} compete wettbewerber konkurrent konkurrenz konkurriert
  ${singleWordsOf("client").join(" ")} kunde kunden
  user nutzer benutzer anwender
  employee employ staff people headcount mitarbeiter beschäftigte beschäftigt
  close end closing closed
  create open created opened start begin began begins start starts launch beginn beginnt starten startet
  won win winning gewinnen gewonnen gewann
  lost lose loss losing verlieren verloren verlor
  year annual annually yearly jahr jahre jahren jährlich
  month monthly monat monate monaten monats monatlich
  week weekly woche wochen wöchentlich
  day daily tag tage tagen täglich
  hour hourly stunde stunden
  minute minuten
  quarter quartal quartale quarterly
  setup onboarding einrichtung implementation einführung
  once onetime einmalig oneoff
  minimum least mindestens mindest need require
  maximum most höchstens
  extra additional beyond further zusätzlich
  discount rabatt reduction nachlass
  support help service unterstützung
  answer respond response reply antworten antwortet antwort
  acquire buy bought acquisition purchase purchased übernehmen übernahm kaufen kaufte
  headquarter headquarters hq base based sitz hauptsitz
  found founded founding gründen gegründet founder gründer
  offer provide sell include available anbieten bietet
  term laufzeit mindestlaufzeit vertragslaufzeit duration
  notice kündigungsfrist cancellation
  contact ansprechpartner ansprechpartnerin
  decide decision decisionmaker entscheidung entscheiden entscheidet entschied entscheiderin entscheider
  contract agreement vertrag
  certified certify certification zertifiziert zertifizierung
  ${singleWordsOf("region").join(" ")} gebiet
  want insist ask demand request fordern fordert
  prefer favour favor bevorzugen bevorzugt
  invest investment investor raise funding investieren
  share marktanteil anteil
  employeeowner betriebsrat
  plan tier edition tarif package paket
  seat platz lizenzplatz
  reason cause because grund weil
  cheap cheaper cheapest billig billiger günstig günstiger
  expensive teuer teurer
  first initial erste ersten
  rollout deployment einsatz
  reach achieve hit attain erreichen erreicht
  rise increase grow raised steigen gestiegen
  fall decrease drop decline sinken gesunken
  positive helped
  negative hurt`

/** Words that carry no fact of their own in a sentence with a value, or only join it. */
const LIGHT = `
  around about roughly approximately approx nearly almost over total overall currently today now present each every per more less
  go goes come comes stand stands stood sit sits lie lies amount amounts total get gets got give gives gave make makes made take takes took
  have has had having need needs use uses used using say says said tell told state states stated mention mentioned note noted call called
  common commonly usual usually typical typically customer customers company vendor provider people person name named
  deal deals opportunity account sale sales figure number rate according respectively just only alone back well way like time times
  set put run keep kept bring brings brought become became remain remains derzeit aktuell aktuelle bisher
  liegt liegen beträgt betragen schlägt buche zuge sowie etwa rund circa ca insgesamt jeweils pro je
  der die das den dem des ein eine einen einem einer eines und oder ist sind war waren wird werden wurde wurden hat haben hatte
  mit von vom für bei beim im in am an auf aus zu zum zur nach seit bis innerhalb als auch noch schon sich sie er es wir uns unser unsere
  dollar dollars euro euros usd eur percent prozent`

const words = (text: string) => text.trim().split(/\s+/)

/** Removes the endings of German and what `stemOf` leaves of plurals. */
const shorten = (stem: string) => (stem.length > 5 ? stem.replace(/(?:en|er|es|em|e|n|s|t)$/, "") : stem)

const GROUPS: ReadonlyMap<string, string> = new Map(
  SYNONYMS.trim()
    .split("\n")
    .toReversed()
    .flatMap((line) => {
      const [name = "", ...rest] = words(line)
      return [name, ...rest].flatMap((word) =>
        [word, stemOf(word), shorten(stemOf(word))].map((form) => [form, name] as const),
      )
    }),
)

const LIGHT_WORDS: ReadonlySet<string> = new Set(words(LIGHT).flatMap((word) => [word, stemOf(word)]))

/** The group of a word in lower case, else its stem. */
export const canonical = (word: string): string => {
  const stem = stemOf(word)
  const short = shorten(stem)
  return GROUPS.get(word) ?? GROUPS.get(stem) ?? GROUPS.get(short) ?? short
}

const COMMON: ReadonlySet<string> = new Set([...GROUPS.values(), ...[...LIGHT_WORDS].map(canonical)])

/** Whether a word, as `canonical` returns it, is in everybody's vocabulary, so that its capital makes no name. */
export const isCommon = (word: string): boolean => COMMON.has(word)

export const isLight = (word: string): boolean => LIGHT_WORDS.has(word) || LIGHT_WORDS.has(stemOf(word))

/** Each excludes the other. */
const OPPOSITES: ReadonlyArray<readonly [string, string]> = [
  ["won", "lost"],
  ["positive", "negative"],
  ["rise", "fall"],
  ["cheap", "expensive"],
  ["minimum", "maximum"],
]

/** Whether the claim says the opposite of the evidence. */
export const contradicts = (claim: ReadonlySet<string>, evidence: ReadonlySet<string>): boolean =>
  OPPOSITES.flatMap(([a, b]) => [[a, b] as const, [b, a] as const]).some(
    ([one, other]) => claim.has(one) && !claim.has(other) && evidence.has(other) && !evidence.has(one),
  )

/** The units of time, by group. */
export const PERIODS: ReadonlySet<string> = new Set(["minute", "hour", "day", "week", "month", "quarter", "year"])

/** Reasons for or against a deal, in the words of records. */
export const nameSides = (text: string): string =>
  text
    .replaceAll(
      /\b(?:spoke|speaks|counted|worked|went|was|were) against us\b|\bhurt us\b|\bsprach gegen uns\b/gi,
      "negative",
    )
    .replaceAll(
      /\b(?:spoke|speaks|counted|worked) for us\b|\bhelped us\b|\bin our favou?r\b|\bsprach für uns\b/gi,
      "positive",
    )
