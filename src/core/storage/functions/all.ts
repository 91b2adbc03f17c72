import { CHANGES } from "./changes.ts"
import type { SqlFunction } from "./define.ts"
import { WEBHOOKS } from "./webhooks.ts"

/** The present text of every SQL function but those that indexes are made of, which migrations create. */
export const FUNCTIONS: ReadonlyArray<SqlFunction> = [...CHANGES, ...WEBHOOKS]
