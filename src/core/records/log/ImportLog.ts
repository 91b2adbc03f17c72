import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { makeIdUnsafe } from "../../common/ids.ts"
import { CurrentRequest } from "../../http/CurrentRequest.ts"
import { Database } from "../../storage/Database.ts"
import { HostTransaction } from "../../storage/hostTransaction.ts"
import { CurrentChanges } from "../../storage/recordChanges.ts"
import type { EntityRow } from "../entityRows.ts"
import type { EntityType } from "../names/kinds.ts"
import { readNamedInSegments } from "../names/segmentNames.ts"
import { BEAT_SECONDS, MAX_LOGGED_ROWS } from "./limits.ts"
import type { ImportCounts, LoggedBatch } from "./Logged.ts"
import { byId, logRows } from "./logRows.ts"
import { dropLog, finishImport, insertImport, insertLog, touchImport } from "./sql.ts"

/** The most rows whose old values an import keeps. */
export const MaxLoggedRows = Context.Reference("sightline/records/MaxLoggedRows", {
  defaultValue: () => MAX_LOGGED_ROWS,
})

/** Collects the old values of one batch. */
export class BatchLog {
  readonly entries: LoggedBatch = {}
  readonly #created: Array<{ readonly kind: EntityType; readonly row: EntityRow }> = []

  add<Kind extends Exclude<keyof LoggedBatch, "entities">>(kind: Kind, logged: NonNullable<LoggedBatch[Kind]>): void {
    if (logged.length > 0) this.entries[kind] = logged
  }

  /** Adds entities that were written over those that were found. */
  addEntities(kind: EntityType, found: ReadonlyArray<EntityRow>, written: ReadonlyArray<EntityRow>): void {
    if (written.length === 0) return
    const entities = (this.entries.entities ??= {})
    const rows = logRows(found, written, [], byId)
    entities[kind] = [...(entities[kind] ?? []), ...rows]
    for (const [n, { before }] of rows.entries()) {
      if (before === undefined) this.#created.push({ kind, row: written[n]! })
    }
  }

  /** Marks what segments named before it existed: they do not keep it. */
  readonly markNamed = Effect.fnUntraced(function* (this: BatchLog, sql: SqlClient, org: string) {
    const { entities } = this.entries
    if (entities === undefined || this.#created.length === 0) return
    const isNamed = yield* readNamedInSegments(sql, org, new Set(this.#created.map(({ kind }) => kind)))
    for (const [kind, created] of Map.groupBy(this.#created, (each) => each.kind)) {
      const named = new Set(created.filter(({ row }) => isNamed(kind, row)).map(({ row }) => row.id))
      if (named.size === 0) continue
      entities[kind] = entities[kind]!.map((entry) => (named.has(entry.id) ? { ...entry, named: true } : entry))
    }
  })

  get rows(): number {
    const { associations = [], deals = [], entities = {}, properties = [], currency } = this.entries
    const lists = [associations, deals, properties, ...Object.values(entities)]
    return lists.reduce((sum, { length }) => sum + length, currency === undefined ? 0 : 1)
  }
}

/** Writes the old values of an import, each batch in its own transaction, so that the import can be undone. */
export class ImportLog {
  readonly id = makeIdUnsafe("imp")
  #n = 0
  #rows = 0
  #isDropped = false
  #startedMs = 0

  begin(): BatchLog | undefined {
    return this.#isDropped ? undefined : new BatchLog()
  }

  /** Runs in the transaction of the batch, as its last statement. */
  write(sql: SqlClient, org: string, log: BatchLog | undefined): Effect.Effect<void, SqlError> {
    if (log === undefined) return Effect.void
    return Effect.andThen(log.markNamed(sql, org), this.append(sql, org, log))
  }

  append(sql: SqlClient, org: string, log: BatchLog): Effect.Effect<void, SqlError> {
    const { rows } = log
    if (rows === 0) return Effect.void
    return Effect.withFiber((fiber) => {
      if (this.#rows + rows > fiber.getRef(MaxLoggedRows)) {
        this.#isDropped = true
        return dropLog(sql, org, this.id, this.refusal!)
      }
      // A transaction that fails leaves a gap in both.
      this.#rows += rows
      return insertLog(sql, org, this.id, this.#n++, log.entries)
    })
  }

  /** Adds the row of the import, in the transaction of its first batch that writes. */
  start(org: string) {
    return Effect.withFiber<void, SqlError, Database>((fiber) => {
      const { keyId } = fiber.getRef(CurrentRequest)
      const startedAt = new Date(this.#startedMs).toISOString()
      return Effect.flatMap(Database, ({ sql }) =>
        Effect.asVoid(insertImport(sql, org, this.id, { by: keyId, startedAt })),
      )
    })
  }

  /** Completes the row of the import, in a transaction. */
  end(org: string, counts: ImportCounts, complete: boolean) {
    return Effect.andThen(
      this.start(org),
      Effect.flatMap(Database, ({ sql }) =>
        finishImport(sql, org, this.id, { counts, complete, refusal: this.refusal }),
      ),
    )
  }

  /** Says every minute that the import still runs, except in a transaction, whose end nobody else sees. */
  keepAlive(org: string) {
    return <A, E, R>(importing: Effect.Effect<A, E, R>): Effect.Effect<A, E, R | Database> =>
      Effect.withFiber((fiber) => {
        this.#startedMs = fiber.getRef(Clock.Clock).currentTimeMillisUnsafe()
        const isInside = fiber.getRef(CurrentChanges) !== undefined || fiber.getRef(HostTransaction) !== undefined
        if (isInside) return importing
        const beat = Effect.flatMap(Database, ({ sql, transaction }) =>
          Effect.ignore(transaction(org, touchImport(sql, org, this.id))),
        )
        const beats = Effect.forever(Effect.andThen(Effect.sleep(`${BEAT_SECONDS} seconds`), beat))
        return Effect.raceFirst(importing, beats)
      })
  }

  /** Whether old values were written. */
  get hasEntries(): boolean {
    return this.#n > 0
  }

  /** Why the import cannot be undone. */
  get refusal(): string | undefined {
    if (this.#isDropped) {
      return `it changed more than ${MAX_LOGGED_ROWS.toLocaleString("en-US")} rows, and old values of more are not kept`
    }
    return this.#n === 0 ? NOTHING_CHANGED : undefined
  }

  /** The part of the import's reply that is about its undo. */
  get reply(): { readonly import_id: string; readonly undo: boolean; readonly undo_refusal?: string } {
    const { id: import_id, refusal } = this
    return { import_id, undo: refusal === undefined, ...(refusal !== undefined && { undo_refusal: refusal }) }
  }
}

const NOTHING_CHANGED = "it changed nothing"
