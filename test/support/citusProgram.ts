import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"

/** Starts and stops a cluster on this machine, as root. It is not part of this repository. */
export const CITUS_PROGRAM = fileURLToPath(new URL("../../../shared/engines/citus", import.meta.url))

/** The coordinator of a running cluster, as a superuser's login without a password. */
export const givenCluster = process.env["TEST_CITUS_URL"] || undefined

export const hasCitus = givenCluster !== undefined || (existsSync(CITUS_PROGRAM) && process.getuid?.() === 0)
