/** Splits at commas, trims, and drops what is empty. */
export const splitCommas = (text: string): ReadonlyArray<string> =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "")
