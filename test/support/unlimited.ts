import type { Plans } from "../../src/core/Sightline.ts"

/**
 * The plan of the organizations of tests, which no request uses up: a test that waits for a minute's limit is red on a slow machine. Both
 * templates have it; a test that makes its own database gives `UNLIMITED_PLANS` to `open`.
 */
export const UNLIMITED = "unlimited"

export const UNLIMITED_PLANS: Plans = {
  [UNLIMITED]: { requestsPerMinute: null, requestsPerKey: null, requestsPerMonth: null, exportsPerMonth: null },
}
