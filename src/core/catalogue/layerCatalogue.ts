import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { recordAct } from "../audit/recordAct.ts"
import { Conflict, NotFound } from "../http/errors/errors.ts"
import { badRequest } from "../http/validation/validation.ts"
import { suggestion } from "../common/nearest.ts"
import { Database } from "../storage/Database.ts"
import { inOrganization } from "../storage/inOrganization.ts"
import { Catalogue, type EntryPage, type Overview } from "./Catalogue.ts"
import { decodeCursor, encodeCursor } from "./cursor.ts"
import type { Entry } from "./entries.ts"
import { CHANGEABLE, type ChangeableKind, isChangeable, isKind, type Kind, KINDS, PAGE_SIZE } from "./kinds.ts"
import { type PageQuery, selectPage, type EntryRow } from "./pagesSql.ts"
import { countDealsOfSegments, makeOverviewReader } from "./readOverview.ts"
import { WorkspaceSettings } from "./settings.ts"
import { countUses, findSameName, type Uses } from "./usesSql.ts"
import { isRefused, toEntry } from "../records/entry.ts"
import { deleteEntities } from "../records/entityRows.ts"
import { TABLES } from "../records/names/kinds.ts"
import { countSegmentsNaming } from "../records/names/segmentNames.ts"
import { waitForTurn, writeBatch, type Writing } from "../records/writeBatch.ts"
import { Organizations } from "./Organizations.ts"

export const layerCatalogue = Layer.effect(
  Catalogue,
  Effect.gen(function* () {
    const database = yield* Database
    const organizations = yield* Organizations
    const { sql } = database
    const withServices = Effect.provideContext(yield* Effect.context<Writing>())

    const read = Effect.fnUntraced(function* (org: string, kind: Kind, query: PageQuery) {
      const [found] = yield* database.scoped<{ rows: ReadonlyArray<EntryRow> }>(
        org,
        sql`select ${selectPage(sql, kind, query)} as rows`,
      )
      const rows = found?.rows ?? []
      return kind === "segments" ? yield* withServices(countDealsOfSegments(org, rows)) : rows
    })

    const requireEntry = Effect.fnUntraced(function* (org: string, kind: ChangeableKind, id: string) {
      const [row] = yield* read(org, kind, { id })
      return row === undefined ? yield* unknownEntry(kind) : (row.entry as Entry)
    })

    const readOverview = yield* makeOverviewReader

    return Catalogue.of({
      overview: Effect.fn("Catalogue.overview")(function* (org) {
        const row = yield* readOverview(org)
        return {
          settings: settingsOf(row),
          ...Object.fromEntries(
            KINDS.map((kind) => [kind, { data: entriesOf(row[kind]), has_more: row[kind].length > PAGE_SIZE }]),
          ),
          duplicates: row.duplicates,
        } as Overview
      }),

      page: Effect.fn("Catalogue.page")(function* (org, kind, { searchQuery, cursor }) {
        if (!isKind(kind)) return yield* unknownKind(kind)
        const list = { org, kind, searchQuery }
        const after = cursor === undefined ? undefined : decodeCursor(list, cursor)
        if (cursor !== undefined && after === undefined) {
          return yield* badRequest({
            invalid: [
              { field: "cursor", reason: "must be the next_cursor of a page of the same kind and searchQuery" },
            ],
          })
        }
        const rows = yield* read(org, kind, { searchQuery, after })
        const last = rows.length > PAGE_SIZE ? rows[PAGE_SIZE - 1] : undefined
        return {
          data: entriesOf(rows),
          has_more: last !== undefined,
          next_cursor: last === undefined ? null : encodeCursor(list, last),
        } satisfies EntryPage
      }),

      put: Effect.fn("Catalogue.put")(function* (org, kind, id, patch) {
        if (!isChangeable(kind)) return yield* unchangeable(kind)
        const type = CHANGEABLE[kind]
        const entry = toEntry(1, { type, id, ...patch }, 0, true)
        if (isRefused(entry)) return yield* badRequest({ invalid: entry.problems })
        const outcome = yield* database.transaction(
          org,
          Effect.gen(function* () {
            yield* waitForTurn(sql, org)
            const { name, product } = patch
            const [other] = name === undefined ? [] : yield* findSameName(sql, kind, org, id, { name, product })
            if (other !== undefined) {
              return yield* new Conflict({
                message: `the ${type} with the id '${other.id}' already has this name: choose another name, or change that ${type}`,
              })
            }
            const [written] = yield* withServices(writeBatch({ org, dates: "ISO" }, type, [entry]))
            if (written !== undefined && "result" in written && written.result !== "unchanged") {
              yield* recordAct(sql, org, "catalogue.updated", id, { kind, result: written.result })
            }
            return written
          }),
        )
        if (outcome === undefined) return yield* Effect.die("nothing was written")
        if ("problems" in outcome) return yield* badRequest({ invalid: outcome.problems })
        return { entry: yield* requireEntry(org, kind, id), created: outcome.result === "created" }
      }),

      remove: Effect.fn("Catalogue.remove")(function* (org, kind, id) {
        if (!isChangeable(kind)) return yield* unchangeable(kind)
        const type = CHANGEABLE[kind]
        const table = sql.literal(TABLES[type].table)
        yield* database.transaction(
          org,
          Effect.gen(function* () {
            yield* waitForTurn(sql, org)
            // With the row locked, no writer can add a reference before this transaction ends.
            const [found] = yield* sql<{ name: string }>`
              select name from ${table} where org_id = ${org} and id = ${id} for update`
            if (found === undefined) return yield* unknownEntry(kind)
            const [counts] = yield* countUses(sql, kind, org, id)
            const segments = yield* countSegmentsNaming(sql, org, type, { id, name: found.name })
            const uses = { deals: 0, documents: 0, ...counts, segments }
            if (uses.deals + uses.documents + uses.segments > 0) return yield* inUse(type, found.name, uses)
            yield* deleteEntities(sql, org, type, [id])
            yield* recordAct(sql, org, "catalogue.deleted", id, { kind, name: found.name })
          }),
        )
      }),

      change: Effect.fn("Catalogue.change")(function* (org, patch) {
        return yield* organizations.change(org, patch)
      }),
    })
  }).pipe(inOrganization),
)

