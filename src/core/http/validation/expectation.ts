import type * as SchemaAST from "effect/SchemaAST"
import * as SchemaIssue from "effect/SchemaIssue"
import { shown } from "../../common/options.ts"

/**
 * Describes what a schema accepts in the terms of JSON. Effect's own formatter names schemas and their structure, which a
 * caller does not know.
 */
const describeExpectation = (ast: SchemaAST.AST): string => {
  switch (ast._tag) {
    case "Union": {
      const options = listOptions(ast)
      if (options !== undefined) return options.join(" or ")
      return [...new Set(listMembers(ast).map(describeExpectation))].join(" or ")
    }
    case "Literal":
      return String(ast.literal)
    case "Arrays":
      return "an array"
    case "Objects":
      return "an object"
    case "Number":
      return "a number"
    case "Boolean":
      return "true or false"
    case "Null":
      return "null"
    case "String":
      return describeText(ast)
    default:
      return "a valid value"
  }
}

/** Query parameters arrive as text, so this describes the decoded type. */
const describeText = (ast: SchemaAST.AST): string => {
  const expected = ast.annotations?.["expected"]
  const [, meant] = (typeof expected === "string" && /decoded as (.*)$/.exec(expected)) || []
  return meant === undefined ? "a string" : meant === "JSON" ? "JSON" : meant.replace("finite ", "")
}

const listMembers = (ast: SchemaAST.Union) => ast.types.filter(({ _tag }) => _tag !== "Undefined" && _tag !== "Void")

/** The values of a union of string literals; undefined for any other schema. */
export const listOptions = (ast: SchemaAST.AST): ReadonlyArray<string> | undefined => {
  if (ast._tag === "Literal") return typeof ast.literal === "string" ? [ast.literal] : undefined
  if (ast._tag !== "Union") return undefined
  const options = listMembers(ast).map(listOptions)
  return options.length > 0 && options.every((each) => each !== undefined) ? options.flat() : undefined
}

/** Why a value of another type is refused. A value in place of an object or a list may hold a secret, so it is not shown. */
export const explainType = ({ ast, input }: { readonly ast: SchemaAST.AST; readonly input?: unknown }): Reason => {
  const expected = describeExpectation(ast)
  const isShown = input !== undefined && /^(?:a number|a string|true or false)/.test(expected)
  return { reason: `must be ${expected}${isShown ? `, not ${shown(input)}` : ""}` }
}

/** Why a value of the right type is refused: the check's own message, or ours for Effect's built-in checks. */
export const explain = (issue: SchemaIssue.Issue): Reason => {
  const own = explainOwn(issue._tag === "Filter" ? issue.issue : issue)
  if (own !== undefined) return own
  const reason = issue._tag === "Filter" ? reasonOfCheck(issue.filter.annotations, issue.input) : undefined
  return { reason: reason ?? "must be a valid value" }
}

interface Reason {
  readonly reason: string
  readonly did_you_mean?: string
}

/** The issue that a check returns when it has a suggestion as well as a reason. */
export const refusedBecause = ({ reason, ...suggested }: Reason): SchemaIssue.Issue =>
  new SchemaIssue.InvalidValue({ message: reason, ...suggested })

const explainOwn = (issue: SchemaIssue.Issue): Reason | undefined => {
  const { message, did_you_mean } = ("annotations" in issue ? (issue.annotations ?? {}) : {}) as {
    readonly message?: unknown
    readonly did_you_mean?: unknown
  }
  if (typeof message !== "string") return undefined
  return { reason: message, ...(typeof did_you_mean === "string" && { did_you_mean }) }
}

/** How Effect begins the description of a text that it parses, as in a query. */
const PARSED = "a string representing "

const reasonOfCheck = (annotations: SchemaAST.Filter<unknown>["annotations"], input: unknown): string | undefined => {
  const { id = "", payload = {} } = (annotations?.["representation"] ?? {}) as {
    readonly id?: string
    readonly payload?: Readonly<Record<string, unknown>>
  }
  const [unit, units] = typeof input === "string" ? ["character", "characters"] : ["value", "values"]
  const count = (n: unknown) => `${n === 1 ? "one" : String(n)} ${n === 1 ? unit : units}`
  switch (id.split("/").at(-1)) {
    case "isMinLength":
      return `must have at least ${count(payload["minLength"])}`
    case "isMaxLength":
      return `must have at most ${count(payload["maxLength"])}`
    case "isBetween":
      return `must be between ${String(payload["minimum"])} and ${String(payload["maximum"])}, not ${shown(input)}`
    case "isInt":
      return `must be a whole number, not ${shown(input)}`
    case "isFinite":
      return `must be a finite number, not ${shown(input)}`
  }
  const expected = annotations?.["expected"]
  if (typeof expected !== "string") return undefined
  return expected.startsWith(PARSED)
    ? `must be ${expected.slice(PARSED.length)}, not ${shown(input)}`
    : `must be ${expected}`
}
