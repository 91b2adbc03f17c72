/** What functions and counters take for "no limit", which a row of `plans` says by null: the largest `int`. */
export const NO_LIMIT = 2_147_483_647
