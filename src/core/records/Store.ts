import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { CrmProperty } from "../deals/names/properties.ts"
import { readAssociations, writeAssociationRows } from "../intelligence/writing.ts"
import { deleteOriginals } from "../library/removal.ts"
import type { BatchLog } from "./log/ImportLog.ts"
import { logDeals } from "./log/logDeals.ts"
import { byId, logRows } from "./log/logRows.ts"
import { deleteDealRows, readDeals, writeDealRows } from "./dealRows.ts"
import { insertProperties, propertyKey, readRegistered } from "./crmProperties.ts"
import { recordDependents } from "./dependents.ts"
import { insertNames, namedRow, upsertEntities } from "./entityRows.ts"
import { MAX_COMPARED_NAMES } from "./ImportState.ts"
import { COLUMNS, type EntityType, TABLES } from "./names/kinds.ts"
import { replaceNamesInSegments } from "./names/segmentNames.ts"
import type { EntityRow, Store } from "./Session.ts"

/** Reads rows and locks them until the transaction ends, and writes them. `log` collects their old values, so that an undo has them. */
export const databaseStore = (sql: SqlClient, org: string, log?: BatchLog): Store => ({
  names: (names) => names.load(sql, org),
  knownNames: (kind) =>
    Effect.map(
      sql<{ name: string }>`select name from ${sql.literal(TABLES[kind].table)}
        where org_id = ${org} order by folded limit ${MAX_COMPARED_NAMES}::int`,
      (rows) => rows.map(({ name }) => name),
    ),
  properties: readProperties(sql, org),
  registered: (ids) => readRegistered(sql, org, ids, "for update"),
  deals: (ids) => readDeals(sql, org, ids, LOCK_DEALS),
  entities: (type, ids) => readEntities(sql, org, type, ids, "for update"),
  associations: (ids, deals) => readAssociations(sql, org, ids, deals, "for update"),
  hidesDeal: () => false,
  countSame: () => 0,
  putNames: Effect.fnUntraced(function* (session, kind, rows) {
    yield* insertNames(session, kind, rows)
    log?.addEntities(
      kind,
      [],
      rows.map((row) => namedRow(session.state, row)),
    )
  }),
  putDeals: Effect.fnUntraced(function* (session, changes) {
    const { deleted, changed, history } = changes
    if (log !== undefined) log.add("deals", yield* logDeals(sql, org, changes))
    const documents = yield* deleteDealRows(session, deleted)
    yield* writeDealRows(sql, org, changed, history)
    if (documents.length > 0) yield* sql.afterCommit(discard(org, documents))
  }),
  putEntities: Effect.fnUntraced(function* (session, type, { found, changed, shown, renamed }) {
    yield* upsertEntities(session, type, changed)
    yield* recordDependents(sql, org, type, shown)
    log?.addEntities(type, found, changed)
    const segments = yield* replaceNamesInSegments(sql, org, type, renamed)
    log?.addEntities("segment", segments.found, segments.changed)
  }),
  putAssociations: Effect.fnUntraced(function* (_, { found, changed, deleted }) {
    const replaced = new Set([...changed.map(({ id }) => id), ...deleted])
    const formerDeals = found.flatMap(({ id, deal_id }) => (replaced.has(id) ? [deal_id] : []))
    yield* writeAssociationRows(sql, org, { changed, deleted, formerDeals })
    log?.add("associations", logRows(found, changed, deleted, byId))
  }),
  putProperties: Effect.fnUntraced(function* (found, rows) {
    yield* insertProperties(sql, org, rows)
    log?.add("properties", logRows(found, rows, [], propertyKey))
  }),
})

/** Locks the rows, but lets foreign keys refer to them: rendering deal records does so while this transaction waits for its marks. */
export const LOCK_DEALS = "for no key update of d"

export const readProperties = (sql: SqlClient, org: string) =>
  sql<CrmProperty>`select crm, object, id, label, data_type from crm_properties where org_id = ${org} order by crm, object, id`

export const readEntities = (
  sql: SqlClient,
  org: string,
  type: EntityType,
  ids: ReadonlyArray<string>,
  lock: "" | "for update",
) =>
  sql<EntityRow>`select ${sql.literal(["id", "name", ...Object.keys(COLUMNS[type])].join(", "))}
    from ${sql.literal(TABLES[type].table)} where org_id = ${org} and id = any(${[...ids]}::text[]) order by id ${sql.literal(lock)}`

/** Deletes originals. One that cannot be deleted now is an orphan, which `reconcile` deletes later. */
const discard = (org: string, documents: ReadonlyArray<string>) =>
  Effect.catchCause(deleteOriginals(org, documents), (cause) =>
    Effect.logWarning("could not delete the files of a deleted deal's documents", cause),
  )
