import { execFile } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as HttpApi from "effect/http-api/HttpApi"
import { Api, ENDPOINT_PERMISSIONS } from "../../src/core/api.ts"
import { ROLE_NAMES, ROLES, type Permission } from "../../src/core/access/permissions.ts"
import { engines } from "../support/engines.ts"
import { layerWeb, Web } from "../support/web.ts"

const REDOCLY = fileURLToPath(new URL("../../node_modules/.bin/redocly", import.meta.url))

/** What Redocly's own rules find, at their severity. Nothing is sent anywhere, no update is looked for. */
const lint = async (description: string): Promise<ReadonlyArray<string>> => {
  const directory = mkdtempSync(join(tmpdir(), "sightline-openapi-"))
  try {
    const file = join(directory, "openapi.json")
    writeFileSync(file, description)
    const { stdout } = await promisify(execFile)(
      REDOCLY,
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
    return problems.map(
      ({ severity, ruleId, message, location }) => `${severity} ${ruleId} ${location[0]?.pointer}: ${message}`,
    )
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

layer(layerWeb(engines[0].database), { excludeTestServices: true })("/openapi.json", (it) => {
  const description = Effect.gen(function* () {
    const web = yield* Web
    const reply = yield* web.request("/openapi.json", "none")
    assert.strictEqual(reply.status, 200)
    return reply
  })

  it.effect("is OpenAPI 3.1, and the linter finds no error", () =>
    Effect.gen(function* () {
      const { text, json } = yield* description
      assert.match(json.openapi, /^3\.1\.\d$/)
      const found = yield* Effect.promise(() => lint(text))
      assert.deepStrictEqual(
        found.filter((problem) => problem.startsWith("error")),
        [],
      )
    }),
  )

  it.effect("the linter would tell: a description with a path parameter left undeclared is refused", () =>
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

  it.effect("has every endpoint, with who may call it, its errors and its headers", () =>
    Effect.gen(function* () {
      const { json } = yield* description
      const permissions: Readonly<Record<string, Permission | ReadonlyArray<Permission>>> = ENDPOINT_PERMISSIONS
      let endpoints = 0
      HttpApi.reflect(Api, {
        onGroup: () => {},
        onEndpoint: ({ group, endpoint }) => {
          endpoints++
          const where = `${endpoint.method} ${endpoint.path}`
          const path = endpoint.path.replaceAll(/:([^/]+)/g, "{$1}")
          const operation = json.paths[path]?.[endpoint.method.toLowerCase()]
          assert.isDefined(operation, where)
          const taken = [permissions[`${group.identifier}.${endpoint.identifier}`] ?? []].flat()
          for (const permission of taken) assert.include(operation.description, `\`${permission}\``, where)
          for (const role of ROLE_NAMES) {
            const names = operation.description.split("roles ").at(-1)
            assert.strictEqual(
              names.includes(role),
              taken.length === 0 || taken.some((permission) => ROLES[role].includes(permission)),
              `${where} ${role}`,
            )
          }
          assert.isString(operation.summary, where)
          assert.includeMembers(
            Object.keys(operation.responses),
            ["400", "401", "403", "429", "500", "503", ...(endpoint.path.includes(":") ? ["404"] : [])],
            where,
          )
          if (endpoint.payload.size > 0) {
            assert.includeMembers(Object.keys(operation.responses), ["413", "415"], where)
          }
          for (const [status, response] of Object.entries<{ headers: object }>(operation.responses)) {
            assert.include(Object.keys(response.headers), "X-Request-Id", `${where} ${status}`)
            assert.strictEqual("X-RateLimit-Limit" in response.headers, status !== "401", `${where} ${status}`)
            assert.strictEqual("Retry-After" in response.headers, ["429", "503"].includes(status), `${where} ${status}`)
          }
        },
      })
      const described = Object.entries<object>(json.paths).filter(([path]) => path.startsWith("/api/v1"))
      assert.strictEqual(described.flatMap(([, methods]) => Object.keys(methods)).length, endpoints)
    }),
  )
})
