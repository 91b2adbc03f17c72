/** The UTC time that a day or instant stands for. */
export const instant = (text: string | undefined) =>
  text === undefined ? undefined : new Date(text.length === 10 ? `${text}T00:00:00Z` : text).toISOString()
