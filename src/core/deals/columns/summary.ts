/** The sections of a deal's summary, in reading order. */
export const SUMMARY_SECTIONS = [
  "executive_summary",
  "deal_overview",
  "decision_drivers",
  "competitive_landscape",
  "key_quotes",
  "lessons_learned",
  "recommendations",
] as const

/**
 * Orders a summary: known sections first, in reading order, then other keys as given. The column type `json` preserves the
 * order for every reader.
 */
export const inSectionOrder = (summary: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => {
  const known = SUMMARY_SECTIONS.filter((name) => Object.hasOwn(summary, name)).map((name) => [name, summary[name]])
  return { ...Object.fromEntries(known), ...summary }
}
