/** The oldest are deleted. */
export const MAX_CONVERSATIONS_PER_KEY = 200

/** The messages of a question are at most 100. */
export const MAX_TURNS = 50
