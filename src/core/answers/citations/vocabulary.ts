import { CLAIM_STOP_WORDS, findStem } from "../words.ts"
import { FIELDS, FUNCTION_WORDS, LIGHT, SYNONYMS } from "./concepts.ts"

const words = (text: string) => text.trim().split(/\s+/)

/** "días" is "dias"; "zählt" is not "zahlt". */
const plain = (word: string) =>
  word
    .replaceAll(/[äöüß]/g, (letter) => UMLAUTS[letter] ?? letter)
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
const UMLAUTS: Readonly<Record<string, string>> = { ä: "ae", ö: "oe", ü: "ue", ß: "ss" }

/** Removes the endings of German, French and Spanish and what `stemOf` leaves of plurals. */
const shorten = (stem: string) => (stem.length > 5 ? stem.replace(/(?:en|er|es|em|e|n|s|t|a|o)$/, "") : stem)

/** Letters that tell one word from another: "renewals" and "renewing" have the same seven. */
const MAX_STEM_LENGTH = 8

const listForms = (word: string) => {
  const stem = findStem(plain(word))
  return [plain(word), stem, shorten(stem)]
}

/** The lines of a list of groups: a line that is indented further belongs to the one before it. */
const splitGroups = (text: string) =>
  text
    .replaceAll(/\n {4,}/g, " ")
    .trim()
    .split("\n")
    .map(words)

const GROUPS: ReadonlyMap<string, string> = new Map(
  [...splitGroups(FIELDS), ...splitGroups(SYNONYMS)]
    .toReversed()
    .flatMap((group) =>
      // Exact forms win over stems.
      group.flatMap((word) =>
        listForms(word)
          .slice(1)
          .map((form) => [form, group[0] ?? word] as const),
      ),
    )
    .concat(
      [...splitGroups(FIELDS), ...splitGroups(SYNONYMS)]
        .toReversed()
        .flatMap((group) => group.map((word) => [plain(word), group[0] ?? word] as const)),
    ),
)

const FIELD_NAMES: ReadonlySet<string> = new Set(splitGroups(FIELDS).map(([name = ""]) => name))

const LIGHT_WORDS: ReadonlySet<string> = new Set(words(LIGHT).flatMap((word) => [plain(word), findStem(plain(word))]))

const STOP_WORDS: ReadonlySet<string> = new Set([...CLAIM_STOP_WORDS, ...words(FUNCTION_WORDS).map(plain)])

/** Whether a word, in lower case, means nothing in a claim. */
export const isStopWord = (word: string): boolean => STOP_WORDS.has(plain(word))

/** Ends of German compounds: "Vertragslaufzeit" is a "Laufzeit". */
const HEADS = words(
  "laufzeit frist gebühr kosten preis wert nachlass rabatt vertrag lizenz platz plätzen mitarbeiter nutzer umsatz anbindung schnittstelle kunde kunden",
).map(plain)

const findHead = (word: string): string | undefined => {
  const head = HEADS.find((end) => word.length > end.length + 3 && word.endsWith(end))
  return head === undefined ? undefined : GROUPS.get(head)
}

/** The name of a group for a word in lower case, else its stem. */
export const canonical = (word: string): string => {
  const forms = listForms(word)
  for (const form of forms) {
    const group = GROUPS.get(form)
    if (group !== undefined) return group
  }
  return findHead(forms[0] ?? "") ?? (forms[2] ?? word).slice(0, MAX_STEM_LENGTH)
}

const COMMON: ReadonlySet<string> = new Set([...GROUPS.values(), ...[...LIGHT_WORDS].map(canonical)])

/** Whether a word, as `canonical` returns it, is in everybody's vocabulary, so that its capital makes no name. */
export const isCommon = (word: string): boolean => COMMON.has(word)

/** Whether a word, as `canonical` returns it, says what a value is of. */
export const isField = (word: string): boolean => FIELD_NAMES.has(word)

export const isLight = (word: string): boolean => LIGHT_WORDS.has(plain(word)) || LIGHT_WORDS.has(findStem(plain(word)))

/** Each excludes the other. */
const OPPOSITES: ReadonlyArray<readonly [string, string]> = [
  ["won", "lost"],
  ["positive", "negative"],
  ["rise", "fall"],
  ["cheap", "expensive"],
  ["higher", "lower"],
  ["acquire", "sold"],
  ["fast", "slow"],
  ["big", "small"],
  ["gap", "strength"],
  ["minimum", "maximum"],
]

