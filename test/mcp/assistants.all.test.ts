import { execFile } from "node:child_process"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { promisify, stripVTControlCharacters } from "node:util"
import { assert, beforeAll, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { installPackages } from "../../build/installPackages.ts"
import { run, type Runtime, RUNTIMES, start, startServer } from "../adapters/processes.ts"
import { migratedDirectory } from "../support/embedded.ts"
import { engines } from "../support/engines.ts"
import { freePort } from "../support/postgres.ts"
import { until } from "../support/until.ts"
import { serveFixtures } from "./fixtures.ts"
import { layerServed, Served, withKey } from "./served.ts"
import { agree, askForConsent, openBrowser, registerClient } from "./signIn.ts"

/** Scenarios of the conformance suite by revision, with the checks that need what Sightline does not have. */
const SCENARIOS: Readonly<Record<string, Readonly<Record<string, ReadonlyArray<string>>>>> = {
  "2026-07-28": {
    // A tool that needs the client to sample, one that asks for input, and one that logs.
    "server-stateless": [
      "sep-2575-server-rejects-undeclared-capability",
      "sep-2575-missing-capability-http-400",
      "sep-2575-http-server-no-independent-requests-on-stream",
      "sep-2575-server-no-log-without-loglevel",
    ],
    // Prompts.
    caching: ["sep-2549-prompts-list-caching-hints"],
    "http-header-validation": [],
    "tools-list": [],
    "resources-list": [],
    "sep-2164-resource-not-found": [],
    "dns-rebinding-protection": [],
  },
  "2025-11-25": {
    "server-initialize": [],
    ping: [],
    "tools-list": [],
    "resources-list": [],
    "dns-rebinding-protection": [],
  },
}

const TOOLS_AND_RESOURCES = [
  "tools-call-simple-text",
  "tools-call-image",
  "tools-call-audio",
  "tools-call-embedded-resource",
  "tools-call-mixed-content",
  "tools-call-error",
  "tools-call-with-progress",
  "json-schema-2020-12",
  "resources-read-text",
  "resources-read-binary",
  "resources-templates-read",
]
/** Scenarios that use tools and resources of a fixture, behind the dispatcher and the route of the product. */
const FIXTURE_SCENARIOS = {
  "2026-07-28": [
    ...TOOLS_AND_RESOURCES,
    "server-sse-multiple-streams",
    "input-required-result-basic-elicitation",
    "input-required-result-basic-sampling",
    "input-required-result-basic-list-roots",
    "input-required-result-missing-input-response",
    "input-required-result-result-type",
    "input-required-result-unsupported-methods",
    "input-required-result-capability-check",
    "input-required-result-ignore-extra-params",
    "input-required-result-validate-input",
  ],
  "2025-11-25": TOOLS_AND_RESOURCES,
}

const FOLDER = "test/mcp/assistants"
const CLIENT = join(import.meta.dirname, "assistants/client.js")
const HOST = join(import.meta.dirname, "assistants/host.js")
const SIGNING_IN = join(import.meta.dirname, "assistants/oauth.js")

const WITH_SDK = { refused: "UnauthorizedError", before: 15, tools: 15, state: "state-1", scope: "workspace:read" }
/** The results of each program. */
const SIGNED_IN = {
  "sdk 1": WITH_SDK,
  "sdk 2": WITH_SDK,
  oauth4webapi: { tools: 15, scope: "workspace:read", revoked: 401 },
}

/** Connects each program to a server, whose login is a key or the host's own. */
const signIn =
  (url: string, runtime: Runtime = "Node") =>
  (key = "") =>
    Effect.promise(async () => {
      for (const [program, expected] of Object.entries(SIGNED_IN)) {
        const { stdout, stderr } = await start(runtime, [program, `${url}/mcp`, key], {}, { main: SIGNING_IN }).finished
        assert.deepStrictEqual(JSON.parse(stdout || "null"), expected, `${program} on ${runtime}: ${stderr}`)
      }
    })

/** A process that ends with the test. */
const running = <A extends Pick<ReturnType<typeof start>, "child" | "finished">>(begin: () => Promise<A>) =>
  Effect.acquireRelease(Effect.promise(begin), ({ child, finished }) => {
    child.kill("SIGKILL")
    return Effect.promise(() => finished)
  })

/** The checks that the suite prints, with their results. */
const listChecks = (stdout: string) =>
  [...stripVTControlCharacters(stdout).matchAll(/^\S+ \[(\S+)\s*\] (SUCCESS|FAILURE|WARNING|SKIPPED)/gm)].map(
    ([, id = "", status = ""]) => [id, status] as const,
  )

/** Runs a scenario of the suite. All its checks pass but the exempt ones. */
const checkScenario = (
  runner: string,
  url: string,
  version: string,
  scenario: string,
  exempt: ReadonlyArray<string> = [],
) =>
  Effect.promise(async () => {
    const args = ["server", "--url", url, "--scenario", scenario, "--spec-version", version]
    const { stdout } = await start([process.execPath], [runner, ...args], {}).finished
    const checks = listChecks(stdout)
    assert.isAtLeast(checks.length, 1, stdout)
    const failed = checks.filter(([, status]) => status === "FAILURE").map(([id]) => id)
    assert.sameMembers(failed, [...exempt], `${scenario} of ${version}: ${stdout}`)
  })

describe("MCP with third-party programs", () => {
  let runner = ""
  beforeAll(async () => {
    runner = join(await installPackages(FOLDER), "@modelcontextprotocol/conformance/dist/index.js")
  })

  layer(layerServed(engines[1].database), { excludeTestServices: true })((it) => {
    it.effect("the official client of 2026-07-28 speaks it over both transports, on each runtime", () =>
      Effect.gen(function* () {
        const { url, mine } = yield* Served
        const key = yield* mine.key("viewer")
        for (const [name, [command, ...args]] of Object.entries(RUNTIMES)) {
          const run = name === "Deno" ? ["run", "-A"] : []
          for (const target of [
            [`${url}/mcp`, key],
            [command, ...args, "mcp", "--url", url],
          ]) {
            const options = { env: { ...process.env, SIGHTLINE_API_KEY: key } }
            const { stdout } = yield* Effect.promise(() =>
              promisify(execFile)(command, [...run, CLIENT, ...target], options),
            )
            const { instructions, length, ...seen } = JSON.parse(stdout)
            assert.match(instructions, /Closed Lost \(lost\)/, name)
            assert.isAbove(length, 100, name)
            const expected = {
              version: "2026-07-28",
              tools: 15,
              count: 6,
              chosen: "the last",
              resources: 2,
              missing: -32602,
            }
            assert.deepStrictEqual(seen, expected, name)
          }
        }
      }),
    )

    it.effect.each(["Node", "Bun", "Deno"] as const)(
      "official clients on %s connect by signing in, and renew and give back what they got",
      (runtime) => Effect.flatMap(Served, ({ url, mine }) => Effect.flatMap(mine.key("viewer"), signIn(url, runtime))),
    )

    it.effect("official clients connect to the server on Bun, and on Deno", () =>
      Effect.gen(function* () {
        for (const runtime of ["Bun", "Deno"] as const) {
          const directory = yield* Effect.acquireRelease(Effect.promise(migratedDirectory), (path) =>
            Effect.sync(() => rmSync(path, { recursive: true, force: true })),
          )
          const settings = { SIGHTLINE_DATA_DIR: directory }
          const create = (...args: ReadonlyArray<string>) =>
            Effect.map(
              Effect.promise(() => run([...args, "--json"], settings)),
              ({ stdout }) => JSON.parse(stdout),
            )
          const { id } = yield* create("orgs", "create", "--name", "Acme", "--plan", "growth")
          const { key } = yield* create("keys", "create", "--org", id, "--role", "viewer")
          const { url } = yield* running(() => startServer(runtime, settings))
          yield* signIn(url)(key)
        }
      }),
    )

    it.effect.each([
      ["Express on Node", "Express", "Node"],
      ["Hono on Bun", "Hono", "Bun"],
      ["Hono on Deno", "Hono", "Deno"],
    ] as const)("official clients connect to a host with %s, below a path, by its login", ([, framework, runtime]) =>
      Effect.gen(function* () {
        const host = yield* running(async () => start(runtime, [framework], {}, { main: HOST }))
        yield* Effect.promise(() => until("the host prints its address", () => host.stdout().includes("\n")))
        yield* signIn(host.stdout().trim())()
      }),
    )

    it.effect("the conformance suite finds the authorization server right", () =>
      Effect.gen(function* () {
        const { url, mine } = yield* Served
        const browser = openBrowser(url)
        const client = yield* registerClient(browser, ["http://127.0.0.1/callback"])
        const port = String(yield* Effect.promise(freePort))
        const args = ["--url", url, "--client-id", client, "--resource", `${url}/mcp`, "--port", port]
        const suite = yield* running(async () => start([process.execPath], [runner, "authorization", ...args], {}))
        const authorization = () => /http:\S+\/oauth\/authorize\?\S+/.exec(suite.stdout())?.[0]
        yield* Effect.promise(() =>
          until("the suite asks for a code", () => authorization() !== undefined || suite.child.exitCode !== null),
        )
        const page = yield* askForConsent(browser, authorization() ?? "", yield* mine.key("viewer"))
        const { location } = yield* agree(browser, page)
        yield* Effect.promise(() => fetch(location!))
        const { code, stdout } = yield* Effect.promise(() => suite.finished)
        assert.strictEqual(code, 0, stdout)
        const found = [...stripVTControlCharacters(stdout).matchAll(/^. (\S+): (\d+) passed, (\d+) failed/gm)]
        assert.deepStrictEqual(
          found.map(([, scenario, passed, failed]) => [scenario, passed, failed]),
          [
            ["authorization-server-metadata-endpoint", "2", "0"],
            ["authorization-code-grant", "1", "0"],
          ],
          stdout,
        )
      }),
    )

    it.effect("the conformance suite passes, but for checks of what Sightline does not have", () =>
      Effect.gen(function* () {
        const { url, mine } = yield* Served
        const front = yield* withKey(url, yield* mine.key("viewer"))
        for (const [version, scenarios] of Object.entries(SCENARIOS)) {
          for (const [scenario, exempt] of Object.entries(scenarios))
            yield* checkScenario(runner, `${front}/mcp`, version, scenario, exempt)
        }
      }),
    )

    it.effect("the conformance suite passes with its fixtures behind our dispatcher", () =>
      Effect.gen(function* () {
        const url = yield* serveFixtures
        for (const [version, scenarios] of Object.entries(FIXTURE_SCENARIOS))
          for (const scenario of scenarios) yield* checkScenario(runner, url, version, scenario)
      }),
    )
  })
})
