import { execFile } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { installPackages } from "../../build/installPackages.ts"
import { engines } from "../support/engines.ts"
import { layerWeb, Web } from "../support/web.ts"

/** Only `/deals/export/stages` and `/deals/export/analysis` match both, and an import refuses a deal with the id `export`. */
const ACCEPTED: ReadonlySet<string> = new Set([
  "Paths should resolve unambiguously. Found two ambiguous paths: `/api/v1/deals/{id}/stages` and `/api/v1/deals/export/{export_id}`.",
  "Paths should resolve unambiguously. Found two ambiguous paths: `/api/v1/deals/export/{export_id}` and `/api/v1/deals/{id}/analysis`.",
])

/** Runs Redocly's rules at their own severity, without telemetry or update checks. */
const lint = async (description: string): Promise<ReadonlyArray<string>> => {
  const redocly = join(await installPackages("test/http/linter"), ".bin/redocly")
  const directory = mkdtempSync(join(tmpdir(), "sightline-openapi-"))
  try {
    const file = join(directory, "openapi.json")
    writeFileSync(file, description)
    const { stdout } = await promisify(execFile)(
      redocly,
      ["lint", file, "--extends", "recommended", "--format", "json"],
      {
        cwd: directory,
        maxBuffer: 64 * 1024 * 1024,
        env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true", CI: "true" },
      },
    ).catch((failed: { stdout: string; message: string }) => {
      if (!failed.stdout?.startsWith("{")) throw new Error(failed.message)
      return failed
    })
    const { problems } = JSON.parse(stdout) as {
      problems: ReadonlyArray<{
        severity: string
        ruleId: string
        message: string
        location: ReadonlyArray<{ pointer: string }>
      }>
    }
    return problems
      .filter(({ message }) => !ACCEPTED.has(message))
      .map(({ severity, ruleId, message, location }) => `${severity} ${ruleId} ${location[0]?.pointer}: ${message}`)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

layer(layerWeb(engines.at(-1)!.database), { excludeTestServices: true })("Redocly's linter", (it) => {
  const description = Effect.gen(function* () {
    return yield* (yield* Web).request("/openapi.json", "none")
  })

  it.effect("finds nothing in /openapi.json", () =>
    Effect.gen(function* () {
      const { text } = yield* description
      assert.deepStrictEqual(yield* Effect.promise(() => lint(text)), [])
    }),
  )

  it.effect("finds an undeclared path parameter", () =>
    Effect.gen(function* () {
      const { json } = yield* description
      json.paths["/api/v1/deals/{id}"].get.parameters = []
      const found = yield* Effect.promise(() => lint(JSON.stringify(json)))
      assert.isTrue(
        found.some((problem) => problem.startsWith("error")),
        found.join("\n"),
      )
    }),
  )
})
