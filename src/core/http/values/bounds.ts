/** The bounds of values, each defined once. */

/** The range of PostgreSQL's `integer`. */
export const [MIN_INT4, MAX_INT4] = [-2_147_483_648, 2_147_483_647]

/** The largest amount, and the digits of one: a `float8` holds no more of them exactly, with room for sums. */
export const MAX_AMOUNT = 1e13
export const MAX_AMOUNT_DIGITS = 15

export const [FIRST_DAY, LAST_DAY] = ["1900-01-01", "2200-12-31"]
const [FIRST_INSTANT, LAST_INSTANT] = [`${FIRST_DAY}T00:00:00Z`, `${LAST_DAY}T23:59:59.999Z`]

/** Whether a day or a time is of the years that bodies may have. */
export const isInYears = (text: string): boolean =>
  text.slice(0, 4) >= FIRST_DAY.slice(0, 4) && text.slice(0, 4) <= "2200"

/** The day or instant, or the bound that it is beyond. */
export const moveIntoYears = (text: string): string => {
  if (isInYears(text)) return text
  const isEarly = text.slice(0, 4) < FIRST_DAY.slice(0, 4)
  if (text.length === 10) return isEarly ? FIRST_DAY : LAST_DAY
  return isEarly ? FIRST_INSTANT : LAST_INSTANT
}

export const isAmount = (value: number): boolean =>
  Math.abs(value) <= MAX_AMOUNT && Number(value.toPrecision(MAX_AMOUNT_DIGITS)) === value
