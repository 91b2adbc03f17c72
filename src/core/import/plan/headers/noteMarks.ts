/** Raised digits behind a letter, a bracket or a sign of currency, and signs of notes. */
const NOTE_MARKS = /(?<=[\p{L}\p{M}\p{Sc})\]%])\s?[⁰¹²³⁴-⁹⁽⁾]{1,4}(?=$|[\s([:*])|[†‡§]{1,3}$/gu

/** A header without marks of notes, such as the raised digit of `Amount¹ (EUR)`. */
export const withoutNotes = (header: string): string => header.replaceAll(NOTE_MARKS, "")
