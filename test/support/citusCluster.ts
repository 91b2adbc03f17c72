import { execFile } from "node:child_process"
import { chmodSync, mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { freePort } from "./postgres.ts"

/** The coordinator of a running cluster, as a superuser's login without a password. */
const given = process.env["TEST_CITUS_URL"] || undefined

/**
 * A program that starts and stops clusters, for tests that end a node: `PROGRAM start DIRECTORY PORT` prints the address of a coordinator
 * with two workers on the next two ports, `PROGRAM stop DIRECTORY` ends them. No registry has one.
 */
export const CITUS_PROGRAM = process.env["TEST_CITUS_PROGRAM"] || undefined

export const hasCitus = given !== undefined || CITUS_PROGRAM !== undefined

const run = promisify(execFile)

/** Starts a cluster, or takes the one that `TEST_CITUS_URL` names. */
export const startCitus = async () => {
  if (given !== undefined) return { url: given, stop: async () => {} }
  if (CITUS_PROGRAM === undefined) throw new Error("TEST_CITUS_URL names no coordinator")
  return startOwnCitus(CITUS_PROGRAM)
}

const startOwnCitus = async (program: string) => {
  const parent = mkdtempSync(join(tmpdir(), "sightline-citus-"))
  // The servers run under their own user.
  chmodSync(parent, 0o755)
  const directory = join(parent, "cluster")
  const { stdout } = await run(program, ["start", directory, String(await freePort())])
  return { url: stdout.trim(), stop: async () => void (await run(program, ["stop", directory])) }
}
