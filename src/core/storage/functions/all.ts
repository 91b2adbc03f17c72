import { ACCESS } from "./access.ts"
import { BACKGROUND } from "./background.ts"
import { DEALS } from "./deals.ts"
import type { SqlFunction } from "./define.ts"
import { GRANTS } from "./grants.ts"
import { JOBS } from "./jobs.ts"
import { MEMBERS } from "./members.ts"
import { RETENTION } from "./retention.ts"
import { SEARCH } from "./search.ts"
import { SEARCH_INDEXES } from "./searchIndexes.ts"
import { SESSIONS } from "./sessions.ts"
import { WEBHOOKS } from "./webhooks.ts"

/** The current text of every SQL function, except those that indexes use: migrations create these. */
export const FUNCTIONS: ReadonlyArray<SqlFunction> = [
  ...ACCESS,
  ...SESSIONS,
  ...GRANTS,
  ...MEMBERS,
  ...JOBS,
  ...RETENTION,
  ...DEALS,
  ...SEARCH,
  ...SEARCH_INDEXES,
  ...WEBHOOKS,
  ...BACKGROUND,
]

/** The same functions for Citus. */
export const FUNCTIONS_ON_CITUS: ReadonlyArray<SqlFunction> = FUNCTIONS.map((each) => ({ ...each, text: each.onCitus }))
