import * as Schema from "effect/Schema"
import { dateTime } from "../http/values/described.ts"
import { Text } from "../http/values/parameters.ts"

const MAX_ID_LENGTH = 64

/** `.` and `..` are not segments of a path, and a file store cannot name half a surrogate pair. */
const isId = (id: string) =>
  id.length >= 1 && id.length <= MAX_ID_LENGTH && id.isWellFormed() && !/\p{Cc}/u.test(id) && id !== "." && id !== ".."

export const OrganizationId = Schema.String.check(
  Schema.makeFilter(
    (id: string) =>
      isId(id) ||
      `must be 1 to ${MAX_ID_LENGTH} characters without control characters, and not "." or ".."; it is ${JSON.stringify(id.slice(0, 2 * MAX_ID_LENGTH))}`,
  ),
)

export const OrganizationName = Text.check(Schema.isTrimmed(), Schema.isNonEmpty(), Schema.isMaxLength(200))
/** The name of a plan in the table `plans`. */
export const PlanName = Text.check(Schema.isNonEmpty(), Schema.isMaxLength(40))

export const Organization = Schema.Struct({ id: Schema.String, name: Schema.String, plan: PlanName })
export type Organization = typeof Organization.Type

/** An organization whose id the host chooses. */
export const GivenOrganization = Schema.Struct({
  /** 1 to 64 characters, without control characters. */
  id: OrganizationId,
  /** 1 to 200 characters, trimmed. */
  name: OrganizationName,
  plan: PlanName,
})
export type GivenOrganization = typeof GivenOrganization.Type

/** Without `id`, one is generated. */
export interface NewOrganization extends Omit<GivenOrganization, "id"> {
  readonly id?: string | undefined
}

export const OrganizationPatch = Schema.Struct({
  name: Schema.optionalKey(OrganizationName),
  plan: Schema.optionalKey(PlanName),
})
export type OrganizationPatch = typeof OrganizationPatch.Type

export const ListedOrganization = Schema.Struct({
  ...Organization.fields,
  created_at: dateTime,
})
export type ListedOrganization = typeof ListedOrganization.Type

/** `next_cursor` is null on the last page. */
export const OrganizationPage = Schema.Struct({
  data: Schema.Array(ListedOrganization),
  next_cursor: Schema.NullOr(Schema.String),
})
export type OrganizationPage = typeof OrganizationPage.Type

/** `pending`: the blob store is unreachable; the files are deleted once it answers. */
export const Erased = Schema.Struct({ id: Schema.String, files: Schema.Literals(["removed", "pending"]) })
export type Erased = typeof Erased.Type
