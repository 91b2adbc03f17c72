import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as SchemaAST from "effect/SchemaAST"
import { isRecord } from "../../common/isRecord.ts"
import { nearest } from "../../common/nearest.ts"
import { FILTER_EXAMPLES } from "../../deals/filters/examples.ts"
import { splitCommas } from "../../http/values/lists.ts"
import { type Invalid, listProblems } from "../../http/validation/validation.ts"
import { FILTER_NAMES, REPORT_FILTERS } from "./filters.ts"

const PARSING = { errors: "all", onExcessProperty: "error", reportInput: true } as const

/** In UTF-16 units, of a value in a refusal. */
const MAX_SHOWN = 80

/** Marks an array whose plain text is a list with commas, as in the query string of a report. */
export const COMMAS = "sightline/commas"

/**
 * Reads the arguments of a call as leniently as `GET /deals` reads a query string: JSON text for an array or object, text for a number
 * or truth value, a single value for an array, and null for an absent parameter. Fails with a message that says how to correct them.
 */
export const readArguments = <A>(schema: Schema.Codec<A, unknown>, given: unknown): Result.Result<A, string> => {
  const args = readLoosely(Schema.toEncoded(schema).ast, given ?? {})
  return Result.mapError(Schema.decodeUnknownResult(schema, PARSING)(args), ({ issue }) => {
    const { missing, unknown, invalid } = listProblems(issue, "arguments")
    return refusal([
      ...(missing.length > 0 ? [`missing: ${missing.join(", ")}`] : []),
      ...unknown.map((problem) => describeUnknown(problem, schema)),
      ...invalid.map((problem) => describeInvalid(problem, valueAt(args, problem.field))),
    ])
  })
}

export const refusal = (problems: ReadonlyArray<string>): string =>
  `Invalid arguments: ${problems.join("; ")}. Correct this and call again.`

const NUMBER = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/

const readLoosely = (ast: SchemaAST.AST, given: unknown): unknown => {
  switch (ast._tag) {
    case "Union": {
      const [member, ...others] = ast.types.filter(({ _tag }) => _tag !== "Undefined" && _tag !== "Null")
      return member === undefined || others.length > 0 ? given : readLoosely(member, given)
    }
    case "Arrays":
      return readList(ast, given)
    case "Objects":
      return readObject(ast, given)
    case "Number":
      return typeof given === "string" && NUMBER.test(given.trim()) ? Number(given) : given
    case "Boolean":
      return given === "true" ? true : given === "false" ? false : given
    case "String":
      return Number.isSafeInteger(given) ? String(given) : given
    default:
      return given
  }
}

const readList = (ast: SchemaAST.Arrays, given: unknown): unknown => {
  const list = typeof given === "string" ? listIn(given, ast) : given
  // Broken JSON.
  if (typeof list === "string" && list.trimStart().startsWith("[")) return list
  const items = Array.isArray(list) ? list : [list]
  const [item] = ast.rest
  return item === undefined ? items : items.map((each) => readLoosely(item, each))
}

const readObject = (ast: SchemaAST.Objects, given: unknown): unknown => {
  const object = typeof given === "string" ? jsonIn(given, "{") : given
  if (!isRecord(object)) return object
  const fields = new Map<PropertyKey, SchemaAST.AST>(ast.propertySignatures.map(({ name, type }) => [name, type]))
  const others = ast.indexSignatures[0]?.type
  const entries = Object.entries(object).flatMap(([name, value]) => {
    const type = fields.get(name) ?? others
    // In a record, null may be a value: `custom_answers` takes it for deals without an answer.
    if (value === null && (fields.has(name) || others === undefined)) return []
    return [[name, type === undefined ? value : readLoosely(type, value)] as const]
  })
  return Object.fromEntries(entries)
}

/** Text that is no JSON stays text, so that the schema reports it. */
const jsonIn = (text: string, start: "[" | "{"): unknown => {
  if (!text.trimStart().startsWith(start)) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const listIn = (text: string, ast: SchemaAST.Arrays): unknown => {
  const list = jsonIn(text, "[")
  return list === text && ast.annotations?.[COMMAS] === true ? splitCommas(text) : list
}

const nameIn = (field: string) => field.slice(field.lastIndexOf(".") + 1)

/** An argument or filter with an unknown name. */
const describeUnknown = ({ field, reason, did_you_mean }: Invalid, schema: Schema.Top): string => {
  const takesFilters = "fields" in schema && isRecord(schema.fields) && "filters" in schema.fields
  const name = nameIn(field)
  if (/^(?:filters|more)\.(?:and\[\d+\]\.)?[^.]*$/.test(field)) {
    const near = nearest(name, FILTER_NAMES)
    const known =
      near.length > 0 ? `the nearest are ${near.join(", ")}` : `the usual ones are ${REPORT_FILTERS.join(", ")}`
    return `${field} is no filter: ${known}; describe_workspace with kind "filters" lists the others`
  }
  if (takesFilters && field === name && FILTER_NAMES.some((filter) => filter === name))
    return `${name} is a filter: give it as {"filters": {"${name}": …}}`
  return `${field} ${reason}${did_you_mean === undefined ? "" : ` (did you mean ${did_you_mean}?)`}`
}

const describeInvalid = ({ field, reason, did_you_mean }: Invalid, value: unknown): string => {
  const example = reason.startsWith("must be a") ? makeExample(field) : undefined
  const right = example === undefined ? reason : `${reason}, such as ${JSON.stringify(example)}`
  const shown = value === undefined || /, (?:not|unlike) /.test(reason) ? "" : `, not ${show(value)}`
  return `${field} ${right}${shown}${did_you_mean === undefined ? "" : ` (did you mean ${did_you_mean}?)`}`
}

/** A value of a whole filter, or of all filters. */
const makeExample = (field: string): unknown => {
  if (field === "filters" || field === "more") return { region: FILTER_EXAMPLES.region }
  const [, name] = /^(?:filters|more)\.(?:and\[\d+\]\.)?([^.[]+)$/.exec(field) ?? []
  return FILTER_EXAMPLES[name as keyof typeof FILTER_EXAMPLES]
}

const show = (value: unknown) => {
  const text = JSON.stringify(value)
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
}

/** The value at a path such as `filters.amount.min` or `measures[0]`; undefined if there is none. */
const valueAt = (args: unknown, path: string): unknown =>
  path === "arguments"
    ? args
    : path
        .split(/[.[\]]+/)
        .filter((key) => key !== "")
        .reduce(
          (value, key) => (typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined),
          args,
        )
