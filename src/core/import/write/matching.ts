import { makeIdUnsafe } from "../../common/ids.ts"
import { type By, type Kind, type Names, TABLES } from "./Names.ts"
import { ambiguous, type Checking } from "./references.ts"

/** The fields that identify a record. */
export interface Identity {
  readonly id?: string | undefined
  readonly name?: string | undefined
  readonly crm_one_id?: string | null | undefined
  readonly crm_two_id?: string | null | undefined
}

export interface Identified {
  readonly id: string
  readonly name: string
  readonly crm_one_id?: string | null
  readonly crm_two_id?: string | null
}

const CRM_IDS = ["crm_one_id", "crm_two_id"] as const

export const wantIdentity = (names: Names, kind: Kind, record: Identity): void => {
  names.want(kind, "id", record.id)
  for (const by of CRM_IDS) names.want(kind, by, record[by]?.trim())
  if (record.id === undefined && record.name !== undefined) names.want(kind, "name", record.name.trim())
}

/** The ids of all rows that may match one of the records. */
export const findCandidates = (names: Names, kind: Kind, records: ReadonlyArray<Identity>): ReadonlyArray<string> => [
  ...new Set(
    records.flatMap((record) => [
      ...(record.id === undefined ? [] : names.find(kind, "id", record.id)),
      ...CRM_IDS.flatMap((by) => (record[by] == null ? [] : names.find(kind, by, record[by].trim()))),
      ...(record.id === undefined && record.name !== undefined ? names.find(kind, "name", record.name.trim()) : []),
    ]),
  ),
]

/**
 * Returns the id of the row that a record matches by id, else by CRM id, else by name; or a new id. A record with a new
 * CRM id matches by name only an account without a CRM id, and never a deal, because two deals may share a name.
 */
export const match = (
  checking: Checking,
  names: Names,
  kind: Kind,
  record: Identity,
  rows: ReadonlyMap<string, Identified>,
): string => {
  const id = record.id ?? byCrmId(checking, names, kind, record) ?? byName(checking, names, kind, record, rows)
  for (const by of CRM_IDS) {
    const value = record[by]
    if (value == null) continue
    const other = names.find(kind, by, value.trim()).find((each) => each !== id)
    if (other !== undefined && id !== undefined) checking.problem(by, `belongs to another ${kind} (${other})`)
  }
  return id ?? makeIdUnsafe(TABLES[kind].prefix)
}

const byCrmId = (checking: Checking, names: Names, kind: Kind, record: Identity): string | undefined => {
  const ids = new Set(CRM_IDS.flatMap((by) => (record[by] == null ? [] : names.find(kind, by, record[by].trim()))))
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
  if (record.name === undefined || (kind === "deal" && given.length > 0)) return undefined
  const ids = names
    .find(kind, "name", record.name.trim())
    .filter((id) => given.every((by) => (rows.get(id)?.[by] ?? null) === null))
  if (ids.length > 1) checking.problem("name", ambiguous(kind, record.name, ids))
  return ids[0]
}

/** Adds a row's current ids and names to the batch's names. */
export const register = (names: Names, kind: Kind, before: Identified | undefined, after: Identified): void => {
  for (const by of ["name", ...CRM_IDS] as ReadonlyArray<Exclude<By, "id">>) {
    const [old, now] = [before?.[by] ?? null, after[by] ?? null]
    if (before !== undefined && old === now) continue
    if (old !== null) names.drop(kind, by, old, after.id)
    if (now !== null) names.put(kind, by, now, after.id)
  }
  names.put(kind, "id", after.id, after.id)
}

/** Removes a deleted row from the batch's names. */
export const unregister = (names: Names, kind: Kind, row: Identified): void => {
  for (const by of ["id", "name", ...CRM_IDS] as const) {
    if (row[by] != null) names.drop(kind, by, row[by], row.id)
  }
}
