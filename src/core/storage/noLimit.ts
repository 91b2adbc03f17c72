/** The value of functions and counters for "no limit", which a row of `plans` says by null: the largest `int`. */
export const NO_LIMIT = 2_147_483_647
