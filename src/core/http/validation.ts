import * as SchemaIssue from "effect/SchemaIssue"
import { BadRequest } from "./errors.ts"

export interface Problems {
  readonly missing: Array<string>
  readonly unknown: Array<string>
  readonly invalid: Array<{ readonly field: string; readonly reason: string }>
}

/**
 * Every problem of a request in one answer. Call with what a schema found (an issue), with what was found beside it
 * (`missing`, `unknown`, `invalid`), or with both.
 */
export const badRequest = (
  found: {
    readonly issue?: SchemaIssue.Issue
    readonly missing?: ReadonlyArray<string>
    readonly unknown?: ReadonlyArray<string>
    readonly invalid?: ReadonlyArray<{ readonly field: string; readonly reason: string }>
  },
  whole = "body",
): BadRequest => {
  const problems =
    found.issue === undefined ? { missing: [], unknown: [], invalid: [] } : problemsOf(found.issue, whole)
  problems.missing.unshift(...(found.missing ?? []))
  problems.unknown.unshift(...(found.unknown ?? []))
  problems.invalid.unshift(...(found.invalid ?? []))
  const sentences = [
    problems.missing.length > 0 && `missing: ${problems.missing.join(", ")}`,
    problems.unknown.length > 0 && `unknown: ${problems.unknown.join(", ")}`,
    ...problems.invalid.map(({ field, reason }) => `${field} ${reason}`),
  ].filter((sentence) => sentence !== false)
  return new BadRequest({
    message: `Invalid request: ${sentences.join("; ")}`,
    details: {
      ...(problems.missing.length > 0 && { missing_fields: problems.missing }),
      ...(problems.unknown.length > 0 && { unknown_fields: problems.unknown }),
      ...(problems.invalid.length > 0 && { invalid_fields: problems.invalid }),
    },
  })
}

/** What a schema found, by field. `whole` names a value that has none. */
export const problemsOf = (issue: SchemaIssue.Issue, whole: string): Problems => {
  const problems: Problems = { missing: [], unknown: [], invalid: [] }
  collect(issue, "", whole, problems)
  return problems
}

const collect = (issue: SchemaIssue.Issue, path: string, whole: string, into: Problems): void => {
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
      into.unknown.push(path)
      return
    case "Filter":
      // A condition between fields says which of them it is about.
      if (issue.issue._tag === "Pointer") return collect(issue.issue, path, whole, into)
      into.invalid.push({ field: path === "" ? whole : path, reason: reason(issue) })
      return
    case "Encoding":
      return collect(issue.issue, path, whole, into)
    case "AnyOf":
      // An optional field is a union with undefined: what its one real member says is what is wrong.
      if (issue.issues.length === 1 && issue.issues[0] !== undefined) return collect(issue.issues[0], path, whole, into)
      into.invalid.push({ field: path === "" ? whole : path, reason: reason(issue) })
      return
    default:
      into.invalid.push({ field: path === "" ? whole : path, reason: reason(issue) })
  }
}

const join = (path: string, key: PropertyKey): string =>
  path === "" ? String(key) : typeof key === "number" ? `${path}[${key}]` : `${path}.${String(key)}`

const format = SchemaIssue.makeFormatterDefault()

/** "must be …": a schema's own message where it has one, else what it expected. Values are never echoed whole. */
const reason = (issue: SchemaIssue.Issue): string => {
  const text = format(issue).split("\n")[0] ?? ""
  return text.replace(/^Expected /, "must be ").replace(/, (actual|got|but got) .*$/s, "")
}
