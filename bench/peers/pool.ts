import { Pool } from "pg"
import { databaseUrl, SETTINGS } from "./deals.ts"

/** node-postgres as its manual has it, with as many connections as ours. */
export const makePool = () =>
  new Pool({
    connectionString: databaseUrl,
    max: 10,
    idleTimeoutMillis: 0,
    options: Object.entries(SETTINGS)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(" "),
  })
