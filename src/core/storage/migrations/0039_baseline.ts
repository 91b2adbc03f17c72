import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { ACCESS } from "./baseline/access.ts"
import { ANALYSIS } from "./baseline/analysis.ts"
import { ANSWERS } from "./baseline/answers.ts"
import { AUDIT } from "./baseline/audit.ts"
import { BLOBS } from "./baseline/blobs.ts"
import { CHANGES } from "./baseline/changes.ts"
import { DEALS } from "./baseline/deals.ts"
import { EXPORTS } from "./baseline/exports.ts"
import { INDEXED } from "./baseline/indexed.ts"
import { INTELLIGENCE } from "./baseline/intelligence.ts"
import { JOBS } from "./baseline/jobs.ts"
import { LIBRARY } from "./baseline/library.ts"
import { MIGRATIONS_TABLE } from "./baseline/migrations.ts"
import { OPERATOR } from "./baseline/operator.ts"
import { SEARCH } from "./baseline/search.ts"
import { SESSIONS } from "./baseline/sessions.ts"
import { SIGNING } from "./baseline/signing.ts"
import { VIEWS } from "./baseline/views.ts"
import { WEBHOOKS } from "./baseline/webhooks.ts"
import { WORKSPACE } from "./baseline/workspace.ts"
import { oneStatement, statements } from "./support.ts"

/** Every table of a new database, by capability. A capability comes after those that its foreign keys name. */
const CAPABILITIES = [
  MIGRATIONS_TABLE,
  INDEXED,
  ACCESS,
  SESSIONS,
  AUDIT,
  OPERATOR,
  SIGNING,
  WORKSPACE,
  DEALS,
  INTELLIGENCE,
  BLOBS,
  JOBS,
  LIBRARY,
  ANALYSIS,
  SEARCH,
  ANSWERS,
  EXPORTS,
  CHANGES,
  WEBHOOKS,
  VIEWS,
]

export default Effect.flatMap(SqlClient, (sql) => statements(sql, CAPABILITIES.map(oneStatement)))
