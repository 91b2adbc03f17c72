import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"

/** Starts and stops a cluster on this machine, as root. It is not part of this repository. */
export const CITUS_PROGRAM = fileURLToPath(new URL("../../../shared/engines/citus", import.meta.url))

const given = process.env["TEST_CITUS_URL"]

/** The coordinator of a running cluster, as a superuser's login without a password. */
export const givenCluster = given || undefined

/** An empty `TEST_CITUS_URL` says that the program is here and its cluster does not start. */
export const hasCitus = given === undefined ? existsSync(CITUS_PROGRAM) && process.getuid?.() === 0 : given !== ""
