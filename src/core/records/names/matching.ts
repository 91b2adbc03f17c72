import { crmKey } from "../../common/crmKey.ts"
import { fold } from "../../common/fold.ts"
import { makeIdUnsafe } from "../../common/ids.ts"
import type { MatchedBy } from "../ImportState.ts"
import { type By, foldName, type Names } from "./Names.ts"
import { type Kind, TABLES } from "./kinds.ts"
import { type Checking, pickNamed } from "./references.ts"

/** The fields that identify a record. */
export interface Identity {
  readonly id?: string | undefined
  readonly name?: string | undefined
  readonly email?: string | null | undefined
  readonly crm_one_id?: string | null | undefined
  readonly crm_two_id?: string | null | undefined
}

export interface Identified {
  readonly id: string
  readonly name: string
  readonly email?: string | null
  readonly crm_one_id?: string | null
  readonly crm_two_id?: string | null
}

export const CRM_IDS = ["crm_one_id", "crm_two_id"] as const

export const wantIdentity = (names: Names, kind: Kind, record: Identity): void => {
  names.want(kind, "id", record.id)
  for (const by of CRM_IDS) names.want(kind, by, record[by]?.trim())
  if (record.id !== undefined || kind === "deal") return
  names.want(kind, "name", record.name?.trim())
  if (kind === "owner") names.want(kind, "email", record.email?.trim())
}

/** The ids of all rows that may match one of the records. */
export const findCandidates = (names: Names, kind: Kind, records: ReadonlyArray<Identity>): ReadonlyArray<string> => {
  const found = (by: By, value: string | null | undefined) =>
    value == null ? [] : names.find(kind, by, value.trim()).map(({ id }) => id)
  return [
    ...new Set(
      records.flatMap((record) => [
        ...found("id", record.id),
        ...CRM_IDS.flatMap((by) => found(by, record[by])),
        ...(record.id === undefined ? [...found("name", record.name), ...found("email", record.email)] : []),
      ]),
    ),
  ]
}

/**
 * Returns the id of the row that a record matches by id, else by CRM id, else by name (an owner also by e-mail); or a new id. A record
 * with a new CRM id matches by name only what has none. For a deal, the caller matches names: `idByName`.
 */
export const match = (
  checking: Checking,
  names: Names,
  kind: Kind,
  record: Identity,
  rows: ReadonlyMap<string, Identified>,
  idByName?: string,
): string => {
  const id =
    record.id ??
    byCrmId(checking, names, kind, record) ??
    (kind === "deal" ? idByName : byName(checking, names, kind, record, rows))
  for (const by of CRM_IDS) {
    const value = record[by]
    if (value == null || id === undefined) continue
    const found = names.find(kind, by, value.trim())
    const other = found.some((each) => each.id === id) ? undefined : found[0]
    if (other !== undefined) checking.problem(by, `belongs to another ${kind} (${other.id})`)
  }
  return id ?? makeIdUnsafe(TABLES[kind].prefix)
}

/** How a record found the row that it matches. Before `register`. */
export const matchedBy = (
  names: Names,
  kind: Kind,
  record: Identity & { readonly client?: unknown },
  id: string,
): MatchedBy => {
  if (record.id !== undefined) return "id"
  const crm = CRM_IDS.find((by) => record[by] != null && names.findCrm(kind, by, record[by].trim()) === id)
  if (crm !== undefined) return crm
  if (kind === "deal") return record.client == null ? "name" : "name_and_client"
  return names.find(kind, "name", record.name ?? "").some((each) => each.id === id) ? "name" : "email"
}

const byCrmId = (checking: Checking, names: Names, kind: Kind, record: Identity): string | undefined => {
  const ids = new Set(
    CRM_IDS.flatMap((by) => (record[by] == null ? [] : (names.findCrm(kind, by, record[by].trim()) ?? []))),
  )
  if (ids.size > 1) {
    checking.problem(
      "crm_two_id",
      `must belong to the same ${kind} as crm_one_id; they belong to ${[...ids].join(" and ")}`,
    )
  }
  return ids.values().next().value
}

const byName = (
  checking: Checking,
  names: Names,
  kind: Kind,
  record: Identity,
  rows: ReadonlyMap<string, Identified>,
): string | undefined => {
  const given = CRM_IDS.filter((by) => record[by] != null)
  if (record.name === undefined) return undefined
  const name = record.name.trim()
  const found = names
    .find(kind, "name", name)
    .filter(({ id }) => given.every((by) => (rows.get(id)?.[by] ?? null) === null))
  if (found.length === 0) return kind === "owner" ? byEmail(checking, names, record, rows) : undefined
  const picked = pickNamed(kind, name, found)
  if ("problem" in picked) {
    checking.problem("name", picked.problem)
    return found[0]!.id
  }
  if (!("id" in picked)) return undefined
  if (picked.merged !== undefined) checking.noticeMerged("name", kind, name, picked.merged)
  return picked.id
}

