/** Plans of imports are deleted after this time. */
export const PLAN_KEPT_HOURS = 1
