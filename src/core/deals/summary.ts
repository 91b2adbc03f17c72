/** The sections of a deal's story, in the order that readers see them. */
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
 * A summary with its known sections first, in their order; other keys follow as given. The database keeps it as written
 * (`json`), so that every reader sees one order.
 */
export const inSectionOrder = (summary: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => {
  const known = SUMMARY_SECTIONS.filter((name) => Object.hasOwn(summary, name)).map((name) => [name, summary[name]])
  return { ...Object.fromEntries(known), ...summary }
}
