import type { DealReference, Reference } from "../../deals/edits/record.ts"
import { shorten } from "../../common/shorten.ts"
import type { Problem } from "../entry.ts"
import type { BatchState } from "../ImportState.ts"
import { type By, type Choice, type Choices, foldName, keyOf, type Match, type Names } from "./Names.ts"
import type { EntityType, Kind } from "./kinds.ts"
import { readPerson } from "./person.ts"

/** The target of a reference: an existing row, or one to create once the whole record is valid. */
type ResolvedReference =
  | {
      readonly id: string
      readonly merged?: ReadonlyArray<Match>
      readonly otherName?: string
      readonly rename?: { readonly email: string; readonly name: string }
    }
  | { readonly create: NonNullable<Choices["create"]> }
  | { readonly problem: string; readonly isUnknown?: true }

/** The fields by which to look up a plain string, in this order. */
const lookupOrder = (kind: Kind): ReadonlyArray<By> =>
  kind === "deal"
    ? ["id", "crm_one_id", "crm_two_id"]
    : kind === "client"
      ? ["id", "crm_one_id", "crm_two_id", "name"]
      : ["id", "name"]

const choice = (kind: Kind, by: By, value: string): Choice => ({ by, value, key: keyOf(kind, by, value) })

/** The look-ups of a name: an owner also by e-mail, and in the other order of names. */
const choicesOfName = (kind: Kind, name: string): Choices => {
  if (kind !== "owner") return { choices: [choice(kind, "name", name)], create: { name } }
  const { email, names } = readPerson(name)
  return {
    choices: [
      choice(kind, "name", name),
      ...(email === undefined ? [] : [choice(kind, "email", email), choice(kind, "name", email)]),
      ...names.filter((each) => each !== name).map((each) => choice(kind, "name", each)),
    ],
    create: { name: names[0]!, ...(email !== undefined && { email }) },
  }
}

const choicesOfText = (kind: Kind, text: string): Choices => {
  const order = lookupOrder(kind)
  const ids = order.filter((by) => by !== "name").map((by) => choice(kind, by, text))
  if (!order.includes("name")) return { choices: ids }
  const { choices, create } = choicesOfName(kind, text)
  return { choices: [...ids, ...choices], ...(create !== undefined && { create }) }
}

const makeChoices = (kind: Kind, reference: Exclude<Reference | DealReference, string>): Choices => {
  if (!("name" in reference)) {
    const entries = Object.entries(reference) as ReadonlyArray<readonly [By, string]>
    return { choices: entries.map(([by, value]) => choice(kind, by, value.trim())) }
  }
  const name = reference.name.trim()
  if (!("id" in reference)) return choicesOfName(kind, name)
  const id = reference.id.trim()
  return { choices: [choice(kind, "id", id)], create: { id, name } }
}

/** The look-ups of a reference, and whether a reference of the batch has asked for them. */
const makeLookups = (names: Names, kind: Kind, reference: Reference | DealReference): [Choices, isKnown: boolean] => {
  if (typeof reference !== "string") return [makeChoices(kind, reference), false]
  const texts = names.textsOf(kind)
  const known = texts.get(reference)
  if (known !== undefined) return [known, true]
  const choices = choicesOfText(kind, reference.trim())
  texts.set(reference, choices)
  return [choices, false]
}

export const wantReference = (
  names: Names,
  kind: Kind,
  reference: Reference | DealReference | null | undefined,
): void => {
  if (reference === null || reference === undefined) return
  const [{ choices }, isKnown] = makeLookups(names, kind, reference)
  if (!isKnown) for (const { by, key } of choices) names.wantKey(kind, by, key)
}

/**
 * Picks the oldest of several rows whose names fold alike. If several have this name but for its case, it picks none: they are different
 * things that share a name.
 */
export const pickNamed = (kind: Kind, name: string, found: ReadonlyArray<Match>): ResolvedReference => {
  const isSame = (each: Match) => plain(each.written) === plain(name)
  const same = found.length === 1 ? found : found.filter(isSame)
  if (found.length > 1 && same.length > 1) return { problem: ambiguous(kind, name, same) }
  return { id: found[0]!.id, ...(found.length > 1 && { merged: found }) }
}

/** Before names were folded, those that differ so were alike. */
const plain = (name: string) => name.trim().toLowerCase()

/** Ids of accounts, contacts and users in Salesforce, of Dynamics (GUIDs) and of Zoho. An id never becomes a name. */
const CRM_ID =
  /^(?:00[135](?=\w*[A-Za-z])[A-Za-z0-9]{12}(?:[A-Za-z0-9]{3})?|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|zcrm_\d+)$/i
const isIdOfCrm = (kind: Kind, name: string): boolean => (kind === "client" || kind === "owner") && CRM_ID.test(name)

/** Resolves a reference. An owner who is called like the e-mail address gets the name beside it, unless another owner has it. */
const follow = (
  names: Names,
  kind: Kind,
  reference: Reference | DealReference,
  current?: string | null,
): ResolvedReference => {
  const [choices] = makeLookups(names, kind, reference)
  const resolved = resolve(names, kind, choices, current)
  const { name, email } = choices.create ?? {}
  if (!("id" in resolved) || email === undefined || name === undefined || name === email) return resolved
  const isUnnamed = names.find(kind, "name", email).some(({ id }) => id === resolved.id)
  return isUnnamed && names.find(kind, "name", name).length === 0 ? { ...resolved, rename: { email, name } } : resolved
}