/** The owner whose e-mail a record has under another name. Several owners may share a mailbox: then none is meant. */
const byEmail = (
  checking: Checking,
  names: Names,
  { name, email }: Identity,
  rows: ReadonlyMap<string, Identified>,
): string | undefined => {
  if (email == null || name === undefined) return undefined
  const [found, ...others] = names.find("owner", "email", email.trim())
  if (found === undefined || others.length > 0) return undefined
  const stored = rows.get(found.id)?.name
  if (stored === undefined || checking.isOfThisFile(found.id)) return undefined
  // A reference by e-mail made the owner, so the e-mail is its name.
  if (foldName("owner", stored) !== foldName("owner", email)) {
    checking.noticeOtherName("email", "owner", email, name.trim(), stored)
  }
  return found.id
}

/** Adds a row's current ids and names to the batch's names. */
export const register = (names: Names, kind: Kind, before: Identified | undefined, after: Identified): void => {
  for (const by of ["name", "email", ...CRM_IDS] as ReadonlyArray<Exclude<By, "id">>) {
    const [old, now] = [before?.[by] ?? null, after[by] ?? null]
    if (before !== undefined && old === now) continue
    if (old !== null) names.drop(kind, by, old, after.id)
    if (now !== null) names.put(kind, by, now, after.id)
  }
  names.put(kind, "id", after.id, after.id, after.name)
}

/** Removes a deleted row from the batch's names. */
export const unregister = (names: Names, kind: Kind, row: Identified): void => {
  for (const by of ["id", "name", ...CRM_IDS] as const) {
    if (row[by] != null) names.drop(kind, by, row[by], row.id)
  }
}

/** The CRM id after a record: as first stored, if both have the same key. */
export const keptCrmId = (stored: string | null | undefined, given: string | null | undefined): string | null => {
  if (given === null || given === undefined) return given === null ? null : (stored ?? null)
  const value = given.trim()
  return stored != null && crmKey(stored) === crmKey(value) ? stored : value
}

/**
 * The name after a record: as first written, if the record's differs by what folding drops. Its case changes, but for a deal that only its
 * name identifies. A record with an id renames.
 */
export const keptName = (kind: Kind, record: Identity, before: Identified | undefined): string | undefined => {
  const name = record.name?.trim()
  if (name === undefined || before === undefined) return name ?? before?.name
  if (record.id !== undefined || name === before.name) return name
  const isNamedDeal = kind === "deal" && record.crm_one_id == null && record.crm_two_id == null
  const keepsCase = isNamedDeal || name.toLowerCase() !== before.name.toLowerCase()
  return keepsCase && foldName(kind, name) === foldName(kind, before.name) ? before.name : name
}

/** Warns of an id that several records of a file have under different names: one of them may be a mistake. */
export const noticeReuse = (checking: Checking, kind: Kind, record: Identity, before: Identified | undefined): void => {
  const name = record.name?.trim()
  if (name === undefined || before === undefined || !checking.isOfThisFile(before.id)) return
  if (foldName(kind, name) === foldName(kind, before.name)) return
  const field = (["id", ...CRM_IDS] as const).find((by) => record[by] != null)
  if (field !== undefined) checking.noticeOtherName(field, kind, record[field]!, name, before.name)
}

/** Ids that lists of different origin share: running numbers. */
const SHORT_ID = /^\d{1,6}$/
const wordsOf = (name: string): ReadonlyArray<string> => fold(name).match(/[\p{L}\p{N}]{2,}/gu) ?? []

/** A deal, as far as it may be taken for another one. */
interface OfClient extends Identified {
  readonly client_id: string | null
}

/**
 * Warns of a record that gives a deal of an earlier import another name and another client: its id may be one of another list or CRM. Where
 * a client is missing, only running numbers and names without a common word say so.
 */
export const noticeOtherDeal = (
  checking: Checking,
  record: Identity,
  before: OfClient | undefined,
  after: OfClient,
): void => {
  if (before === undefined || record.name === undefined || checking.isOfThisFile(before.id)) return
  if (foldName("deal", after.name) === foldName("deal", before.name)) return
  const field = (["id", ...CRM_IDS] as const).find((by) => record[by] != null)
  if (field === undefined || (before.client_id !== null && before.client_id === after.client_id)) return
  const id = record[field]!
  const haveClients = before.client_id !== null && after.client_id !== null
  const isLike = () => wordsOf(before.name).some((word) => wordsOf(after.name).includes(word))
  if (!haveClients && (!SHORT_ID.test(id.trim()) || isLike())) return
  checking.noticeOtherName(field, "deal", id, after.name, before.name)
}
