import type { AcrossQuestion } from "./question.ts"

/** A number that a sentence states, with what it counts: "$48 per seat per month". */
export interface Stated {
  readonly value: number
  readonly text: string
  /** The unit in lower case; only equal units compare. */
  readonly unit: string
}

const MONEY =
  /([$€£])\s?(\d[\d,]*(?:\.\d+)?)(\s*(?:k|m)\b)?((?:\s+(?:per|a|an|each|every)\s+[\p{L}]+(?:\s+(?:and|per|a)\s+[\p{L}]+)*)?)/u
const NUMBER = /(?<![$€£\d.,-])(\d[\d,]*(?:\.\d+)?)\s+(hours?|days?|weeks?|months?|years?|minutes?|seats?|users?|%)/u

/** The first number of that kind in a sentence. */
export const numberIn = (sentence: string, kind: NonNullable<AcrossQuestion["compares"]>): Stated | undefined => {
  const match = (kind === "money" ? MONEY : NUMBER).exec(sentence)
  if (match === null) return undefined
  if (kind === "number") {
    const [text, digits = "", unit = ""] = match
    return { value: Number(digits.replaceAll(",", "")), text, unit: unit.toLowerCase().replace(/s$/, "") }
  }
  const [text, sign = "", digits = "", scale = "", per = ""] = match
  const factor = scale.trim() === "k" ? 1e3 : scale.trim() === "m" ? 1e6 : 1
  return {
    value: Number(digits.replaceAll(",", "")) * factor,
    text: text.trim(),
    unit: `${sign}${per.toLowerCase().replaceAll(/(?<!\s)\s+(?:and|per|a|an)\s+/g, " / ")}`,
  }
}

/** Orders what states a number in the most frequent unit; the others do not compare. */
export const orderByNumber = <A extends { readonly stated: Stated | undefined }>(
  found: ReadonlyArray<A>,
  order: NonNullable<AcrossQuestion["order"]>,
): ReadonlyArray<A> => {
  const units = Map.groupBy(
    found.filter(({ stated }) => stated !== undefined),
    ({ stated }) => stated!.unit,
  )
  const most = [...units.values()].toSorted((a, b) => b.length - a.length)[0] ?? []
  return most.toSorted((a, b) => (order === "lowest" ? 1 : -1) * (a.stated!.value - b.stated!.value))
}
