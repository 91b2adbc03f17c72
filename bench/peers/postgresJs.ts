import postgres from "postgres"
import { bodyOf, databaseUrl, SETTINGS, statementFor } from "./deals.ts"

/** postgres.js with as many connections as ours; it prepares its statements by itself. */
export const makeAnswer = () => {
  const sql = postgres(databaseUrl, { max: 10, connection: SETTINGS, onnotice: () => {} })
  return async (org: string, query: URLSearchParams): Promise<string> => {
    const statement = statementFor(org, query)
    return bodyOf(await sql.unsafe(statement.text, statement.values as Array<string>, { prepare: true }), statement)
  }
}
