/** How the console draws a report. */
export const CHARTS = ["bars", "columns", "line", "stacked", "heat"] as const
export type ChartKind = (typeof CHARTS)[number]
