/** Plans in ascending order; docs/limits.md lists what each one allows. */
export const PLANS = ["essentials", "growth", "enterprise"] as const
export type Plan = (typeof PLANS)[number]
