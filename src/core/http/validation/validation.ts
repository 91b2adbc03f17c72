import type * as SchemaIssue from "effect/SchemaIssue"
import { suggestion } from "../../common/nearest.ts"
import { shown } from "../../common/options.ts"
import { shorten } from "../../common/shorten.ts"
import { BadRequest } from "../errors/errors.ts"
import { jsonProblem } from "./json.ts"
import { explain, explainType, listOptions } from "./expectation.ts"

/** One wrong value or name. `reason` follows `field` in a sentence: "`status` has no stage 'Lsot'". */
export interface Invalid {
  readonly field: string
  readonly reason: string
  /** The value to send instead. */
  readonly did_you_mean?: string
}

/** An unknown name, and the accepted ones. */
interface Unknown {
  readonly field: string
  readonly accepted: ReadonlyArray<string>
}

/** The problems that a schema found. Descriptions are computed on demand: suggestions cost time, and only some are reported. */
interface Problems {
  readonly missing: Array<string>
  readonly unknown: Array<Unknown>
  readonly invalid: Map<string, () => Invalid>
}

/** The longest list of accepted values that an error shows; longer ones are in the documentation. */
export const MAX_LISTED = 20
/** The problems of each sort that a reply reports. A body of 1 MiB can have 100,000. */
const MAX_REPORTED = 50
/** The unknown names for which the likeliest accepted one is sought. */
const MAX_SUGGESTED = 20

/**
 * Reports every problem of a request in one error: a schema's `issue`, problems found otherwise (`missing`, `unknown`,
 * `invalid`), or both. `whole` names the part of the request if a problem has no field.
 */
export const badRequest = (
  found: {
    readonly issue?: SchemaIssue.Issue
    readonly missing?: ReadonlyArray<string>
    readonly unknown?: ReadonlyArray<Unknown>
    readonly invalid?: ReadonlyArray<Invalid>
  },
  whole = "body",
): BadRequest => {
  const problems = found.issue === undefined ? undefined : listProblems(found.issue, whole)
  const missing = [...(found.missing ?? []), ...(problems?.missing ?? [])]
  const unknown = [...(found.unknown ?? []).slice(0, MAX_REPORTED).map(unknownName), ...(problems?.unknown ?? [])]
  const invalid = [...(found.invalid ?? []).slice(0, MAX_REPORTED), ...unknown, ...(problems?.invalid ?? [])]
  const sentences = [
    missing.length > 0 && `missing: ${missing.join(", ")}`,
    ...invalid.map((problem) => `${problem.field} ${reasonWithSuggestion(problem)}`),
  ].filter((sentence) => sentence !== false)
  return new BadRequest({
    message: `Invalid request: ${sentences.join("; ")}`,
    details: {
      ...(missing.length > 0 && { missing_fields: missing }),
      ...(unknown.length > 0 && { unknown_fields: unknown.map(({ field }) => field) }),
      ...(invalid.length > 0 && { invalid_fields: invalid }),
    },
  })
}

/** Lists a schema's problems by field. `whole` is the name for problems without a field. */
export const listProblems = (issue: SchemaIssue.Issue, whole: string) => {
  const problems: Problems = { missing: [], unknown: [], invalid: new Map() }
  collect(issue, "", whole, problems)
  return {
    missing: problems.missing.slice(0, MAX_REPORTED),
    unknown: problems.unknown.slice(0, MAX_REPORTED).map(unknownName),
    invalid: [...problems.invalid.values()].slice(0, MAX_REPORTED).map((describe) => describe()),
  }
}

export const reasonWithSuggestion = ({ reason, did_you_mean }: Invalid): string =>
  did_you_mean === undefined ? reason : `${reason} (did you mean ${did_you_mean}?)`

/** The error for a body that is not JSON. */
export const notJson = (text: string): BadRequest =>
  badRequest({ invalid: [{ field: "body", reason: `must be JSON: ${jsonProblem(text) ?? "it cannot be parsed"}` }] })

const unknownName = ({ field, accepted }: Unknown, index: number): Invalid => {
  const start = field.lastIndexOf(".") + 1
  const { did_you_mean } = index < MAX_SUGGESTED ? suggestion(field.slice(start), accepted) : {}
  const known =
    accepted.length > MAX_LISTED ? "" : accepted.length === 0 ? ": omit it" : `, only ${accepted.join(", ")}`
  return {
    field,
    reason: `is not accepted here${known}`,
    ...(did_you_mean !== undefined && { did_you_mean: field.slice(0, start) + did_you_mean }),
  }
}

/** The problem of a value that is not one of `options`. Lists them all if they are few, and suggests the nearest. */
export const notOneOf = (field: string, value: unknown, options: ReadonlyArray<string>): Invalid => ({
  field,
  reason: `must be ${options.length > MAX_LISTED ? "one of the documented values" : oneOf(options)}, not ${shown(value)}`,
  ...(typeof value === "string" && suggestion(value, options)),
})

const oneOf = (options: ReadonlyArray<string>) => {
  const quoted = options.some((option) => /[\s,]/.test(option)) ? options.map((option) => `"${option}"`) : options
  return quoted.length === 1 ? quoted.join() : `one of ${quoted.join(", ")}`
}

const collect = (issue: SchemaIssue.Issue, path: string, whole: string, into: Problems): void => {
  const field = path === "" ? whole : path
  switch (issue._tag) {
    case "Pointer":
      return collect(issue.issue, issue.path.reduce<string>(join, path), whole, into)
    case "Composite":
      for (const each of issue.issues) collect(each, path, whole, into)
      return
    case "MissingKey":
      into.missing.push(path)
      return
    case "UnexpectedKey":
      if (into.unknown.length < MAX_REPORTED) into.unknown.push({ field: path, accepted: listNames(issue.ast) })
      return
    case "Filter":
      // A check across fields names the field itself.
      if (issue.issue._tag === "Pointer" || issue.issue._tag === "Composite") {
        return collect(issue.issue, path, whole, into)
      }
      break
    case "Encoding":
      return collect(issue.issue, path, whole, into)
    case "AnyOf":
      // An optional field is a union with undefined, so the issue of its only other member is the problem.
      if (issue.issues.length === 1 && issue.issues[0] !== undefined) return collect(issue.issues[0], path, whole, into)
      break
  }
  if (into.invalid.size >= MAX_REPORTED) return
  const options = "ast" in issue ? listOptions(issue.ast) : undefined
  if (options !== undefined) {
    into.invalid.set(field, () => notOneOf(field, issue.input, options))
  } else {
    const found = "ast" in issue ? explainType(issue) : explain(issue)
    into.invalid.set(`${field} ${found.reason}`, () => ({ field, ...found }))
  }
}

/** The field names of an object schema. */
const listNames = (ast: { readonly _tag: string }): ReadonlyArray<string> =>
  "propertySignatures" in ast
    ? (ast.propertySignatures as ReadonlyArray<{ readonly name: PropertyKey }>).map(({ name }) => String(name))
    : []

/** A name of the caller's may have as many characters as the body. */
const join = (path: string, key: PropertyKey): string => {
  if (typeof key === "number" && path !== "") return `${path}[${key}]`
  const name = shorten(String(key))
  return path === "" ? name : `${path}.${name}`
}
