/** Splits at commas, trims the parts and drops empty ones. */
export const splitCommas = (text: string): ReadonlyArray<string> =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "")