/** Resolves a name. If several rows have it, it means `current`, to which the record refers already. */
const resolve = (
  names: Names,
  kind: Kind,
  { choices, create }: Choices,
  current?: string | null,
): ResolvedReference => {
  for (const { by, value, key } of choices) {
    const found = names.findKey(kind, by, key)
    if (found.length === 0) continue
    if (by === "name" && current != null && found.some(({ id }) => id === current)) return { id: current }
    if (by === "name") return pickNamed(kind, value, found)
    if (by === "crm_one_id" || by === "crm_two_id") return { id: names.findCrm(kind, by, value)! }
    if (found.length > 1) return { problem: ambiguous(kind, value, found) }
    const isOther = create?.id !== undefined && foldName(kind, found[0]!.written) !== foldName(kind, create.name)
    return { id: found[0]!.id, ...(isOther && { otherName: found[0]!.written }) }
  }
  if (create !== undefined && (create.id !== undefined || !isIdOfCrm(kind, create.name))) return { create }
  if (create !== undefined) {
    const cure =
      kind === "client"
        ? "import the clients with their ids first"
        : "map a column that has names or e-mail addresses, and ignore this one"
    const problem = `must name an existing ${kind}; '${shorten(create.name)}' is an id that no ${kind} has: ${cure}`
    return { problem, isUnknown: true }
  }
  return { problem: `must name an existing ${kind}; '${shorten(choices.at(-1)!.value)}' is not one`, isUnknown: true }
}

export const ambiguous = (kind: Kind, name: string, found: ReadonlyArray<{ readonly id: string }>) =>
  `must name one ${kind}; ${found.length} have the name '${shorten(name)}': use an id (${found
    .slice(0, 3)
    .map(({ id }) => id)
    .join(", ")})`

/** The state against which a record is checked. */
export interface CheckingContext {
  readonly names: Names
  readonly batch: BatchState
  /** `none`: a name that no row has is a problem. */
  readonly create?: "all" | "none" | undefined
}

/** Collects the problems of one record, and what it would create. A record with a problem creates nothing. */
export class Checking {
  readonly problems: Array<Problem> = []
  readonly line: number
  readonly #context: CheckingContext
  /** Whether the record names something that does not exist yet. */
  wouldCreate = false

  constructor(context: CheckingContext, line: number) {
    this.#context = context
    this.line = line
  }

  /** Whether another record of the file is about the row. */
  isOfThisFile(id: string): boolean {
    return this.#context.batch.hasTouched(id)
  }

  problem(field: string, reason: string): void {
    this.problems.push({ field, reason })
  }

  /** Warns that the oldest of several rows was taken. */
  noticeMerged(field: string, kind: Kind, name: string, found: ReadonlyArray<Match>): void {
    this.#context.batch.notice("name_merged", {
      field,
      line: this.line,
      example: name,
      message: `${found.length} ${kind}s have names like “${shorten(name)}” (${found
        .slice(0, 3)
        .map(({ id }) => id)
        .join(", ")}): the oldest is used`,
    })
  }

  /** Warns that an id without a name is unknown, so that nothing can be created. */
  noticeUnnamed(field: string, id: string): void {
    this.#context.batch.notice("unknown_id", {
      field,
      line: this.line,
      example: id,
      message: `the workspace does not have the stage ${shorten(id)}, and no row of the beginning of the file names it: it is left out`,
    })
  }

  noticeOtherName(field: string, kind: Kind, id: string, name: string, other: string): void {
    this.#context.batch.notice("same_id_other_name", {
      field,
      line: this.line,
      example: id,
      message: `the ${kind} ${shorten(id)} is “${shorten(other)}”, but this record names it “${shorten(name)}”`,
    })
  }

  /** Checks a reference. The function that it returns gives the id, and is called only if the whole record is valid. */
  reference(field: string, kind: Kind, reference: Reference | DealReference, current?: string | null): () => string {
    const { names, create } = this.#context
    const followed = follow(names, kind, reference, current)
    if ("problem" in followed) {
      this.problem(field, followed.problem)
      return () => ""
    }
    // Elements of a list are one field.
    const listed = field.replace(/\[\d+\].*$/, "")
    if ("id" in followed) {
      const { id, merged, otherName, rename } = followed
      if (merged === undefined && otherName === undefined && rename === undefined) return () => id
      return () => {
        if (rename !== undefined) names.rename(id, rename.email, rename.name)
        const name = typeof reference === "string" ? reference : "name" in reference ? reference.name : id
        if (merged !== undefined) this.noticeMerged(listed, kind, name.trim(), merged)
        if (otherName !== undefined) this.noticeOtherName(listed, kind, id, name.trim(), otherName)
        return id
      }
    }
    const wanted = followed.create
    this.wouldCreate = true
    if (create === "none") {
      this.problem(field, `must name an existing ${kind}, because create=none; there is no '${shorten(wanted.name)}'`)
      return () => ""
    }
    return () => {
      // Not a deal: only its ids refer to one.
      const again = follow(names, kind, reference)
      return "id" in again
        ? again.id
        : names.create({ kind: kind as EntityType, ...wanted, field: listed, line: this.line })
    }
  }

  /** Finds the id of an existing row, or undefined. An ambiguous name is a problem. */
  known(field: string, kind: Kind, reference: Reference | DealReference): string | undefined {
    const followed = follow(this.#context.names, kind, reference)
    if ("problem" in followed && followed.isUnknown !== true) this.problem(field, followed.problem)
    return "id" in followed ? followed.id : undefined
  }
}

/** The id of the row that a reference means, if it means exactly one that exists. */
export const findId = (names: Names, kind: Kind, reference: Reference | DealReference): string | undefined => {
  const followed = follow(names, kind, reference)
  return "id" in followed ? followed.id : undefined
}
