// npm run migrate
import { readFileSync } from "node:fs"
import { pool } from "./database.ts"

await pool.query(readFileSync(new URL("./schema.sql", import.meta.url), "utf8"))
await pool.end()
