import { normalizeDigits } from "../../common/raisedDigits.ts"
import { isNumberProblem, type NumberOptions, readNumber, type ReadNumber } from "./numbers.ts"

const ABOUT =
  /^(?:[~≈∼]|(?:ca|circa|approx|approximately|about|around|roughly|est|estimated|etwa|rund|ungefähr|geschätzt|env|environ|aprox|aproximadamente|alrededor de|unos|cerca de)(?![\p{L}\p{N}])\.?)\s*/iu
const BOUND =
  /^(?:[<>≤≥]=?|(?:up to|at least|at most|over|under|min|max|more than|less than|from|ab|bis|bis zu|mindestens|höchstens|über|unter|jusqu'à|au moins|plus de|desde|hasta|más de|a partir de)(?![\p{L}\p{N}])\.?)|\+$/iu
const RANGE =
  /^(?:between|zwischen|entre|von|de|from)?\s*(?<low>.*\d.*?)\s*(?:\.{2,3}|…|-|\/|\bto\b|\bbis\b|\bund\b|\band\b|\bet\b|\by\b|\ba\b|à)\s*(?<high>[^\d]*\d.*)$/iu

/** An amount that the cell gives only about, or that it only bounds. */
export type NearNumber = ReadNumber | { readonly reason: string }

/** Reads `~50k` and `ca. 20.000` as numbers. `50k-60k` and `>100k` give none. Undefined if the text is neither. */
export const readNearNumber = (cell: string, options: NumberOptions): NearNumber | undefined => {
  const text = normalizeDigits(cell)
    .replaceAll(/[\u2010-\u2015\u2212]/g, "-")
    .trim()
  if (text.length > MAX_NEAR || !/\d/.test(text)) return undefined
  const isNumber = (part: string) => {
    const read = readNumber(part.trim(), options)
    return !isNumberProblem(read) || read.isUnclear === true
  }
  const rest = text.replace(ABOUT, "")
  if (rest !== text) {
    const read = readNumber(rest, options)
    if (!isNumberProblem(read)) return read
  }
  const { low, high } = RANGE.exec(rest)?.groups ?? {}
  if (low !== undefined && high !== undefined && isNumber(low) && isNumber(high)) {
    return { reason: "is a range: write one amount" }
  }
  return BOUND.test(rest) && isNumber(rest.replace(BOUND, ""))
    ? { reason: "is only a bound of the amount: write the amount" }
    : undefined
}

const MAX_NEAR = 60
