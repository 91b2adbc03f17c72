import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { SqlError } from "effect/sql/SqlError"
import { makeId } from "../../core/common/ids.ts"
import {
  BlobStore,
  BlobStoreError,
  clamp,
  damaged,
  type ListedBlob,
  noSpace,
  notFound,
  organizationOf,
  unreachable,
  type StoredBlob,
  validKey,
} from "../../core/ports/BlobStore.ts"
import { Database } from "../../core/storage/Database.ts"
import { Digest } from "./digest.ts"
import { inParts, type Parts } from "./parts.ts"

/** The size of each part of a blob except the last, so that a byte's part can be computed. */
const PART_BYTES = 256 * 1024
/** Parts per transaction and per page read. */
const PARTS_PER_PAGE = 4
/** Blobs per page of a list. */
const BLOBS_PER_PAGE = 1000

interface Found {
  readonly version: string
  readonly size: number
}

/**
 * Stores blobs in the database, in parts. A put takes several short transactions; the last makes the blob visible. An
 * organization's first put after a day removes the unfinished blobs of a killed process.
 */
export const layerDatabase = Layer.effect(
  BlobStore,
  Effect.gen(function* () {
    const database = yield* Database
    const { sql } = database

    const find = Effect.fnUntraced(function* (key: string) {
      const [found] = yield* database
        .scoped<Found>(
          organizationOf(validKey(key)),
          sql`select version, size::float8 as size from blobs
              where org_id = scope.org and key = ${key} and committed_at is not null`,
        )
        .pipe(Effect.mapError(() => unreachable))
      return found ?? (yield* notFound)
    })

    const write = <A>(org: string, effect: Effect.Effect<A, SqlError | BlobStoreError>) =>
      Effect.mapError(database.transaction(org, effect), (error) =>
        error._tag === "BlobStoreError" ? error : error.reason === "no_space" ? noSpace : unreachable,
      )

    const begin = (org: string, version: string, key: string) =>
      write(
        org,
        Effect.gen(function* () {
          yield* sql`delete from blobs
            where org_id = ${org} and committed_at is null and started_at < now() - interval '1 day'`
          yield* sql`insert into blobs ${sql.insert({ org_id: org, version, key })}`
        }),
      )

    const insertParts = (org: string, version: string, first: number, parts: Parts) => {
      const rows = Arr.map(parts, (bytes, index) => ({ org_id: org, version, n: first + index, bytes }))
      return write(org, sql`insert into blob_parts ${sql.insert(rows)}`)
    }

    const commit = (org: string, version: string, key: string, { size, sha256 }: StoredBlob) =>
      write(
        org,
        Effect.gen(function* () {
          yield* sql`select pg_advisory_xact_lock(hashtextextended(${`${org}/${key}`}, 0))`
          yield* sql`delete from blobs where org_id = ${org} and key = ${key} and committed_at is not null`
          const done = yield* sql`
            update blobs set size = ${size}, sha256 = ${sha256}, committed_at = now()
            where org_id = ${org} and version = ${version} returning version`
          if (done.length === 0) return yield* unreachable
        }),
      )

    const abandon = (org: string, version: string) =>
      Effect.ignore(
        write(org, sql`delete from blobs where org_id = ${org} and version = ${version} and committed_at is null`),
      )

    return BlobStore.of({
      put: Effect.fnUntraced(function* (key, bytes) {
        const org = organizationOf(validKey(key))
        const version = yield* makeId("blob")
        const digest = new Digest()
        let n = 0
        return yield* Effect.acquireUseRelease(
          begin(org, version, key),
          () =>
            Effect.gen(function* () {
              yield* Stream.runForEach(inParts(bytes, PART_BYTES, PARTS_PER_PAGE), (parts) => {
                for (const part of parts) digest.update(part)
                const first = n
                n += parts.length
                return insertParts(org, version, first, parts)
              })
              const stored = digest.finish()
              yield* Effect.uninterruptible(commit(org, version, key, stored))
              return stored
            }),
          (_, exit) => (Exit.isSuccess(exit) ? Effect.void : abandon(org, version)),
        )
      }),
      get: Effect.fnUntraced(function* (key, range = {}) {
        const org = organizationOf(validKey(key))
        const { version, size } = yield* find(key)
        const { start, end } = clamp(range, size)
        const last = Math.ceil(end / PART_BYTES)
        return Stream.paginate(start === end ? last : Math.floor(start / PART_BYTES), (from) =>
          Effect.gen(function* () {
            if (from >= last) return [[], Option.none()] as const
            const to = Math.min(from + PARTS_PER_PAGE, last)
            const rows = yield* database
              .scoped<{ readonly n: number; readonly bytes: Uint8Array }>(
                org,
                sql`select n, bytes from blob_parts
                    where org_id = scope.org and version = ${version} and n >= ${from} and n < ${to} order by n`,
              )
              .pipe(Effect.mapError(() => unreachable))
            if (rows.length !== to - from) return yield* damaged
            const parts = rows.map(({ n, bytes }) =>
              bytes.subarray(Math.max(0, start - n * PART_BYTES), Math.min(bytes.length, end - n * PART_BYTES)),
            )
            return [parts, to < last ? Option.some(to) : Option.none()] as const
          }),
        )
      }),
      size: (key) => Effect.map(find(key), ({ size }) => size),
      remove: (key) =>
        Effect.suspend(() => {
          const org = organizationOf(validKey(key))
          return write(
            org,
            sql`delete from blobs where org_id = ${org} and key = ${key} and committed_at is not null`,
          ).pipe(Effect.asVoid)
        }),
      list: (org) =>
        Stream.paginate("", (after) =>
          Effect.map(
            Effect.mapError(
              database.scoped<ListedBlob>(
                org,
                sql`select key, date_part('epoch', committed_at) * 1000 as "storedAt" from blobs
                    where org_id = scope.org and committed_at is not null and key > ${after}
                    order by key limit ${BLOBS_PER_PAGE}`,
              ),
              () => unreachable,
            ),
            (rows) => [rows, rows.length < BLOBS_PER_PAGE ? Option.none() : Option.some(rows.at(-1)!.key)] as const,
          ),
        ),
      removeAll: (org) => Effect.asVoid(write(org, sql`delete from blobs where org_id = ${org}`)),
    })
  }),
)
