/** The line before the questions that an answer offers. Pages draw the list below it for clicks. */
export const OFFERS = "You can ask:"