/** Whether the claim says the opposite of the evidence. */
export const contradicts = (claim: ReadonlySet<string>, evidence: ReadonlySet<string>): boolean =>
  OPPOSITES.flatMap(([a, b]) => [[a, b] as const, [b, a] as const]).some(
    ([one, other]) => claim.has(one) && !claim.has(other) && evidence.has(other) && !evidence.has(one),
  )

/** The units of time, by group. */
export const PERIODS: ReadonlySet<string> = new Set(["minute", "hour", "day", "week", "month", "quarter", "year"])

const NEGATIONS: ReadonlySet<string> = new Set(
  words(`
    not no never none neither nor without cannot nobody nothing unable
    nicht kein keine keinen keinem keiner keines nie niemals weder ohne
    pas aucun aucune jamais sans ni nunca jamás ningún ninguna ninguno sin tampoco`).map(plain),
)

const LACKS: ReadonlySet<string> = new Set(
  words(`
    lack lacks lacked lacking missing fail fails failed fehlt fehlen fehlend fehlende fehlenden fehlte fehlten
    manque manquait manquent faute carece carecía falta faltaba`).map(plain),
)

/** Whether a word, in lower case, negates the clause it is in. */
export const negates = (word: string): boolean => NEGATIONS.has(plain(word)) || word.endsWith("n't")

/** Whether a word, in lower case, says that something is not there. */
export const lacks = (word: string): boolean => LACKS.has(plain(word))

/** Phrases, each by a word for it. */
const PHRASES: ReadonlyArray<readonly [RegExp, string]> = [
  [
    /\b(?:spoke|speaks?|counted|worked|went|was|were) against us\b|\bhurt us\b|\bsprach(?:en)? gegen uns\b/gi,
    "negative",
  ],
  [
    /\b(?:spoke|speaks?|counted|worked) for us\b|\bhelped us\b|\bin our favou?r\b|\bsprach(?:en)? für uns\b/gi,
    "positive",
  ],
  [/\bone[- ](?:off|time)\b|\bonly once\b/gi, "once"],
  [/\b(?:set|setting)[- ]up\b|\bmise en service\b|\bcuota de alta\b/gi, "setup"],
  [/\bno (?:fewer|less) than\b|\bnicht weniger als\b|\bpas moins de\b|\bno menos de\b/gi, "minimum"],
  [/\bsin conexión\b|\bhors ligne\b|\bhors connexion\b/gi, "offline"],
  [/\bannual recurring revenue\b/gi, "ARR"],
  [/\bchief executive(?: officer)?\b|\bdirectora? general\b|\bdirect(?:eur|rice) général[e]?\b/gi, "ceo"],
  [
    /\b(?:chief financial officer|finance director|direct(?:eur|rice) financi(?:er|ère)|directora? financier[oa])\b/gi,
    "cfo",
  ],
  [/\bchief operating officer\b/gi, "coo"],
  [/\b(?:chief technology officer|direct(?:eur|rice) technique|directora? técnic[oa])\b/gi, "cto"],
  [/\baccount executives?\b/gi, "executive"],
  [/\bchiffre d['’]affaires\b/gi, "revenue"],
  // "We failed an audit" says that we did not pass it.
  [/\bfail(?:s|ed)?\b/giu, "failed pass"],
  [/(?<=[%\d] )de plus\b/gi, "hausse"],
  [/\b(?:go|goes|going|gone|went|sign|signs|signed) with\b/gi, "chose"],
  [/\b(?:weniger teuer|less expensive|moins ch[eè]re?s?|menos car[oa]s?)\b/gi, "cheaper"],
  [/(?<=\p{L}) den Vorzug (?:gegeben|geben|gab)\b/giu, " gewählt"],
  [/\bhand(?:ed|s) over to\b/gi, "was replaced by"],
  [/\bt(?:ook|akes) over from\b/gi, "replaced"],
  [/\bläuft am\b/gi, "endet am"],
  [/\bprend(?:ra)? fin\b|\bse termine\b/gi, "termine"],
]

/** Replaces phrases by one word that the groups have. */
export const namePhrases = (text: string): string =>
  PHRASES.reduce((named, [phrase, word]) => named.replaceAll(phrase, word), text)
