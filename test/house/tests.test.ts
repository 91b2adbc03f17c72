import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"

const ROOT = join(import.meta.dirname, "../..")
const MIN_TIMEOUT_MS = 600_000

/** Files that may break a rule, each with the reason. */
type Exceptions = Readonly<Record<string, string>>

const MAY_PAUSE: Exceptions = {
  "test/mcp/fixtures.ts": "one of its tools is slow, so that its reply is a stream",
  "test/support/until.ts": "it is the one place that waits",
}
const MAY_END_EARLY: Exceptions = {}
const MAY_MEASURE: Exceptions = {
  "test/all.ts": "prints how long the run takes",
  "test/answers/modelServer.ts": "the client waits at least as long as Retry-After says, on any machine",
  "test/faults/kill.test.ts": "prints the time and asserts nothing about it",
  "test/ingest/support/hostile.ts": "a hostile reader that uses up CPU time",
  "test/ingest/support/hostileProgram.ts": "measures only for sandbox.all.test.ts",
  "test/ingest/support/starvedProgram.ts": "runs only for sandbox.all.test.ts",
  "test/runtimes/waits.ts": "runs only for deno.all.test.ts",
  "test/search/hybrid.test.ts": "the client waits at least as long as Retry-After says, on any machine",
  "test/storage/space.test.ts": "a slow machine only raises the bound",
  "test/support/cpu.ts": "serves only files of tier 2",
  "test/support/until.ts": "ends a wait that hangs",
  "test/import/publicCrm.test.ts": "prints the rate and asserts nothing about it",
}

const MAY_LIMIT: Exceptions = {
  "test/keys/lineage.test.ts": "a key may not have more requests than its maker",
  "test/access/repeatedRefusals.test.ts": "an organization that has spent its month",
  "test/keys/usage.test.ts": "`GET /usage` shows the limits",
  "test/adapters/cli/cli.test.ts": "`--plan` is what it tests, on a database of the program's own",
  "test/commands.all.test.ts": "runs the commands of the README",
  "test/conformance/prepare.ts": "the checks read the headers of limits; it makes enough organizations that none waits",
  "test/console/firstHour.all.test.ts": "one person uses programs with databases of their own",
  "test/console/openId.all.test.ts": "the operator chooses plans",
  "test/console/sessions.test.ts": "sessions do not count in the plan's requests",
  "test/embedding/bundlers/host.js": "a bundled host, on a database of its own, that sends few requests",
  "test/embedding/reload.test.ts": "a host under reload, on a database of its own, that sends few requests",
  "test/embedding/stopping.test.ts": "a host that stops, on a database of its own, that sends few requests",
  "test/exports/exports.test.ts": "an organization without exports left",
  "test/exports/quota.test.ts": "the exports of a month",
  "test/faults/cluster.ts": "a cluster has no template, and its tests send few requests",
  "test/faults/support.ts": "programs that are killed, on databases of their own, that get few requests",
  "test/library/durable.test.ts": "programs that are killed, on databases of their own, that get few requests",
  "test/limits/redis.test.ts": "limits are what it tests",
  "test/mcp/assistants.all.test.ts": "servers on databases of their own that get few requests",
  "test/operator/besideServer.ts": "the operator chooses plans",
  "test/operator/client.test.ts": "the operator chooses plans",
  "test/operator/fill.ts": "an erased organization had changed its plan",
  "test/operator/operator.test.ts": "the operator chooses plans",
  "test/operator/running.test.ts": "the operator chooses plans",
  "test/package/exportDeals.mjs": "a host of the packed library, on a database of its own, that sends few requests",
  "test/http/concurrency.test.ts": "a request that waits in vain is given back to the month",
  "test/jobs/notifications.test.ts": "an installation of its own",
  "test/storage/installations.test.ts": "installations of their own",
  "test/storage/migrate.test.ts": "migrates a database that has no other plan",
  "test/storage/rolling.all.test.ts": "the previous release makes the database",
  "test/storage/space.test.ts": "a database that has just been migrated",
  "test/storage/upgrades.test.ts": "an older version makes the database",
  "test/telemetry/embedded.test.ts": "a host on a database of its own that sends few requests",
  "test/telemetry/session.ts": "a server on a database of its own that gets few requests",
  "test/catalogue/organizations.test.ts": "chooses and changes plans",
}

/** A place in the text that breaks a rule. */
interface Hit {
  readonly at: number
  readonly found: string
}
interface Rule {
  readonly name: string
  readonly find: (text: string) => ReadonlyArray<Hit>
  readonly instead: string
  readonly exceptions: Exceptions
  readonly inTier2: boolean
}

const matches = (text: string, pattern: RegExp): ReadonlyArray<Hit> =>
  [...text.matchAll(pattern)].map(({ index, 0: found }) => ({ at: index, found }))

