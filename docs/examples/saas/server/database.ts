import process from "node:process"
import { Pool } from "pg"

// `vite dev` evaluates this module again after an edit: the pool stays.
const kept = globalThis as typeof globalThis & { pool?: Pool }

/** The host's own database. Sightline has a schema of its own in it, and a pool of its own. */
export const pool = (kept.pool ??= new Pool({ connectionString: process.env["DATABASE_URL"] }))
