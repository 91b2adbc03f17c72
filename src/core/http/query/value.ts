import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as SchemaAST from "effect/SchemaAST"
import * as SchemaGetter from "effect/SchemaGetter"
import * as SchemaIssue from "effect/SchemaIssue"
import { Bracketed, type Branch } from "./Brackets.ts"
import { splitCommas } from "../values/lists.ts"

/** The part of a parameter's schema that decides how its text is read. */
type Shape =
  | { readonly kind: "list"; readonly item: Shape }
  | { readonly kind: "object"; readonly fieldOf: (name: string) => Shape }
  | { readonly kind: "number" | "boolean" }
  /** `inBrackets`: the object that brackets may give instead of text. */
  | { readonly kind: "text"; readonly inBrackets?: Shape | undefined }

interface Options {
  /** A valid value for error messages and the OpenAPI description. */
  readonly example?: unknown
  /** Splits plain values at commas: `tags=a,b`. */
  readonly commas?: true
}

/**
 * Decodes an array or object from a query string. It has one of three forms: JSON, repeated parameters
 * (`status=Won&status=Lost`) or brackets (`amount[min]=5`, `status[]=Won`), which `Brackets` has gathered.
 */
export const queryValue = <A, I>(schema: Schema.Codec<A, I>, options: Options = {}) => {
  const shape = findShape(Schema.toEncoded(schema).ast)
  return Schema.Any.pipe(
    Schema.decodeTo(schema, {
      decode: SchemaGetter.transformEffect<I, Written>((written) => {
        try {
          return Effect.succeed(read(shape, written, options) as I)
        } catch (problem) {
          if (!(problem instanceof Unreadable)) throw problem
          return Effect.fail(new SchemaIssue.InvalidValue({ message: problem.reason }))
        }
      }),
      encode: SchemaGetter.transform<string, I>((value) => JSON.stringify(value)),
    }),
  ) as unknown as Schema.Codec<A, string | ReadonlyArray<string>>
}

type Written = string | ReadonlyArray<string> | Branch | Bracketed

class Unreadable {
  readonly reason: string
  constructor(reason: string) {
    this.reason = reason
  }
}

const TEXT: Shape = { kind: "text" }

const findShape = (ast: SchemaAST.AST): Shape => {
  switch (ast._tag) {
    case "Union": {
      const members = ast.types.filter(({ _tag }) => _tag !== "Undefined" && _tag !== "Null").map(findShape)
      const list = members.find(({ kind }) => kind === "list")
      const text = members.find(({ kind }) => kind === "text")
      if (list !== undefined || text === undefined) return list ?? members[0] ?? TEXT
      return { kind: "text", inBrackets: members.find(({ kind }) => kind === "object") }
    }
    case "Arrays":
      return { kind: "list", item: ast.rest[0] === undefined ? TEXT : findShape(ast.rest[0]) }
    case "Objects": {
      const fields = new Map(ast.propertySignatures.map(({ name, type }) => [name, findShape(type)]))
      const others = ast.indexSignatures[0] === undefined ? TEXT : findShape(ast.indexSignatures[0].type)
      return { kind: "object", fieldOf: (name) => fields.get(name) ?? others }
    }
    case "Number":
      return { kind: "number" }
    case "Boolean":
      return { kind: "boolean" }
    default:
      return TEXT
  }
}

const SEVERAL_FORMS = "must be in one form only: JSON, repeated parameters or brackets"
const ONCE = "must be given once"

/** Reads the value of `written`. Text that is not a number stays text, so that the schema reports it. */
const read = (shape: Shape, written: Written, options: Options): unknown => {
  if (written instanceof Bracketed) {
    if (written.isMixed) throw new Unreadable(SEVERAL_FORMS)
    return readBranch(shape, written.branch, options)
  }
  if (typeof written === "string") return readText(shape, written, options)
  if (written instanceof Map) return readBranch(shape, written, options)
  if (shape.kind !== "list") throw new Unreadable(ONCE)
  if (written.some((text) => text.trimStart().startsWith("[") && isArray(text))) throw new Unreadable(SEVERAL_FORMS)
  return written.flatMap((text) => elements(shape.item, text, options))
}

const readText = (shape: Shape, text: string, options: Options): unknown => {
  switch (shape.kind) {
    case "list": {
      if (text.trimStart().startsWith("[")) return readJson(text, options)
      const isObject = text.trimStart().startsWith("{")
      if (isObject && shape.item.kind !== "object") throw new Unreadable(notJson(options))
      return elements(shape.item, text, options)
    }
    case "object":
      if (text.trimStart().startsWith("{")) return readJson(text, options)
      throw new Unreadable(notJson(options))
    case "number":
      return NUMBER.test(text) ? Number(text) : text
    case "boolean":
      return text === "true" ? true : text === "false" ? false : text
    case "text":
      return text
  }
}

const NUMBER = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/

/** Reads the elements of one plain value. */
const elements = (item: Shape, text: string, options: Options): ReadonlyArray<unknown> =>
  options.commas === true ? splitCommas(text) : [readText(item, text, options)]

const readBranch = (shape: Shape, branch: Branch, options: Options): unknown => {
  if (shape.kind === "text" && shape.inBrackets !== undefined) return readBranch(shape.inBrackets, branch, options)
  if (shape.kind === "object") {
    if (branch.has("")) throw new Unreadable("must name its parts between the brackets")
    const entries = [...branch].map(([name, written]) => [name, read(shape.fieldOf(name), written, options)])
    return Object.fromEntries(entries)
  }
  const keys = [...branch.keys()]
  if (shape.kind !== "list" || !keys.every((key) => key === "" || INDEX.test(key))) {
    throw new Unreadable(`has no part [${keys.find((key) => !INDEX.test(key)) ?? keys[0]}]`)
  }
  const appended = branch.get("")
  if (appended === undefined) {
    return [...branch]
      .sort(([a], [b]) => Number(a) - Number(b))
      .map(([, written]) => read(shape.item, written, options))
  }
  if (branch.size > 1) throw new Unreadable(SEVERAL_FORMS)
  if (appended instanceof Map) throw new Unreadable("must number its elements: [0], [1] and so on, instead of []")
  return [appended].flat().map((text) => readText(shape.item, text, options))
}

const INDEX = /^\d{1,6}$/

const readJson = (text: string, options: Options): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw new Unreadable(notJson(options))
  }
}

const notJson = ({ example }: Options) =>
  example === undefined ? "must be JSON" : `must be JSON, for example ${JSON.stringify(example)}`

const isArray = (text: string) => {
  try {
    return Array.isArray(JSON.parse(text))
  } catch {
    return false
  }
}
