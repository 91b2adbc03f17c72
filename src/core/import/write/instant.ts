/** Converts a day or instant to UTC. */
export const toInstant = (text: string | undefined) =>
  text === undefined ? undefined : new Date(text.length === 10 ? `${text}T00:00:00Z` : text).toISOString()
