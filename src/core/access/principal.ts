import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { listProblems, reasonWithSuggestion } from "../http/validation/validation.ts"
import { type Identity, PERMISSION_NAMES, ROLE_NAMES, ROLES } from "./permissions.ts"

const MAX_LENGTH = 200

const shortText = Schema.String.check(
  Schema.makeFilter(
    (text: string) =>
      (text.length >= 1 && text.length <= MAX_LENGTH && text.isWellFormed() && !/\p{Cc}/u.test(text)) ||
      `must be a text of 1 to ${MAX_LENGTH} characters without control characters`,
  ),
)

const PrincipalSchema = Schema.Struct({
  /** The id of the organization, as `Organizations` knows it. */
  organization: shortText,
  role: Schema.Literals(ROLE_NAMES),
  /** Fewer permissions than the role has. Without it, all of them. */
  permissions: Schema.optional(Schema.Array(Schema.Literals(PERMISSION_NAMES))),
  /** The user or service of the host. `id` is unique in the organization and does not change; `name` is for people. */
  identity: Schema.Struct({ id: shortText, name: shortText }),
})

/** The sender of a request to an embedding host, who needs no key: the host vouches for all of it. */
export interface Principal extends Schema.Schema.Type<typeof PrincipalSchema> {
  readonly identity: Identity
}

/**
 * Names the sender of a request; undefined if the request carries none, which then needs a key. It must not read the
 * request's body, except from a clone.
 */
export type FindPrincipal = (request: Request) => Principal | undefined | Promise<Principal | undefined>

const decode = Schema.decodeUnknownResult(PrincipalSchema)

/** Returns a principal, or a sentence that says what is wrong with the value. */
export const parsePrincipal = (value: unknown): Principal | string => {
  const problems = problemsOfPrincipal(value)
  return problems.length === 0
    ? (value as Principal)
    : problems.map(({ field, reason }) => `\`${field}\` ${reason}`).join("; ")
}

/** Says what is wrong with a value that should be a principal; nothing if it is one. */
export const problemsOfPrincipal = (
  value: unknown,
): ReadonlyArray<{ readonly field: string; readonly reason: string }> => {
  const parsed = decode(value, { errors: "all", onExcessProperty: "error", reportInput: true })
  if (Result.isFailure(parsed)) {
    const { missing, unknown, invalid } = listProblems(parsed.failure.issue, "the principal")
    return [
      ...missing.map((field) => ({ field, reason: "is missing" })),
      ...[...unknown, ...invalid].map((problem) => ({ field: problem.field, reason: reasonWithSuggestion(problem) })),
    ]
  }
  const { role, permissions = [] } = parsed.success
  const beyond = permissions.filter((permission) => !ROLES[role].includes(permission))
  if (beyond.length === 0) return []
  const reason = `must be permissions of role '${role}', which does not have ${beyond.join(", ")}`
  return [{ field: "permissions", reason }]
}