/** The settings among the columns of a row. */
const settingsOf = (row: WorkspaceSettings): WorkspaceSettings =>
  Object.fromEntries(
    Object.entries(row).filter(([name]) => Object.hasOwn(WorkspaceSettings.fields, name)),
  ) as WorkspaceSettings

const entriesOf = (rows: ReadonlyArray<EntryRow>) => rows.slice(0, PAGE_SIZE).map(({ entry }) => entry as Entry)

const joinNames = (kinds: ReadonlyArray<string>) => kinds.join(", ")

const unknownKind = (kind: string) =>
  new NotFound({
    message: `a workspace has no '${kind.slice(0, 100)}'; it has ${joinNames(KINDS)}`,
    details: { kinds: KINDS, ...suggestion(kind, KINDS) },
  })

const CHANGEABLE_KINDS = Object.keys(CHANGEABLE)

const unchangeable = (kind: string) =>
  isKind(kind)
    ? new NotFound({
        message: `POST /import changes ${kind}; this path changes ${joinNames(CHANGEABLE_KINDS)}`,
        details: { kinds: CHANGEABLE_KINDS },
      })
    : unknownKind(kind)

const unknownEntry = (kind: ChangeableKind) => new NotFound({ message: `no ${CHANGEABLE[kind]} has this id` })

const inUse = (type: string, name: string, uses: Uses) => {
  const counts = Object.entries(uses)
    .filter(([, count]) => count > 0)
    .map(([of, count]) => `${count} ${count === 1 ? of.slice(0, -1) : of}`)
  return new Conflict({
    message: `the ${type} '${name}' is used by ${counts.join(" and ")}: change or delete those first`,
    details: { ...uses },
  })
}
