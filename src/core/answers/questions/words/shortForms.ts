import { pluralize } from "../../../reports/words.ts"
import { isQuestionWord } from "./lexicon.ts"
import type { Kind, KnownName } from "./names.ts"

/** Kinds whose names are words, so that a question may write the singular for the plural and the reverse. */
const WORDED: ReadonlySet<Kind> = new Set([
  "deal_type",
  "feature",
  "industry",
  "product_area",
  "reason",
  "region",
  "segment",
  "tag",
])
/** Kinds whose names questions shorten to their initials. */
export const INITIALED: ReadonlySet<Kind> = new Set([
  "competitor",
  "deal_type",
  "feature",
  "industry",
  "product",
  "product_area",
  "reason",
  "region",
  "segment",
])

const DIRECTION = /^(north|south|east|west)(ern)? (?=\S)/i

/** First words of names that a word can stand for, by its letters: "S Europe", "Nordic deals", "UKI". */
export const listFirstWords = (word: string): ReadonlyArray<string> => {
  const direction = ["north", "south", "east", "west"].find(
    (each) => word === each || word === `${each}ern` || word === each.charAt(0),
  )
  return [
    word,
    `${word}s`,
    ...(word.length > 2 ? [word.slice(0, -1)] : []),
    ...(word.endsWith("ies") ? [word.replace(/ies$/, "y")] : []),
    ...(direction === undefined ? [] : [direction, `${direction}ern`]),
  ]
}

/**
 * The last word in the other number: "Nordic", "new businesses". `QuestionReader.find` adds an `s` by itself. A word alone means too much
 * else: "contract value" is not of the reason Contracts, and America not of the Americas.
 */
const otherNumber = ({ name, kind }: Pick<KnownName, "name" | "kind">): string | undefined => {
  const word = /(?<!\p{L})\p{L}+$/u.exec(name)?.[0] ?? ""
  const before = name.slice(0, name.length - word.length)
  const singular = word.replace(/ies$/, "y").replace(/(?<![sui])s$/, "")
  if (word.length > 4 && singular !== word)
    return before !== "" || (kind === "deal_type" && !isQuestionWord(singular.toLowerCase())) || word.endsWith("ics")
      ? `${before}${singular}`
      : undefined
  const plural = pluralize(word)
  return plural === `${word}s` ? undefined : `${before}${plural}`
}

/** Other ways to write a name: "UK & Ireland", "UK&I", "S. Europe", "Nordic". */
export const makeForms = ({ name, kind }: Pick<KnownName, "name" | "kind">): ReadonlyArray<string> => {
  const forms: Array<string | undefined> = [WORDED.has(kind) ? otherNumber({ name, kind }) : undefined]
  const both = /^(\S+(?: \S+)*?) (?:and|&) (\S.*)$/i.exec(name)
  if (both !== null) {
    const [, first = "", second = ""] = both
    forms.push(...[" and ", " & ", "&", "/", " / "].map((and) => `${first}${and}${second}`))
    // An abbreviation and the initial of a word: "UK&I", "UKI".
    if (kind === "region" && /^\p{Lu}{2,4}$/u.test(first))
      forms.push(...["&", " & ", " and ", ""].map((and) => `${first}${and}${second.charAt(0)}`))
  }
  // "Single sign on", "email".
  if (name.includes("-")) forms.push(name.replaceAll("-", " "), name.replaceAll("-", ""))
  // "North American deals".
  if (kind === "region" && /a$/i.test(name)) forms.push(`${name}n`)
  if (kind === "region" && /europe$/i.test(name)) forms.push(`${name}an`, name.replace(/europe$/i, "EU"))
  const direction = kind === "region" ? DIRECTION.exec(name) : null
  if (direction !== null) {
    const [whole, side = "", ern] = direction
    const rest = name.slice(whole.length)
    forms.push(`${side} ${rest}`, `${side}${ern === undefined ? "ern" : ""} ${rest}`)
    forms.push(...[" ", ". ", "."].map((blank) => `${side.charAt(0)}${blank}${rest}`))
  }
  return [...new Set(forms.filter((form) => form !== undefined && form !== name))] as ReadonlyArray<string>
}

/** "sso" of "Single sign-on", in lower case. */
export const makeInitials = (name: string): string =>
  (name.toLowerCase().match(/(?<![\p{L}\p{N}'’])[\p{L}\p{N}]/gu) ?? []).join("")
