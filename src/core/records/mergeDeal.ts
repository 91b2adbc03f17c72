import { shorten } from "../common/shorten.ts"
import { inSectionOrder } from "../deals/columns/summary.ts"
import type { DealRow } from "./dealRows.ts"
import type { Entry } from "./entry.ts"
import { wantExported } from "./exportedRows.ts"
import { keptCrmId, keptName, wantIdentity } from "./names/matching.ts"
import { toInstant } from "./values/instant.ts"
import type { Names } from "./names/Names.ts"
import { importedColumns, scoreColumns } from "./columns.ts"
import { distinct, distinctDrivers, mergeCompetitors, mergeNamed, namedValues } from "./mergeLists.ts"
import { mergeProperties } from "./properties.ts"
import type { Reference } from "../deals/edits/record.ts"
import type { ImportRecord } from "./record.ts"
import { type Checking, wantReference } from "./names/references.ts"
import { previousStage } from "./History.ts"
import type { Session } from "./Session.ts"

type Deal = ImportRecord<"deal">

const readCompetitor = (each: NonNullable<Deal["competitors"]>[number]) =>
  typeof each === "string" ? { competitor: each } : each
const readDriver = (each: NonNullable<Deal["drivers"]>[number]) => (typeof each === "string" ? { reason: each } : each)

/** Wants what a record of a deal names. */
export const wantDeal = (names: Names, record: Deal, { exported }: Entry): void => {
  wantIdentity(names, "deal", record)
  wantReference(names, "stage", record.status)
  wantReference(names, "stage", record.previous_status)
  wantReference(names, "owner", record.owner)
  wantReference(names, "client", record.client)
  for (const each of record.collaborators ?? []) wantReference(names, "owner", each)
  for (const each of record.competitors ?? []) wantReference(names, "competitor", readCompetitor(each).competitor)
  for (const each of record.drivers ?? []) wantReference(names, "reason", readDriver(each).reason)
  for (const name of Object.keys(record.custom_metrics ?? {})) wantReference(names, "metric", name)
  for (const name of Object.keys(record.custom_answers ?? {})) wantReference(names, "answer", name)
  if (exported !== undefined) wantExported(names, exported)
}

/** Paths next to `/deals/{id}`, present or planned. */
const RESERVED_IDS: ReadonlySet<string> = new Set(["report", "export", "documents", "analysis"])

/** Reports that a deal without a name is not a new one. */
const checkNew = (checking: Checking, record: Deal): void => {
  const id = record.id ?? record.crm_one_id ?? record.crm_two_id
  const why = id == null ? "" : `: no deal has the id '${shorten(id)}'`
  checking.problem("name", `must be given for a new deal${why}`)
}

/** Checks the whole record, then returns a function that makes the deal. Only a valid record may create what it names. */
export const mergeDeal = (
  session: Session,
  checking: Checking,
  id: string,
  before: DealRow | undefined,
  record: Deal,
): (() => DealRow) => {
  const name = keptName("deal", record, before)
  if (name === undefined) checkNew(checking, record)
  if (before === undefined && RESERVED_IDS.has(id)) {
    checking.problem("id", `must not be '${id}', because /deals/${id} is a path of the API; choose another id`)
  }
  const one = (
    field: string,
    kind: "stage" | "owner" | "client",
    given: Reference | null | undefined,
    old: string | null | undefined,
  ): (() => string | null) => {
    if (given === undefined) return () => old ?? null
    return given === null ? () => null : checking.reference(field, kind, given, old)
  }
  const status = one("status", "stage", record.status, before?.status_id)
  const previous = one("previous_status", "stage", record.previous_status, before?.previous_status_id)
  const owner = one("owner", "owner", record.owner, before?.owner_id)
  const client = one("client", "client", record.client, before?.client_id)
  const collaborators =
    record.collaborators &&
    record.collaborators.map((each, at) => checking.reference(`collaborators[${at}]`, "owner", each))
  const competitors =
    record.competitors &&
    record.competitors.map(readCompetitor).map(({ competitor, is_primary, is_incumbent }, at) => {
      const competitor_id = checking.reference(`competitors[${at}].competitor`, "competitor", competitor)
      return () => ({
        competitor_id: competitor_id(),
        is_primary: is_primary ?? false,
        is_incumbent: is_incumbent ?? false,
      })
    })
  const drivers =
    record.drivers &&
    record.drivers.map(readDriver).map(({ reason, positive, summary }, at) => {
      const reason_id = checking.reference(`drivers[${at}].reason`, "reason", reason)
      return () => ({ reason_id: reason_id(), positive: positive ?? null, summary: summary ?? null })
    })
  const metrics = namedValues(checking, "custom_metrics", "metric", record.custom_metrics)
  const answers = namedValues(checking, "custom_answers", "answer", record.custom_answers)
  const crm_properties = mergeProperties(
    checking,
    session.properties,
    "deal",
    before?.crm_properties ?? {},
    record.crm_properties,
    session,
  )
  /** The given value, made by `make`, else the stored one; `none` if there is neither, or if null clears it. */
  const kept = <A, T>(given: A | null | undefined, make: (given: A) => T, old: T | undefined, none: NoInfer<T>): T =>
    given === undefined ? (old ?? none) : given === null ? none : make(given)
  const old: Partial<DealRow> = before ?? {}

  return () => {
    const status_id = status()
    return {
      id,
      name: name ?? "",
      crm_one_id: keptCrmId(old.crm_one_id, record.crm_one_id),
      crm_two_id: keptCrmId(old.crm_two_id, record.crm_two_id),
      ...importedColumns(record, before),
      status_id,
      previous_status_id: record.previous_status === undefined ? previousStage(before, status_id) : previous(),
      created_at: toInstant(record.created_at, session.zone) ?? old.created_at ?? session.now,
      updated_at: toInstant(record.updated_at, session.zone) ?? old.updated_at ?? session.now,
      owner_id: owner(),
      client_id: client(),
      ...scoreColumns(record.scorecard, before),
      summary: kept(
        record.summary,
        (summary) => (typeof summary === "object" ? inSectionOrder(summary) : summary),
        old.summary,
        null,
      ),
      crm_properties,
      custom_metrics: mergeNamed(old.custom_metrics ?? {}, metrics, ({ score, explanation }) => ({
        score: score ?? null,
        explanation: explanation ?? null,
      })),
      custom_answers: mergeNamed(old.custom_answers ?? {}, answers, (text) => text),
      collaborators: kept(collaborators, (all) => distinct(all.map((each) => each())), old.collaborators, []),
      product_labels: kept(
        record.product_labels,
        (labels) => distinct(labels.map((label) => label.trim())),
        old.product_labels,
        [],
      ),
      competitors: kept(competitors, (all) => mergeCompetitors(all.map((each) => each())), old.competitors, []),
      drivers: kept(drivers, (all) => distinctDrivers(all.map((each) => each())), old.drivers, []),
    }
  }
}
