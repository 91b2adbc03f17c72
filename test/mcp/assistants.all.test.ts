import { execFile } from "node:child_process"
import { join } from "node:path"
import { promisify, stripVTControlCharacters } from "node:util"
import { assert, beforeAll, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { installPackages } from "../../build/installPackages.ts"
import { RUNTIMES } from "../adapters/processes.ts"
import { engines } from "../support/engines.ts"
import { layerServed, Served, withKey } from "./served.ts"

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

const FOLDER = "test/mcp/assistants"
const CLIENT = join(import.meta.dirname, "assistants/client.js")
const SIGNING_IN = join(import.meta.dirname, "assistants/oauth.js")

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

    it.effect("official clients connect by signing in, and renew and give back what they got, on each runtime", () =>
      Effect.gen(function* () {
        const { url, mine } = yield* Served
        const key = yield* mine.key("viewer")
        const sdk = { refused: "UnauthorizedError", before: 15, tools: 15, state: "state-1", scope: "workspace:read" }
        const expected = {
          "sdk 1": sdk,
          "sdk 2": sdk,
          oauth4webapi: { tools: 15, scope: "workspace:read", revoked: 401 },
        }
        for (const [name, [command]] of Object.entries(RUNTIMES)) {
          const run = name === "Deno" ? ["run", "-A", "--quiet"] : []
          for (const [program, wanted] of Object.entries(expected)) {
            const { stdout } = yield* Effect.promise(() =>
              promisify(execFile)(command, [...run, SIGNING_IN, program, `${url}/mcp`, key]),
            )
            assert.deepStrictEqual(JSON.parse(stdout), wanted, `${program} on ${name}`)
          }
        }
      }),
    )

    it.effect("the conformance suite passes, but for checks of what Sightline does not have", () =>
      Effect.gen(function* () {
        const { url, mine } = yield* Served
        const front = yield* withKey(url, yield* mine.key("viewer"))
        for (const [version, scenarios] of Object.entries(SCENARIOS)) {
          for (const [scenario, exempt] of Object.entries(scenarios)) {
            const args = ["server", "--url", `${front}/mcp`, "--scenario", scenario, "--spec-version", version]
            // The suite fails if a check does.
            const { stdout } = yield* Effect.promise(() =>
              promisify(execFile)(process.execPath, [runner, ...args]).catch(
                (error: { readonly stdout: string }) => error,
              ),
            )
            const printed = stripVTControlCharacters(stdout)
            const checks = [...printed.matchAll(/^\S+ \[(\S+)\s*\] (SUCCESS|FAILURE)/gm)]
            assert.isAtLeast(checks.length, 1, printed)
            const failed = checks.filter(([, , status]) => status === "FAILURE").map(([, id]) => id)
            assert.sameMembers(failed, [...exempt], `${scenario} of ${version}`)
          }
        }
      }),
    )
  })
})
