import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { runnable } from "./Check.ts"
import { CHECKS } from "./checks/all.ts"
import { Client } from "./Client.ts"
import { importDataset, NOTHING } from "./dataset.ts"

const USAGE = `npm run conformance

Runs every check on each runtime and database, and prints the matrix. The exit code is 1 if a cell fails.

npm run conformance -- --base-url http://127.0.0.1:8787/api/v1 --key sl_live_…

Checks a running service against the specification, sentence by sentence. It only reads, unless told otherwise.

  --write          also import a small data set and check exact values, make and revoke keys;
                   --key must be an admin's, of an organization that holds no deals
  --other-key KEY  an admin key of a second organization that holds no deals: tenancy; it also takes over the requests
                   that need no data
  --small-key KEY  a key of an organization on the essentials plan, with a limit of its own above 10: its limit
  --older-key KEY  a key without the sl_ prefix
  --only TEXT      only the checks whose name holds this text`

const fail = (message: string): never => {
  console.error(`${message}\n\n${USAGE}`)
  process.exit(2)
}

const parse = () => {
  try {
    return parseArgs({
      options: {
        "base-url": { type: "string" },
        key: { type: "string" },
        write: { type: "boolean", default: false },
        "other-key": { type: "string" },
        "small-key": { type: "string" },
        "older-key": { type: "string" },
        only: { type: "string", default: "" },
        help: { type: "boolean", default: false },
      },
    }).values
  } catch (error) {
    return fail((error as Error).message)
  }
}

const options = parse()
if (options.help) {
  console.log(USAGE)
  process.exit(0)
}
if (process.argv.length === 2) {
  const reporters = ["default", "./test/support/SummaryReporter.ts", "./test/conformance/MatrixReporter.ts"]
  const { status } = spawnSync(
    "vitest",
    ["run", "test/conformance", ...reporters.map((name) => `--reporter=${name}`)],
    {
      cwd: fileURLToPath(new URL("../../", import.meta.url)),
      env: { ...process.env, TEST_ALL: "1" },
      stdio: "inherit",
    },
  )
  process.exit(status ?? 1)
}
const { "base-url": baseUrl, key } = options
if (baseUrl === undefined || !URL.canParse(baseUrl) || key === undefined) {
  throw fail("--base-url and --key are needed")
}
const api = new Client({
  baseUrl,
  key,
  write: options.write,
  otherKey: options["other-key"],
  smallKey: options["small-key"],
  olderKey: options["older-key"],
})

const begin = async () => {
  try {
    const imported = options.write ? await importDataset(api) : NOTHING
    return { imported, holdsDeals: (await api.get("/deals", { count: true })).count > 0 }
  } catch (error) {
    console.error(`cannot begin: ${(error as Error).message}`)
    return process.exit(1)
  }
}

const { imported, holdsDeals } = await begin()
const chosen = CHECKS.filter(({ name }) => name.includes(options.only))
const checks = chosen.filter((check) => runnable(check, api.target, holdsDeals))
let failed = 0
for (const { name, run } of checks) {
  try {
    await run(api, imported)
    console.log(`ok    ${name}`)
  } catch (error) {
    failed++
    console.log(`FAIL  ${name}\n        ${(error as Error).message.replaceAll("\n", "\n        ")}`)
  }
}
if (checks.length < chosen.length) {
  console.log(`${chosen.length - checks.length} more need what was not given: see --help`)
}
console.log(`${checks.length - failed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
