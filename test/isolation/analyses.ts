import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { findingsOf } from "./tenants.ts"

/** Tokens of the tenant's analyses: another number for each length of name. */
const tokensOf = (tenant: string) => 7_000_000 + tenant.length

/** Inserts findings and what they cost. */
export const insertAnalyses = Effect.fnUntraced(function* (sql: SqlClient, org: string, tenant: string) {
  for (const finding of findingsOf(tenant))
    yield* sql`insert into findings ${sql.insert({ org_id: org, ...finding })} on conflict do nothing`
  yield* sql`insert into analysis_spending (org_id, month, run_id, input_tokens, output_tokens)
    values (${org}, date_trunc('month', now() at time zone 'UTC')::date, 'run_same', ${tokensOf(tenant)}::bigint, 0)
    on conflict do nothing`
})

/** The values in the reply of a list that name its tenant. The audit log contains no names of entries, and the cost of analyses only numbers. */
export const markOf = (endpoint: string, { name, keyId }: { readonly name: string; readonly keyId: string }) => {
  if (endpoint === "audit.list") return keyId
  return endpoint === "analysis.spending" ? String(tokensOf(name)) : name
}
