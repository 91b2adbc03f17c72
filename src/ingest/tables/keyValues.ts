import { isKeyList, kindOf } from "./header.ts"

/** The names of facts about one company or deal. None of them is above a column whose cells are such names, too. */
const FACTS =
  /^(?:(?:company|client|customer|account)(?: name)?|contact|owner|(?:deal |sales )?stage|status|(?:annual )?budget|city|country|industry|sector|website|phone|e-?mail|address|(?:company )?size|employees|founded|headquarters|hq|ceo|close date|decision[ -]makers?|champion|competitors?|segment|strengths?|weakness(?:es)?|opportunit(?:y|ies)|threats?|firma|kunde|ansprechpartner|branche|land|stadt|ort|adresse|mitarbeiter|phase|entscheider|wettbewerber|stärken?|schwächen?)$/i

/** Texts, amounts, dates: a column has two kinds at most. */
const MIN_KINDS = 3

/** Whether rows of two cells are names and values, without a header: the values are of several kinds, or the names are facts. */
export const areKeyValues = (rows: ReadonlyArray<ReadonlyArray<string>>): boolean => {
  const pairs = rows.map((row) =>
    row
      .map((text, column) => ({ text: text.trim(), column, span: 1, isValue: false }))
      .filter(({ text }) => text !== ""),
  )
  const filled = pairs.filter((cells) => cells.length > 0)
  if (filled.length < 3 || filled.some((cells) => cells.length > 2)) return false
  const facts = filled.filter(([first]) => FACTS.test(first!.text.replace(/:$/, ""))).length
  const kinds = new Set(filled.slice(1).flatMap(([, value]) => (value === undefined ? [] : kindOf(value))))
  return isKeyList(filled) || kinds.size >= MIN_KINDS || (facts > 1 && facts * 2 >= filled.length)
}
