import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { makeCursor } from "../http/values/cursor.ts"
import { CurrentRequest } from "../http/CurrentRequest.ts"
import type { BadRequest, NotFound } from "../http/errors/errors.ts"
import { badRequest } from "../http/validation/validation.ts"
import type { DatabaseUnavailable } from "../ports/DatabaseUnavailable.ts"
import { Database } from "../storage/Database.ts"
import { inOrganization } from "../storage/inOrganization.ts"
import { utc } from "../storage/sql.ts"
import { during, readZoneFor } from "../storage/timeZone.ts"
import type { AuditAction } from "./actions.ts"
import type { AuditEntry } from "./contract.ts"
import { actorOf } from "../access/permissions.ts"
import { recordAct } from "./recordAct.ts"

export interface AuditQuery {
  /** An instant, or a day in the workspace's time zone; inclusive. */
  readonly since?: string | undefined
  readonly types?: ReadonlyArray<AuditAction> | undefined
  readonly cursor?: string | undefined
  readonly size: number
}

export interface AuditPage {
  readonly data: ReadonlyArray<AuditEntry>
  readonly next_cursor: string | null
  readonly has_more: boolean
}

/** Acts that change nothing but let data leave the service, so the audit log has them. */
export type Reading = Extract<AuditAction, "export.downloaded" | "document.downloaded" | "intelligence.exported">

/** Reads the audit log, newest first, and records downloads. `recordAct` records changes, in their transactions. */
export class Audit extends Context.Service<
  Audit,
  {
    readonly page: (
      org: string,
      query: AuditQuery,
    ) => Effect.Effect<AuditPage, BadRequest | NotFound | DatabaseUnavailable>
    /**
     * Writes an audit entry before data leaves. If the disk is full, the download continues and the process logs the entry
     * instead. `keyHash` identifies the key that requested a link, so that the entry can name it.
     */
    readonly recordReading: (
      by: { readonly org: string; readonly keyHash?: Uint8Array | undefined },
      action: Reading,
      target: string | null,
    ) => Effect.Effect<void, DatabaseUnavailable>
  }
>()("sightline/audit/Audit") {
  static readonly layer = Layer.effect(
    Audit,
    Effect.gen(function* () {
      const database = yield* Database
      const { sql, scoped, transaction } = database
      return Audit.of({
        recordReading: ({ org, keyHash }, action, target) =>
          transaction(
            org,
            Effect.gen(function* () {
              if (keyHash !== undefined) {
                const [key] = yield* sql<{ id: string; identity: string | null; name: string }>`
                  select id, identity, name from api_keys where org_id = ${org} and link_hash(id) = ${keyHash}`
                const request = yield* CurrentRequest
                if (key !== undefined) {
                  const { id, identity, name } = key
                  request.actor = actorOf(id, identity === null ? undefined : { id: identity, name })
                }
              }
              yield* recordAct(sql, org, action, target)
            }),
          ).pipe(
            Effect.catchTag("DatabaseUnavailable", (error) =>
              error.reason === "no_space"
                ? Effect.logWarning("the audit log could not be written: the disk is full", { org, action, target })
                : Effect.fail(error),
            ),
          ),

        page: Effect.fn("Audit.page")(function* (org, { since, types, cursor, size }) {
          const after = cursor === undefined ? undefined : decodeCursor(cursor)
          if (cursor !== undefined && after === undefined) {
            return yield* badRequest({
              invalid: [{ field: "cursor", reason: "must be the next_cursor of an earlier page" }],
            })
          }
          const zone = yield* Effect.provideService(readZoneFor(org, [since]), Database, database)
          const rows = yield* scoped<AuditEntry>(
            org,
            sql`select id, ${sql.literal(utc("at"))} as at, actor, action, target, details, request_id, address
              from audit_log a where ${sql.and([
                sql`org_id = scope.org`,
                ...during(sql, "a.at", { from: since }, zone),
                ...(types === undefined ? [] : [sql`action = any(${[...types]}::text[])`]),
                ...(after === undefined ? [] : [sql`(a.at, id collate "C") < (${after[0]}::timestamptz, ${after[1]})`]),
              ])} order by a.at desc, id collate "C" desc limit ${size + 1}::int`,
          )
          const data = rows.slice(0, size)
          const last = data.at(-1)
          const has_more = rows.length > size
          return {
            data,
            next_cursor: has_more && last !== undefined ? encode([last.at, last.id]) : null,
            has_more,
          }
        }),
      })
    }).pipe(inOrganization),
  )
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const { encode, decode } = makeCursor(Schema.Tuple([Schema.String, Schema.String]))

const decodeCursor = (text: string) => {
  const position = decode(text)
  return position !== undefined &&
    INSTANT.test(position[0]) &&
    !Number.isNaN(Date.parse(position[0])) &&
    !position[1].includes("\0")
    ? position
    : undefined
}
