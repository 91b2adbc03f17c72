import { saysNumber } from "./conversation.ts"
import type { Slots } from "../parse/slots.ts"

const INSTEAD = String.raw`(?:instead of|in place of|rather than|anstatt|anstelle (?:von|der|des)|statt|au lieu (?:de|des|du)|plut[oô]t que|en (?:lugar|vez) de)`
/** "Not Retail but Energy". */
const NOT_BUT =
  /^(?<kept>.*?)(?<!\p{L})(?:not|nicht|pas|no)(?: in| against| for)? (?<replaced>[^,;?!]+?),? (?:but|sondern|mais|sino) (?<rest>.*)$/isu
/** "Energy instead of Retail", "instead of Retail, Energy". */
const FORMS: ReadonlyArray<RegExp> = [
  new RegExp(String.raw`^(?<kept>.*\S),? ${INSTEAD} (?<replaced>[^,;?!]+)(?<rest>.*)$`, "isu"),
  new RegExp(String.raw`^(?<kept>.*?)(?<![\p{L}])${INSTEAD} (?<replaced>[^,;?!]+),(?<rest>.*)$`, "isu"),
  NOT_BUT,
]
/** "Do we win more in DACH rather than in the Nordics?" compares. */
const COMPARES =
  /(?<!\p{L})(?:more|less|fewer|better|worse|higher|lower|bigger|larger|smaller|longer|shorter|faster|slower)(?!\p{L})/iu

/** The slots that a part of a question fills, by what they are about. */
const listFilled = (slots: Slots): ReadonlyArray<string> => [
  ...slots.names.map(({ kind }) => kind),
  ...(slots.outcomes.length > 0 ? ["outcome"] : []),
  ...(slots.periods.length > 0 ? ["period"] : []),
  ...(slots.bases.length > 0 || slots.counts ? ["number"] : []),
  ...(slots.groups.length > 0 || slots.grain !== undefined ? ["group"] : []),
]

/** A question without the part that another one of its kind replaces. "Why do they choose Orvanta instead of us?" replaces nothing. */
export const dropReplaced = (question: string, parse: (part: string) => Slots): string => {
  for (const form of FORMS) {
    const { kept = "", replaced = "", rest = "" } = form.exec(question)?.groups ?? {}
    if (replaced === "" || COMPARES.test(question)) continue
    const [said, others] = [parse(replaced), parse(`${kept} ${rest}`)]
    // "Deals not against Orvanta but against Nimbrel" have a condition of their own.
    if (form === NOT_BUT && saysNumber(others)) continue
    const kinds = listFilled(said)
    const filled = new Set(listFilled(others))
    if (said.unknown.length === 0 && kinds.length > 0 && kinds.every((kind) => filled.has(kind)))
      return `${kept} ${rest}`.replaceAll(/\s+/g, " ").trim()
  }
  return question
}
