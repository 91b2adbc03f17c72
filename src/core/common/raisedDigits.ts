const RAISED = new Map([..."0123456789+-−–=()"].map((sign, at) => [sign, "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁼⁽⁾"[at]!]))
const LOWERED = new Map([..."0123456789+-−–=()"].map((sign, at) => [sign, "₀₁₂₃₄₅₆₇₈₉₊₋₋₋₌₍₎"[at]!]))
/** Unicode has no raised q. */
const RAISED_LETTERS = new Map(
  [..."abcdefghijklmnoprstuvwxyz"].map((letter, at) => [letter, "ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ"[at]!]),
)

/** Marks of notes and exponents: "1", "1,2", "a1)", "[3]", "−6". Four digits after a word are a number that someone raised. */
const MARK = /^(?!.*\d{4})[\d\s()+=−–[\],.;:*†‡§#/-]{1,16}$/
const LETTER = /^[a-z]$/
const LETTER_MARK = /^\(?[a-z]\)$/
const SIGN = /^[+−–-]$/
const BRACKETS = /^[()=]+$/

const replaceAll = (text: string, signs: ReadonlyMap<string, string>) =>
  Array.from(text, (sign) => signs.get(sign) ?? sign).join("")

/**
 * Writes text that a document sets as a superscript so that it does not become part of the number or word before it: "1,200" and a
 * raised "1" are `1,200¹`, never 12,001. Words, such as the "st" of "1st", stay as they are. `before`: the text that precedes.
 */
export const raise = (text: string, before: string): string => {
  const isAfterDigit = /\p{N}$/u.test(before)
  if (LETTER_MARK.test(text) || (LETTER.test(text) && /\d$/.test(before)))
    return replaceAll(replaceAll(text, RAISED), RAISED_LETTERS)
  const isMark = /\d/.test(text)
    ? isAfterDigit || MARK.test(text)
    : SIGN.test(text) || (BRACKETS.test(text) && /[\p{N}⁺-⁾]$/u.test(before))
  return isMark ? replaceAll(text, RAISED) : text
}

/** Writes text that a document sets as a subscript. After a letter it stays as it is: people write and seek "CO2". */
export const lower = (text: string, before: string): string =>
  /[\p{N}/⁄]$/u.test(before) && /\d/.test(text) ? replaceAll(text, LOWERED) : text

/** Raised, lowered and circled digits and fractions, and raised and lowered letters and signs. */
const UNJOINED = String.raw`\p{No}ʰ-ˤᴬ-ᵪᶛ-ᶿⁱ⁺-ⁿ₊-ₜ`
const IS_UNJOINED = new RegExp(`[${UNJOINED}]`, "u")
const UNJOINED_RUN = new RegExp(`[${UNJOINED}]+`, "gu")
const JOINED_RUN = new RegExp(`[^${UNJOINED}]+`, "gu")

/** NFKC for texts whose numbers are read. By itself it makes 12,001 of `1,200¹` and 21/2 of `2½`: here these signs stay as they are. */
export const normalizeDigits = (text: string): string =>
  IS_UNJOINED.test(text) ? text.replaceAll(JOINED_RUN, (joined) => joined.normalize("NFKC")) : text.normalize("NFKC")

/** A text without its raised and lowered signs, and without marks of notes at its end. */
export const withoutMarks = (text: string): string =>
  text.replaceAll(UNJOINED_RUN, "").replace(/(?<![\s*†‡§])[*†‡§]{1,3}$/, "")
