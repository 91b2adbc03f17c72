/** In UTF-16 units, without the space around it. */
const MAX_VALUE_LENGTH = 200

/**
 * Whether a text is longer than any number, date or currency. The patterns that read one take time by the square of the text or more, and
 * a cell may have a million characters.
 */
export const isTooLong = (text: string): boolean => text.length > MAX_VALUE_LENGTH
