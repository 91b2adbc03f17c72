import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Schema from "effect/Schema"
import * as HttpApi from "effect/http-api/HttpApi"
import { Api, ENDPOINT_PERMISSIONS } from "../../src/core/server/api.ts"
import { OLDER_NAMES } from "../../src/core/deals/filters/filters.ts"
import { findExample } from "../../src/core/server/examples.ts"
import { ROLE_NAMES, ROLES, type Permission } from "../../src/core/access/permissions.ts"
import { engines } from "../support/engines.ts"
import { layerWeb, Web } from "../support/web.ts"

/** References that lead nowhere, ids that occur twice, and undeclared path parameters. `linter.all.test.ts` runs a linter's rules. */
const findFaults = (json: any): ReadonlyArray<string> => {
  const faults: Array<string> = []
  const find = (ref: string) =>
    ref
      .split("/")
      .slice(1)
      .reduce<any>((value, name) => value?.[name], json)
  JSON.stringify(json, (name, value) => {
    if (name === "$ref" && find(value) === undefined) faults.push(value)
    return value
  })
  const ids = new Set<string>()
  for (const [path, methods] of Object.entries<Record<string, any>>(json.paths)) {
    for (const [method, { operationId, parameters = [] }] of Object.entries(methods)) {
      if (ids.has(operationId)) faults.push(`${method} ${path}: a second ${operationId}`)
      ids.add(operationId)
      const declared = new Set<string>()
      for (const parameter of parameters) {
        const found = parameter.$ref === undefined ? parameter : find(parameter.$ref)
        if (found?.in === "path") declared.add(`{${found.name}}`)
      }
      for (const [name] of path.matchAll(/\{\w+\}/g)) {
        if (!declared.has(name)) faults.push(`${method} ${path}: ${name} is undeclared`)
      }
    }
  }
  return faults
}

const accepted = (schema: Schema.Top, value: unknown) =>
  Exit.isSuccess(
    Effect.runSyncExit(
      Schema.decodeUnknownEffect(schema)(value, { onExcessProperty: "error" }) as Effect.Effect<unknown, unknown>,
    ),
  )

layer(layerWeb(engines.at(-1)!.database), { excludeTestServices: true })("/openapi.json", (it) => {
  const description = Effect.gen(function* () {
    const web = yield* Web
    const reply = yield* web.request("/openapi.json", "none")
    assert.strictEqual(reply.status, 200)
    return reply
  })

  it.effect("is OpenAPI 3.1 whose references lead somewhere, with unique ids and every path parameter declared", () =>
    Effect.gen(function* () {
      const { json } = yield* description
      assert.match(json.openapi, /^3\.1\.\d$/)
      assert.deepStrictEqual(findFaults(json), [])
      const { get } = json.paths["/api/v1/deals/{id}"]
      get.parameters = [{ $ref: "#/components/parameters/Gone" }]
      get.operationId = json.paths["/api/v1/deals"].get.operationId
      assert.deepStrictEqual(findFaults(json), [
        "#/components/parameters/Gone",
        `get /api/v1/deals/{id}: a second ${get.operationId}`,
        "get /api/v1/deals/{id}: {id} is undeclared",
      ])
    }),
  )

  it.effect("describes every operation, parameter, body and reply, with examples", () =>
    Effect.gen(function* () {
      const { json } = yield* description
      for (const [path, methods] of Object.entries<Record<string, any>>(json.paths)) {
        for (const [method, operation] of Object.entries(methods)) {
          const where = `${method} ${path}`
          assert.isAbove(operation.summary?.length ?? 0, 3, `${where}: summary`)
          assert.isAbove(operation.description?.length ?? 0, 10, `${where}: description`)
          for (const given of operation.parameters ?? []) {
            const parameter =
              given.$ref === undefined ? given : json.components.parameters[given.$ref.split("/").at(-1)]
            assert.isAbove(parameter.description?.length ?? 0, 5, `${where} ${parameter.name}: description`)
            assert.isDefined(parameter.example, `${where} ${parameter.name}: example`)
          }
          for (const [type, { example }] of Object.entries<any>(operation.requestBody?.content ?? {})) {
            assert.isDefined(example, `${where} ${type}: example of the body`)
          }
          const replies = Object.entries<any>(operation.responses).filter(([status]) => status.startsWith("2"))
          assert.isAbove(replies.length, 0, `${where}: a successful reply`)
          for (const [status, { description, content }] of replies) {
            assert.match(description, /^[A-Z].{10,}\.$/, `${where} ${status}: description`)
            for (const [type, { example }] of Object.entries<any>(content ?? {})) {
              assert.isDefined(example, `${where} ${type}: example of the reply`)
            }
          }
        }
      }
    }),
  )

  it.effect("has examples that its own schemas accept", () =>
    Effect.gen(function* () {
      HttpApi.reflect(Api, {
        onGroup: () => {},
        onEndpoint: ({ group, endpoint }) => {
          const where = `${group.identifier}.${endpoint.identifier}`
          const example = findExample(group.identifier, endpoint.identifier)
          const accepts = (schemas: Iterable<Schema.Top>, value: unknown) =>
            [...schemas].some((schema) => accepted(schema, value))
          if (endpoint.query !== undefined) {
            for (const [name, value] of Object.entries(example.query ?? {})) {
              const query = { [name]: typeof value === "object" ? JSON.stringify(value) : String(value) }
              assert.isTrue(accepted(endpoint.query, query), `${where} ${name}`)
            }
          }
          for (const [type, value] of Object.entries(example.request ?? {})) {
            const schemas = endpoint.payload.get(type)?.schemas
            assert.isDefined(schemas, `${where} takes ${type}`)
            if (type === "application/json") assert.isTrue(accepts(schemas!, value), `${where}: ${type}`)
          }
          const reply = example.reply?.["application/json"]
          if (reply !== undefined) assert.isTrue(accepts(endpoint.success, reply), `${where}: reply`)
        },
      })
    }),
  )

  it.effect("has readable component names, format uri for addresses, and older names as deprecated", () =>
    Effect.gen(function* () {
      const { json } = yield* description
      for (const name of Object.keys(json.components.schemas)) {
        assert.match(name, /^[A-Z][A-Za-z]+$/)
        assert.notMatch(name, /Encoded|Struct|^Schema/)
      }
      const deprecated = json.paths["/api/v1/deals"].get.parameters
        .filter((parameter: { deprecated?: boolean }) => parameter.deprecated)
        .map(({ name }: { name: string }) => name)
      assert.sameMembers(deprecated, Object.keys(OLDER_NAMES))
      // An import accepts addresses in the form of the CRM.
      for (const name of Object.keys(json.components.schemas)) {
        if (name.endsWith("Record")) delete json.components.schemas[name]
      }
      const addresses: Array<string> = []
      JSON.stringify(json, (name, value) => {
        if (/^(.*_)?url$/.test(name) && value?.description !== "This server" && typeof value === "object") {
          if (!JSON.stringify(value).includes('"format":"uri"')) addresses.push(JSON.stringify(value))
        }
        return value
      })
      assert.deepStrictEqual(addresses, [])
    }),
  )

  it.effect("has every endpoint with its permissions, errors and headers", () =>
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
