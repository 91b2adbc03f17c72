import { isRecord } from "../../src/core/common/isRecord.ts"
import { ASSOCIATION_MEASURES, DEAL_MEASURES } from "../../src/core/reports/measures.ts"
import { MAX_INT4 } from "../../src/core/http/values/bounds.ts"

type Json = Record<string, any>
type Variant = readonly [at: string, value: unknown, extreme: unknown]

/** One request with an extreme value in one place, which `where` names. */
export interface Extreme {
  readonly where: string
  readonly method: string
  readonly path: string
  readonly type?: string
  readonly body?: string
}

const TEXTS = [
  "",
  "\0",
  "a\0b",
  "\ud800",
  "x".repeat(70_000),
  "0000-01-01",
  "0001-01-01",
  "9999-12-31",
  "0001-01-01T00:00:00+14:00",
  "9999-12-31T23:59:59.999999999-12:00",
  "2026-06-30T23:59:60Z",
  "-infinity",
  "1e999",
  '{"a":"\\u0000"}',
]
const NUMBERS = [
  0,
  -1,
  0.5,
  MAX_INT4,
  MAX_INT4 + 1,
  -MAX_INT4 - 2,
  Number.MAX_SAFE_INTEGER,
  -Number.MAX_SAFE_INTEGER,
  1e13,
  1e21,
  1.7e308,
  -1.7e308,
  5e-324,
]
/** Reports that compare spans at the ends of the calendar. */
const REPORTS = ["close_date", "created_at"].flatMap((field) =>
  ["0001-01-01", "9999-12-31"].flatMap((day) =>
    ["previous_period", "previous_year"].flatMap((compare) =>
      [1, 2, 12].flatMap((fiscal) =>
        ["week", "quarter", "year"].map(
          (grain) =>
            `?compare=${compare}&${field}[from]=${day}&${field}[to]=${day}&fiscal_start=${fiscal}&group_by=${field}.${grain}&measures=amount,amount_avg,cycle_days_avg`,
        ),
      ),
    ),
  ),
)

/** Reports of every measure over all rows, also those from before there were bounds. */
const sums = (path: string) =>
  Object.keys(path.endsWith("/deals/report") ? DEAL_MEASURES : ASSOCIATION_MEASURES).flatMap((measure) =>
    ["", "&group_by=close_date.quarter&fiscal_start=12", "&group_by=created_at.week&order_by=-measure"].map(
      (more) => `?measures=${measure}${more.replace("measure", measure)}`,
    ),
  )

const shown = (extreme: unknown) => JSON.stringify(extreme).slice(0, 60)