const PAUSE =
  /\bsetTimeout\(|\bEffect\.sleep\(|\bsetTimeout\b.*from "(?:node:)?timers\/promises"|\bwaitForTimeout\(|\bvi\.wait(?:For|Until)\(|\bexpect\.poll\(/g

const lineOf = (text: string, at: number) => text.slice(text.lastIndexOf("\n", at) + 1).split("\n", 1)[0]!

const pauses = (text: string) =>
  matches(text, PAUSE).filter(({ at }) => !lineOf(text, at).trimEnd().endsWith("// virtual time"))

/** Each captures the time-out: of an option, of a page, of a call that ends in `}, 60_000)`, on one line or on three. */
const TIMEOUTS = [
  /\btimeout: ("[^"]+"|[\w.]+)/g,
  /\bsetDefault(?:Navigation)?Timeout\(([\w.]+)/g,
  /^\s*\}, ([\d_]{4,}|[A-Z_]+MS)\)$/gm,
  /^\s*(?:(?:it|test)[.(]|(?:before|after)(?:All|Each)\().*, ([\d_]{4,}|[A-Z_]+MS)\)$/gm,
  /\n\s*\},\n\s*([\d_]{4,}|[A-Z_]+MS),\n\s*\)/g,
]
const UNITS_MS: Readonly<Record<string, number>> = { milli: 1, second: 1000, minute: 60_000 }

/** Milliseconds of `60_000`, `"1 minute"`, or a constant of the file; undefined if the text does not say. */
const millisecondsOf = (value: string, text: string): number | undefined => {
  const [, amount, unit] = /^"(\d+) (milli|second|minute)s?"$/.exec(value) ?? []
  if (unit !== undefined) return Number(amount) * UNITS_MS[unit]!
  const [, constant] = /^[A-Z]/.test(value) ? (new RegExp(`const ${value} = ([\\d_]+)$`, "m").exec(text) ?? []) : []
  const milliseconds = Number((constant ?? value).replaceAll("_", ""))
  return Number.isNaN(milliseconds) ? undefined : milliseconds
}

const timeouts = (text: string) =>
  TIMEOUTS.flatMap((pattern) => [...text.matchAll(pattern)])
    .filter(([, value]) => (millisecondsOf(value!, text) ?? Infinity) < MIN_TIMEOUT_MS)
    .map((match) => ({ at: match.index + match[0].lastIndexOf(match[1]!), found: `a time-out of ${match[1]}` }))

const RULES: ReadonlyArray<Rule> = [
  {
    name: "wait only by test/support/until.ts",
    find: pauses,
    instead:
      "wait with `until` or `untilEffect`, or let a double answer late with `late`, all of test/support/until.ts",
    exceptions: MAY_PAUSE,
    inTier2: true,
  },
  {
    name: "have no time-out below ten minutes",
    find: timeouts,
    instead: "delete it: the default of vitest bounds a hang; give a browser `setDefaultTimeout(600_000)`",
    exceptions: MAY_END_EARLY,
    inTier2: true,
  },
  {
    name: "measure no time, CPU or memory in tier 1",
    find: (text) => matches(text, /\bmemoryUsage\b|\brss\b|\b(?:c|threadC)puUsage\b|\bperformance\.now\(/g),
    instead: "count calls, bytes or steps instead, or move the test to a file *.all.test.ts",
    exceptions: MAY_MEASURE,
    inTier2: false,
  },
  {
    name: "give organizations a plan without limits",
    find: (text) => matches(text, /(?:\bplan(?::| =) "|--plan(?:", "| ))(?:essentials|growth|enterprise)\b/g),
    instead: "give it the plan `UNLIMITED` of test/support/unlimited.ts",
    exceptions: MAY_LIMIT,
    inTier2: true,
  },
]

/** The findings of the rule in a file, as `file:line: finding, remedy`. */
const broken = ({ find, instead }: Rule, file: string, text: string) =>
  find(text).map(({ at, found }) => `${file}:${text.slice(0, at).split("\n").length}: ${found}: ${instead}`)

const files = globSync("test/**/*.{ts,js,mjs}", { cwd: ROOT, exclude: ["**/node_modules/**"] })
  .map((file) => file.replaceAll("\\", "/"))
  .filter((file) => file !== "test/house/tests.test.ts")
  .toSorted()
const read = (file: string) => readFileSync(join(ROOT, file), "utf8")

describe("the tests", () => {
  it.each(RULES)("$name", (rule) => {
    const wrong = files
      .filter((file) => !(file in rule.exceptions) && (rule.inTier2 || !file.endsWith(".all.test.ts")))
      .flatMap((file) => broken(rule, file, read(file)))
    assert.deepStrictEqual(wrong, [])
  })

  it.each(RULES)("need the exceptions to: $name", (rule) => {
    const unused = Object.keys(rule.exceptions).filter(
      (file) => !files.includes(file) || broken(rule, file, read(file)).length === 0,
    )
    assert.deepStrictEqual(unused, [])
  })

  it.each([
    [0, "new Promise((resolve) => setTimeout(resolve, 50))"],
    [0, 'yield* Effect.sleep("1 second")'],
    [0, 'import { setTimeout } from "node:timers/promises"'],
    [1, "it('x', async () => {\n  f()\n}, 120_000)"],
    [1, "beforeAll(() => start(), 30_000)"],
    [1, 'layer(services, { timeout: "90 seconds" })'],
    [1, "const SLOW_MS = 30_000\npage.setDefaultTimeout(SLOW_MS)"],
    [1, "it(\n  'x',\n  () => {\n  },\n  60_000,\n)"],
    [2, "const used = process.memoryUsage().heapUsed"],
    [3, 'organizations.create({ name: "Acme", plan: "growth" })'],
    [3, 'run("orgs", "create", "--name", "Acme", "--plan", "enterprise")'],
  ] as const)("are refused for a fault of rule %i: %j", (rule, text) => {
    assert.lengthOf(broken(RULES[rule]!, "test/x.test.ts", text), 1)
  })

  it.each([
    "await Effect.sleep(5) // virtual time",
    "it('x', f, 900_000)",
    "use({}, 3)",
    'layer(a, { timeout: "20 minutes" })',
    'organizations.create({ name: "Acme", plan: UNLIMITED })',
  ])("may say %j", (text) => assert.isEmpty(RULES.flatMap((rule) => broken(rule, "test/x.test.ts", text))))
})
