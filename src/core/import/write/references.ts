import type { Problem } from "../entry.ts"
import type { By, Kind, Names } from "./Names.ts"
import type { DealReference, Reference } from "../../deals/record.ts"

/** The target of a reference: an existing row, or a name to create once the whole record is valid. */
type ResolvedReference =
  | { readonly id: string }
  | { readonly create: string }
  | { readonly problem: string; readonly isUnknown?: true }

/** The fields by which to look up a plain string, in this order. */
const lookupOrder = (kind: Kind): ReadonlyArray<By> =>
  kind === "deal"
    ? ["id", "crm_one_id", "crm_two_id"]
    : kind === "client"
      ? ["id", "crm_one_id", "crm_two_id", "name"]
      : ["id", "name"]

export const wantReference = (
  names: Names,
  kind: Kind,
  reference: Reference | DealReference | null | undefined,
): void => {
  if (reference === null || reference === undefined) return
  if (typeof reference === "string") {
    for (const by of lookupOrder(kind)) names.want(kind, by, reference.trim())
  } else {
    for (const [by, value] of Object.entries(reference)) names.want(kind, by as By, value.trim())
  }
}

const follow = (names: Names, kind: Kind, reference: Reference | DealReference): ResolvedReference => {
  const choices =
    typeof reference === "string"
      ? lookupOrder(kind).map((by) => [by, reference.trim()] as const)
      : (Object.entries(reference) as ReadonlyArray<readonly [By, string]>).map(
          ([by, value]) => [by, value.trim()] as const,
        )
  for (const [by, value] of choices) {
    const ids = names.find(kind, by, value)
    if (ids.length === 1) return { id: ids[0]! }
    if (ids.length > 1) return { problem: ambiguous(kind, value, ids) }
  }
  const [by, value] = choices.at(-1)!
  if (by === "name") return { create: value }
  return { problem: `must name an existing ${kind}; '${truncate(value)}' is not one`, isUnknown: true }
}

export const ambiguous = (kind: Kind, name: string, ids: ReadonlyArray<string>) =>
  `must name one ${kind}; ${ids.length} have the name '${truncate(name)}': use an id (${ids.slice(0, 3).join(", ")})`

const truncate = (text: string) => (text.length > 100 ? `${text.slice(0, 100)}…` : text)

/** Collects the problems of one record, and what it would create. A record with a problem creates nothing. */
export class Checking {
  readonly problems: Array<Problem> = []
  readonly #names: Names

  constructor(names: Names) {
    this.#names = names
  }

  problem(field: string, reason: string): void {
    this.problems.push({ field, reason })
  }

  /** Checks a reference. The function that it returns gives the id, and is called only if the whole record is valid. */
  reference(field: string, kind: Kind, reference: Reference | DealReference): () => string {
    const followed = follow(this.#names, kind, reference)
    if ("problem" in followed) {
      this.problem(field, followed.problem)
      return () => ""
    }
    if ("id" in followed) return () => followed.id
    return () => this.#names.find(kind, "name", followed.create)[0] ?? this.#names.create(kind, followed.create)
  }

  /** Finds the id of an existing row, or undefined. An ambiguous name is a problem. */
  known(field: string, kind: Kind, reference: Reference | DealReference): string | undefined {
    const followed = follow(this.#names, kind, reference)
    if ("problem" in followed && followed.isUnknown !== true) this.problem(field, followed.problem)
    return "id" in followed ? followed.id : undefined
  }
}