/** The extremes of every parameter, path and body of an OpenAPI description. `ids` replaces the path parameters that are not tested. */
export const extremesOf = (
  description: Json,
  ids: (method: string, path: string) => Readonly<Record<string, string>>,
): ReadonlyArray<Extreme> => {
  const resolve = (schema: Json): Json =>
    typeof schema["$ref"] === "string"
      ? resolve(description["components"]["schemas"][schema["$ref"].split("/").at(-1)!])
      : schema
  const options = (schema: Json): ReadonlyArray<Json> => schema["anyOf"] ?? schema["oneOf"] ?? [schema]

  /** A plain value that the schema is likely to accept. */
  const plain = (given: Json, depth = 0): unknown => {
    const schema = resolve(options(resolve(given))[0]!)
    if (schema["enum"] !== undefined) return schema["enum"][0]
    if (schema["contentSchema"] !== undefined) return JSON.stringify(plain(schema["contentSchema"], depth))
    switch (schema["type"]) {
      case "string":
        return schema["format"] === "date" ? "2026-01-01" : "x"
      case "integer":
      case "number":
        return schema["minimum"] ?? 1
      case "boolean":
        return true
      case "array":
        return depth > 4 ? [] : [plain(schema["items"] ?? {}, depth + 1)]
      case "object":
        return Object.fromEntries(
          ((schema["required"] ?? []) as ReadonlyArray<string>).map((name) => [
            name,
            plain(schema["properties"][name], depth + 1),
          ]),
        )
      default:
        return "x"
    }
  }

  /** The extremes of a value, each with the path of the place inside it. */
  const variants = function* (given: Json, base: unknown, depth = 0): Generator<Variant> {
    if (depth > 5) return
    for (const option of options(resolve(given))) {
      const schema = resolve(option)
      if (schema["anyOf"] !== undefined) yield* variants(schema, base, depth)
      else if (schema["contentSchema"] !== undefined) {
        for (const [at, value, extreme] of variants(schema["contentSchema"], plain(schema["contentSchema"]), depth)) {
          yield [at, JSON.stringify(value), extreme]
        }
      } else if (schema["enum"] !== undefined) yield ["", "\0", "\0"]
      else if (schema["type"] === "string") for (const text of TEXTS) yield ["", text, text]
      else if (schema["type"] === "integer" || schema["type"] === "number") {
        for (const number of NUMBERS) yield ["", number, number]
      } else if (schema["type"] === "array") {
        yield ["", [], []]
        const items = (schema["items"] ?? {}) as Json
        for (const [at, value, extreme] of variants(items, plain(items), depth + 1)) yield [`[]${at}`, [value], extreme]
      } else if (schema["type"] === "object") yield* variantsOfObject(schema, base, depth)
    }
  }

  const variantsOfObject = function* (schema: Json, base: unknown, depth: number): Generator<Variant> {
    const from = isRecord(base) ? base : (plain(schema) as object)
    for (const [name, property] of Object.entries<Json>(schema["properties"] ?? {})) {
      for (const [at, value, extreme] of variants(property, (from as Json)[name], depth + 1)) {
        yield [`.${name}${at}`, { ...from, [name]: value }, extreme]
      }
    }
    const others = schema["additionalProperties"]
    for (const name of isRecord(others) ? ["\0", "x", "__proto__"] : []) {
      for (const [at, value, extreme] of variants(others as Json, undefined, depth + 1)) {
        yield [`.${JSON.stringify(name)}${at}`, Object.fromEntries([[name, value]]), extreme]
      }
    }
  }

  const operations = Object.entries<Json>(description["paths"]).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )
  const found: Array<Extreme> = []
  for (const { path, method, operation } of operations) {
    const known = ids(method, path)
    const at = (given: Readonly<Record<string, string>> = {}) =>
      path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(given[name] ?? known[name] ?? "x"))
    const parameters = (operation["parameters"] ?? []) as ReadonlyArray<Json>
    const content = (operation["requestBody"]?.["content"] ?? {}) as Json
    const json = content["application/json"] ?? content["application/x-ndjson"]
    const type = content["application/json"] === undefined ? "application/x-ndjson" : "application/json"
    const whole = json && { type, body: JSON.stringify(json["example"] ?? plain(json["schema"])) }
    for (const { name, in: place, schema } of parameters) {
      if (place !== "query" && place !== "path") continue
      for (const [inside, value, extreme] of variants(schema, undefined)) {
        const text = typeof value === "string" ? value : JSON.stringify(value)
        if (text.length > 20_000) continue
        const target =
          place === "path"
            ? at({ [name]: text.toWellFormed() })
            : `${at()}?${new URLSearchParams({ [name]: text.toWellFormed() })}`
        found.push({ where: `${method} ${path} ${name}${inside} ${shown(extreme)}`, method, path: target, ...whole })
      }
    }
    for (const [inside, value, extreme] of json === undefined ? [] : variants(json["schema"], json["example"])) {
      const body = JSON.stringify(value)
      found.push({ where: `${method} ${path} body${inside} ${shown(extreme)}`, method, path: at(), type, body })
    }
    if (path.endsWith("/report")) {
      for (const query of [...REPORTS, ...sums(path)])
        found.push({ where: `${method} ${path}${query}`, method, path: `${at()}${query}` })
    }
  }
  // What writes comes first, so that readers meet what was written.
  return found.sort((a, b) => Number(a.method === "GET") - Number(b.method === "GET"))
}
